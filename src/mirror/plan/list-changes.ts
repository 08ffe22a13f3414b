import type { Claimed, GroupRow, UserRow } from '../ledger/record-rows.ts'
import type { Outcome } from './outcome.ts'

// Groups may be claimed together with their people, by one transaction. What was read of them then has the DNs that the
// ledger knew before the entries of the people were written; these changes make it what it will be once their outcomes are
// stored, so that the lists are written meanwhile.

/** What the lists of claimed groups have otherwise than the ledger says. */
export interface ListChanges {
  /** DNs that no list has any more. */
  left: readonly string[]
  /** Those of them that the list of a group had. */
  gone: ReadonlyMap<number, readonly string[]>
  /** DNs that the list of a group has. */
  come: ReadonlyMap<number, readonly string[]>
  /** The versions of the groups that they are changes of: what is read later may hold that someone of `come` has left. */
  versions: ReadonlyMap<number, number>
}

export type ClaimedGroups = Extract<Claimed, { kind: 'group' }>

/**
 * The groups, to be written while the outcomes of these people are stored.
 * @returns null: they have to be claimed again after that
 */
export const afterPeople = (
  groups: ClaimedGroups,
  people: Claimed,
  outcomes: readonly Outcome[],
): ClaimedGroups | null => {
  if (people.kind !== 'user' || !people.rows || !groups.rows) return null
  if (groups.nested !== false || outcomes.length !== people.ids.length || !outcomes.every(isFinal)) return null
  const moved = outcomes.filter(({ dn, from }) => from !== null && dn !== from)
  const listed = listable(people.rows, outcomes)
  const come = new Map(
    groups.rows.map(({ id, among = [] }) => [id, among.flatMap((person) => listed.get(person) ?? [])]),
  )
  const former = new Map(moved.map(({ id, from }) => [id, from]))
  const gone = new Map(
    groups.rows.map(({ id, among = [] }) => [id, among.flatMap((person) => former.get(person) ?? [])]),
  )
  const versions = new Map(groups.rows.map(({ id, version }) => [id, version]))
  const changes = { left: moved.flatMap(({ from }) => from ?? []), gone, come, versions }
  // When an entry leaves its place, some directories change the lists by themselves: what was read before is out of date.
  const { read: _, ...unread } = groups
  const leaves = moved.length > 0 || outcomes.some(({ result }) => result === 'removed')
  return leaves ? { ...unread, changes } : { ...groups, changes }
}

const isFinal = ({ result, dn, unseen }: Outcome): boolean =>
  !unseen && (result === 'removed' || (result === 'in_sync' && dn !== null))

/** The DNs of the enabled people among them, by their ids. */
const listable = (rows: readonly UserRow[], outcomes: readonly Outcome[]): ReadonlyMap<number, string> => {
  const dns = new Map(outcomes.map(({ id, dn }) => [id, dn]))
  return new Map(
    rows.flatMap(({ id, facts }) => {
      const dn = dns.get(id) ?? null
      return facts?.status === 1 && dn !== null ? [[id, dn]] : []
    }),
  )
}

/** The rows, as these changes make them. */
export const withListChanges = (rows: GroupRow[], { left, gone, come, versions }: ListChanges): GroupRow[] =>
  rows.map((row) => {
    if (row.facts === null || row.facts.groupType === 'ou') return row
    const stay = row.facts.members.filter((dn) => !left.includes(dn))
    const members = [...new Set([...stay, ...(come.get(row.id) ?? [])])]
    const had = row.facts.notedOnly ? [...new Set([...row.facts.left, ...(gone.get(row.id) ?? [])])] : row.facts.left
    return { ...row, version: versions.get(row.id) ?? row.version, facts: { ...row.facts, members, left: had } }
  })
