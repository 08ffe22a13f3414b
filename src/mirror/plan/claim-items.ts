import type { UserFacts } from '../entry/entry-shape.ts'
import type { GroupLayout } from '../entry/places.ts'
import { isGroupWanted, isWanted } from '../entry/posix.ts'
import { takeOverKeys } from '../entry/ssh-keys.ts'
import type { GroupRow, Row, Taken, UserRow } from '../ledger/record-rows.ts'
import type { RecordKind } from '../touch.ts'
import { groupItem, type Item, type ItemTerms, userItem } from './item.ts'
import { withListChanges } from './list-changes.ts'
import type { PlanBatchOptions } from './plan-batch.ts'

/** The items of a claim, after what they need was given to their records: a name, a number, the keys of other tools. */
export const itemsOf = async (
  options: PlanBatchOptions,
  claim: Taken,
): Promise<{ items: Item[]; layout: GroupLayout }> => {
  const { ledger } = options
  if (claim.kind === 'user') {
    const known = await withTheirKeys(options, claim.rows ?? (await ledger.users(claim.ids)))
    const rows = await numbered(options, 'user', known)
    const terms = await termsFor(options, rows)
    return { items: rows.map((row) => userItem(row, terms)), layout: layoutOf(rows) }
  }
  const known = claim.rows ?? (await ledger.groups(claim.ids))
  const named = await withEntryNames(options, claim.changes ? withListChanges(known, claim.changes) : known)
  const rows = await numbered(options, 'group', named)
  const terms = await termsFor(options, rows)
  return { items: rows.map((row) => groupItem(row, terms)), layout: layoutOf(rows) }
}

/** It is the same for all of them. */
const layoutOf = ([row]: readonly Row<unknown>[]): GroupLayout => row?.layout ?? 'nested'

/** The rows, after the groups that need a name of their own in the flat layout have got one. */
const withEntryNames = async ({ ledger }: PlanBatchOptions, rows: GroupRow[]): Promise<GroupRow[]> => {
  const lacking = rows.filter(({ facts }) => facts !== null && facts.entryName === null)
  if (lacking.length === 0) return rows
  const names = await ledger.assignEntryNames(lacking.map(({ id }) => id))
  return rows.map((row) => {
    const entryName = names.get(row.id)
    return row.facts === null || entryName === undefined ? row : { ...row, facts: { ...row.facts, entryName } }
  })
}

/** The schema is read only for records that need it. */
const termsFor = async (
  { directory, form, posix, openHash, schema }: PlanBatchOptions,
  rows: readonly Row<
    Pick<UserFacts, 'extras' | 'posix'> & Partial<Pick<UserFacts, 'sshKeys' | 'memberOf' | 'ntHash'>>
  >[],
): Promise<ItemTerms> => {
  const isNeeded = rows.some(
    ({ facts }) =>
      facts !== null &&
      (facts.extras.length > 0 || facts.posix.number !== null || facts.sshKeys || facts.memberOf || facts.ntHash),
  )
  return { baseDn: directory.baseDn, form, posix, openHash, schema: isNeeded ? await schema() : null }
}

/** The rows, after the keys that other tools wrote were taken over. */
const withTheirKeys = async ({ directory, ledger }: PlanBatchOptions, rows: UserRow[]): Promise<UserRow[]> => {
  const taking = rows.filter(({ facts }) => facts?.sshKeys?.takesOver === true)
  if (taking.length === 0) return rows
  const taken = await takeOverKeys({ directory, ledger }, taking)
  const stored = await ledger.storeTakenKeys(taken)
  return rows.map((row) => {
    const sshKeys = stored.get(row.id)
    return row.facts === null || sshKeys === undefined ? row : { ...row, facts: { ...row.facts, sshKeys } }
  })
}

/** The rows, after those that are to have a POSIX number have got one. */
const numbered = async <Facts extends Pick<UserFacts, 'posix'> & { groupType?: string }>(
  { directory, ledger, posix }: PlanBatchOptions,
  kind: RecordKind,
  rows: Row<Facts>[],
): Promise<Row<Facts>[]> => {
  const lacks = ({ facts }: Row<Facts>): boolean =>
    facts !== null &&
    facts.groupType !== 'ou' &&
    facts.posix.number === null &&
    (kind === 'group' ? isGroupWanted : isWanted)(posix, facts.posix)
  const lacking = rows.filter(lacks)
  if (posix === null || lacking.length === 0) return rows
  const numbers = await ledger.assignNumbers(directory, posix, kind, lacking)
  return rows.map((row) => {
    const number = numbers.get(row.id)
    if (row.facts === null || number === undefined) return row
    return { ...row, facts: { ...row.facts, posix: { ...row.facts.posix, number } } }
  })
}
