import { useLanguage } from '../../app/language.tsx'
import { usePageTexts } from '../../app/page-texts.ts'
import { useReading } from '../../app/queries.ts'
import { useMay } from '../../app/session.tsx'
import { useLabelOf } from '../attributes/attribute.ts'
import type { Change, Run } from './run-text.ts'

type PlanOf = Pick<Run, 'source' | 'kind'>

/** The field of a record that an attribute of its entry shows, where the two have different names; in lower case. */
const shownBy: Readonly<Record<Run['kind'], Readonly<Record<string, string>>>> = {
  users: {
    uid: 'username',
    displayname: 'nickname',
    givenname: 'givenName',
    employeenumber: 'jobNumber',
    description: 'introduction',
    title: 'position',
    postaladdress: 'postalAddress',
    streetaddress: 'postalAddress',
    userpassword: 'password',
  },
  groups: {},
}

/**
 * What the fields of a plan are called in the language of the page. The plan of an import has fields of records and
 * declared attributes by their names; that of a comparison has attributes of entries. A name without a label stays.
 */
const useFieldName = ({ source, kind }: PlanOf): ((field: string) => string) => {
  const { texts } = useLanguage()
  const { plan } = usePageTexts('runs').runs
  const labelOf = useLabelOf()
  const enabled = useMay('listAttributes')
  const { data } = useReading('listAttributes', {}, { enabled, staleTime: 60_000 })
  const declared = (data?.attributes ?? []).filter((each) => each.kind === (kind === 'users' ? 'user' : 'group'))
  const names: Readonly<Record<string, string>> = {
    ...texts.fields,
    dn: 'DN',
    memberOf: plan.memberOf,
    parent: plan.parent,
  }
  const isEntry = source === 'sql'
  return (field) => {
    const attribute = declared.find(({ name, ldapAttribute }) =>
      isEntry ? ldapAttribute.toLowerCase() === field.toLowerCase() : name === field,
    )
    if (attribute !== undefined) return labelOf(attribute)
    return names[isEntry ? (shownBy[kind][field.toLowerCase()] ?? field) : field] ?? field
  }
}

/** What the fields of a plan are called, and how their values read. */
export const useValueTexts = (run: PlanOf) => {
  const texts = usePageTexts('runs')
  const { plan } = texts.runs
  const { named } = texts
  const fieldName = useFieldName(run)
  const valueText = (field: string, value: unknown): string => {
    if (field === 'status') return value === 1 ? texts.status.enabled : texts.status.disabled
    if (field === 'memberOf' && Array.isArray(value)) return plan.departments(value.length)
    if (field === 'parent' && (value === null || value === '')) return plan.top
    if (value === null || value === undefined || value === '') return plan.empty
    if (Array.isArray(value)) return texts.listed(value.map(String))
    return typeof value === 'object' ? JSON.stringify(value) : String(value)
  }
  return { plan, fieldName, valueText, named }
}

/** The fields of a change: those that say what it is first. */
export const fieldsOf = ({ before, after }: Pick<Change, 'before' | 'after'>): string[] => [
  ...new Set([...Object.keys(after), ...Object.keys(before)]),
]

/** A change in a line: each field with its old value beside the new one. */
export const ChangeLine = ({ run, change }: { run: PlanOf; change: Change }) => {
  const { fieldName, valueText, named } = useValueTexts(run)
  const { before, after } = change
  const isNew = change.action === 'add'
  const parts = fieldsOf(change).map((field) => {
    const now = field in after ? valueText(field, after[field]) : null
    const old = field in before ? valueText(field, before[field]) : null
    return { field, old: isNew ? null : old, now }
  })
  const line = parts
    .map(({ field, old, now }) => named(fieldName(field), [old, now].filter((each) => each !== null).join(' → ')))
    .join(' · ')
  return (
    <span title={line}>
      {parts.map(({ field, old, now }, at) => (
        <span key={field}>
          {at > 0 && ' · '}
          <span className="dimmed" title={field}>
            {named(fieldName(field), '')}
          </span>
          {old !== null && <span className="old-value">{old}</span>}
          {old !== null && now !== null && ' → '}
          {now}
        </span>
      ))}
    </span>
  )
}
