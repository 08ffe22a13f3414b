import type { EntryFields } from '../../db/schema.ts'
import type { Statement } from '../../failures/statement.ts'
import type { Change, Entry, Write } from '../../ldap/directory.ts'
import { ntHashAttribute } from '../entry/nt-hash.ts'

/** What a comparison would do for a record. */
export interface Foreseen {
  id: number
  /** Its name; of a deleted record the DN of its entry. */
  name: string
  action: 'add' | 'update' | 'move' | 'remove'
  /** `dn` and the attributes of the entry that change. */
  before: EntryFields
  after: EntryFields
  /** Why it cannot be done; null: it would be done. */
  obstacle: Statement | null
  /** What else is to be said of it; null: nothing. */
  note: Statement | null
}

/** Stands for values that are not shown. */
const hidden = '***'
const valuesShown = 20
const charactersShown = 500

type Values = Map<string, string[]>

const cut = (text: string): string =>
  text.length <= charactersShown ? text : `${text.slice(0, charactersShown).replace(/[\ud800-\udbff]$/, '')}…`

const secret: ReadonlySet<string> = new Set(['userpassword', ntHashAttribute.toLowerCase()])

const shown = (attribute: string, values: readonly string[]): string | string[] | null => {
  const [first, ...others] = secret.has(attribute.toLowerCase()) ? values.map(() => hidden) : values.map(cut)
  if (first === undefined) return null
  if (others.length === 0) return first
  const more = others.length + 1 - valuesShown
  return [first, ...others.slice(0, valuesShown - 1), ...(more > 0 ? [`… +${more}`] : [])]
}

const fieldsOf = (values: Values): EntryFields =>
  Object.fromEntries([...values].map(([attribute, all]) => [attribute, shown(attribute, all)]))

const push = (to: Values, attribute: string, values: readonly string[]): void => {
  to.set(attribute, [...(to.get(attribute) ?? []), ...values])
}

const textsOf = (values: Change['values']): string[] => values.map((value) => String(value))

/** The values before and after these writes, of what they change; without passwords, and of long lists the first values. */
export const changedBy = (writes: readonly Write[], entry: Entry | null): Pick<Foreseen, 'before' | 'after'> => {
  const [before, after]: [Values, Values] = [new Map(), new Map()]
  const modified = ({ operation, attribute, values }: Change): void => {
    const present = entry?.attributes[attribute] ?? []
    if (operation === 'replace') {
      push(before, attribute, present)
      push(after, attribute, textsOf(values))
    } else if (operation === 'add') push(after, attribute, textsOf(values))
    else push(before, attribute, values.length > 0 ? textsOf(values) : present)
  }
  for (const write of writes) {
    if (write.kind === 'rename' || write.kind === 'delete') push(before, 'dn', [write.dn])
    if (write.kind === 'rename') push(after, 'dn', [write.newDn])
    if (write.kind === 'modify') write.changes.forEach(modified)
    if (write.kind === 'add') {
      push(after, 'dn', [write.dn])
      for (const [attribute, values] of Object.entries(write.attributes)) {
        if (values.length > 0) push(after, attribute, values)
      }
    }
  }
  return { before: fieldsOf(before), after: fieldsOf(after) }
}

/** What other programs wrote, by name alone. */
export const hiddenFields = (names: readonly string[]): EntryFields =>
  Object.fromEntries(names.map((name) => [name, hidden]))
