import { usePageTexts } from '../../app/page-texts.ts'
import type { Change } from './run-text.ts'

/** What the fields of a change are called, and how their values read. */
export const useValueTexts = () => {
  const texts = usePageTexts('runs')
  const { plan } = texts.runs
  const names: Readonly<Record<string, string>> = {
    dn: 'DN',
    ...texts.fields,
    memberOf: plan.memberOf,
    parent: plan.parent,
  }
  const fieldName = (field: string): string => names[field] ?? field
  const valueText = (field: string, value: unknown): string => {
    if (field === 'status') return value === 1 ? texts.status.enabled : texts.status.disabled
    if (field === 'memberOf' && Array.isArray(value)) return plan.departments(value.length)
    if (field === 'parent' && (value === null || value === '')) return plan.top
    if (value === null || value === undefined || value === '') return plan.empty
    if (Array.isArray(value)) return value.join(', ')
    return typeof value === 'object' ? JSON.stringify(value) : String(value)
  }
  return { plan, fieldName, valueText }
}

/** The fields of a change: those that say what it is first. */
export const fieldsOf = ({ before, after }: Pick<Change, 'before' | 'after'>): string[] => [
  ...new Set([...Object.keys(after), ...Object.keys(before)]),
]

/** A change in a line: each field with its old value beside the new one. */
export const ChangeLine = ({ change }: { change: Change }) => {
  const { fieldName, valueText } = useValueTexts()
  const { before, after } = change
  const isNew = change.action === 'add'
  const parts = fieldsOf(change).map((field) => {
    const now = field in after ? valueText(field, after[field]) : null
    const old = field in before ? valueText(field, before[field]) : null
    return { field, old: isNew ? null : old, now }
  })
  const line = parts
    .map(({ field, old, now }) => `${fieldName(field)}: ${[old, now].filter((each) => each !== null).join(' → ')}`)
    .join(' · ')
  return (
    <span title={line}>
      {parts.map(({ field, old, now }, at) => (
        <span key={field}>
          {at > 0 && ' · '}
          <span className="dimmed">{fieldName(field)}: </span>
          {old !== null && <span className="old-value">{old}</span>}
          {old !== null && now !== null && ' → '}
          {now}
        </span>
      ))}
    </span>
  )
}
