import type { Statement } from '../../failures/statement.ts'
import type { Change, Entry, Write } from '../../ldap/directory.ts'
import { matchingKey, parseDn } from '../../ldap/dn.ts'
import { accountBits } from '../entry/active-directory.ts'
import { difference, renamed } from '../entry/compare.ts'
import { neededClasses, spareClasses } from '../entry/extra-attributes.ts'
import type { Item } from './item.ts'
import type { Repair } from './repairs.ts'

/** An entry and the DN it was found at, in Steward's own spelling. */
export interface Found {
  dn: string
  entry: Entry
}

/** The entryUUID; null: the server has no entryUUIDs. */
export const uuidOf = (found: Found | null): string | null =>
  found?.entry.attributes.entryUUID?.[0]?.toLowerCase() ?? null

/** An item and the writes for it. */
export interface Plan {
  item: Item
  /** The repair to store, if the writes are a repair. */
  repair?: Repair
  /** null: not found, or not searched. */
  found: Found | null
  /** It was not searched: see sighting.ts. */
  unsearched?: true
  writes: Write[]
  /** What is done with foreign attributes after the writes; null: they are not changed. */
  foreign: 'strip' | 'putBack' | null
  /** Why the entry cannot get its DN; null: nothing prevents it. */
  obstacle: Statement | null
  /** More has to be added to the entry after this: there is too much for one request. */
  isPart?: true
  /** Nothing is written, because the repair does not hold. */
  unheld?: true
}

/**
 * The writes that turn the entry that was found (null: it does not exist) into the wanted entry, in their order.
 * @param anySpelling names that the server treats as equal count as equal, because the server keeps its own spelling
 */
export const writesFor = (item: Item, found: Found | null, anySpelling = false): Write[] => {
  if (item.wanted === null) return found === null ? [] : [...disabling(found), { kind: 'delete', dn: found.dn }]
  if (found === null) return [{ kind: 'add', dn: item.wanted.dn, attributes: item.wanted.attributes }]
  const { dn, attributes } = item.wanted
  const { entry } = found
  // Also if only the spelling of the name has changed, which is the same DN for the directory.
  const isOther = (a: string, b: string): boolean => (anySpelling ? matchingKey(a) !== matchingKey(b) : a !== b)
  const moves = found.dn !== dn || isOther(namingValue(entry.dn), namingValue(dn))
  const writes: Write[] = moves
    ? [...(item.parks ? disabling(found) : []), { kind: 'rename', dn: found.dn, newDn: dn }]
    : []
  const extra = new Set(item.parks ? [] : item.extras.map(({ attribute }) => attribute))
  const { userPassword, ...others } = Object.fromEntries(
    Object.entries(attributes).filter(([attribute]) => !extra.has(attribute)),
  )
  const blind = userPassword !== undefined && item.password?.comparable === false
  const compared = blind || userPassword === undefined ? others : { ...others, userPassword }
  const present = moves ? renamed(entry, dn) : entry
  for (const changes of difference(present, compared, anySpelling)) {
    writes.push({ kind: 'modify', dn, changes })
  }
  if (blind) {
    writes.push({
      kind: 'modify',
      dn,
      changes: [{ operation: 'replace', attribute: 'userPassword', values: userPassword }],
    })
  }
  return [...writes, ...extraWrites(item, dn, present), ...leaveWrites(item, dn)]
}

/**
 * A request of their own, after the others: a value that the server refuses must not prevent a change of the password.
 * Other tools' attributes and classes of a disabled person are removed together with these (see parking.ts).
 */
const extraWrites = ({ parks, extras }: Item, dn: string, entry: Entry): Write[] => {
  if (parks || extras.length === 0) return []
  const values = Object.fromEntries(extras.map(({ attribute, values }) => [attribute, values]))
  const held = new Set((entry.attributes.objectClass ?? []).map((name) => name.toLowerCase()))
  const missing = neededClasses(extras).filter((name) => !held.has(name.toLowerCase()))
  const spare = spareClasses(extras, entry.attributes)
  const changes: Change[] = [
    ...(missing.length > 0 ? [{ operation: 'add', attribute: 'objectClass', values: missing } satisfies Change] : []),
    ...difference(entry, values).flat(),
    ...(spare.length > 0 ? [{ operation: 'delete', attribute: 'objectClass', values: spare } satisfies Change] : []),
  ]
  return changes.length > 0 ? [{ kind: 'modify', dn, changes }] : []
}

/** Each value alone, after the others: the list was not read, so that each may be there or not. */
const leaveWrites = ({ leaving = {} }: Item, dn: string): Write[] =>
  Object.entries(leaving).flatMap(([attribute, values]) =>
    values.map(
      (value): Write => ({ kind: 'modify', dn, changes: [{ operation: 'delete', attribute, values: [value] }] }),
    ),
  )

/** Whether the write removes a value of someone who left. */
export const isLeaveWrite = ({ leaving = {} }: Item, write: Write): boolean =>
  write.kind === 'modify' &&
  write.changes.every(
    ({ operation, attribute, values }) =>
      operation === 'delete' &&
      values.every((value) => typeof value === 'string' && leaving[attribute]?.includes(value)),
  )

/**
 * An account of Active Directory is disabled before it is moved or deleted, because the server may refuse that: the entry
 * may be protected, or have others below it.
 */
const disabling = ({ dn, entry }: Found): Write[] => {
  const [control] = entry.attributes.userAccountControl ?? []
  if (control === undefined || (Number(control) & accountBits.disabled) !== 0) return []
  const values = [String(Number(control) | accountBits.disabled)]
  return [{ kind: 'modify', dn, changes: [{ operation: 'replace', attribute: 'userAccountControl', values }] }]
}

/** The write that says what is done with the entry. */
export const mainWrite = (writes: readonly Write[]): Write | undefined =>
  writes.find(({ kind }) => kind !== 'modify') ?? writes[0]

const namingValue = (dn: string): string => parseDn(dn)[0]?.[0]?.value ?? ''
