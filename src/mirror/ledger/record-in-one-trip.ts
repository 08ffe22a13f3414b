import { type SQL, sql } from 'drizzle-orm'
import type { Tx } from '../../db/client.ts'
import { withoutDeadlock } from '../../db/deadlock.ts'
import { anyOfIdsAt, idsValue } from '../../db/id-list.ts'
import { beginMarked, inTransaction, lastInOrder, markTransaction } from '../../db/in-order.ts'
import { keptStatement, type Slots } from '../../db/kept-statement.ts'
import { isOf } from '../../db/lease.ts'
import { formatDn, parseDn } from '../../ldap/dn.ts'
import type { Outcome } from '../plan/outcome.ts'
import { isWithin } from '../scope.ts'
import type { RecordKind } from '../touch.ts'
import { type Book, type Claim, isRowOf } from './claim.ts'
import { type GroupDue, makeGroupsDue } from './dependents.ts'
import { ends, fromStored, type StoredOutcome } from './outcome-rows.ts'
import { type BookRows, peopleStored, storingAll, storingPair, type ToStore } from './store-in-sync.ts'

// The outcomes that almost all claims have are stored in one round trip. Where one of them cannot be stored like this,
// because a lease was lost or a DN has changed meanwhile, none is: see record-outcomes.ts.

/** What the ledger holds after outcomes were stored. */
export interface Recorded {
  kind: RecordKind
  /** The versions that the entries of these records have; `Infinity`: the record was removed. */
  reached: ReadonlyMap<number, number>
  /** The records among them that have not changed since. */
  equal: ReadonlySet<number>
  /** The groups that became due because the DN of a member changed. */
  groupsDue: readonly GroupDue[]
}

export interface RecordedBoth {
  people: Recorded
  /** null: they were not stored. */
  groups: Recorded | null
}

/** Its entry is equal to the record. */
const isThere = ({ result, dn, unseen }: Outcome): boolean => result === 'in_sync' && dn !== null && !unseen

/** And it is where it was before: no other record depends on that. */
export const isPlain = (one: Outcome): boolean => isThere(one) && one.dn === one.from && one.fromTarget === null

/** Whether its entry is new, or has the same name in another place, as those of people who are disabled have. */
const keepsName = ({ from, dn }: Outcome): boolean => from === null || (dn !== null && sameRdn(from, dn))

const sameRdn = (from: string, to: string): boolean =>
  formatDn(parseDn(from).slice(0, 1)) === formatDn(parseDn(to).slice(0, 1))

const isRemoved = ({ result }: Outcome): boolean => result === 'removed'

/**
 * Stores outcomes of records whose DN no other record depends on, in one statement.
 * @returns null: they were not stored
 */
export const recordPlain = async ({ db, ...book }: Book, { claim, outcomes }: ToStore): Promise<Recorded | null> => {
  const rows = await withoutDeadlock(() =>
    db.execute<StoredOutcome>(storingAll(book, { claim, outcomes }, { place: 'whereItWas' })),
  )
  return rows.length === outcomes.length ? recordedOf(claim, rows) : null
}

/**
 * Stores the outcomes of one person and of the one group whose list was written as it says, both plain, in one statement.
 * @returns null: nothing was stored
 */
export const recordPair = async (
  { db, ...book }: Book,
  person: ToStore,
  group: ToStore,
): Promise<RecordedBoth | null> => {
  const [ofPerson, ofGroup] = [person.outcomes[0], group.outcomes[0]]
  if (ofPerson === undefined || ofGroup === undefined) return null
  const statement = storingPair(
    book,
    { owner: person.claim.owner, outcome: ofPerson },
    { owner: group.claim.owner, outcome: ofGroup },
  )
  const rows = await withoutDeadlock(() => db.execute<StoredOutcome & { kind: RecordKind }>(statement))
  const [users, groups] = (['user', 'group'] as const).map((kind) => rows.filter((row) => row.kind === kind))
  if (!users?.length) return null
  return {
    people: recordedOf(person.claim, users),
    groups: groups?.length ? recordedOf(group.claim, groups) : null,
  }
}

/**
 * Stores the outcomes of people whose entries were added, moved, changed or removed, and those of groups whose lists have
 * been written as they say. Groups that depend on a DN that has changed become due, apart from these. The transaction is
 * sent as a whole; each statement sees what was committed before the rows were locked. One row is locked by the statement
 * that stores its outcome, which looks at nothing else. Lists may become nested meanwhile: then all groups become due.
 * @param groups null: none; their outcomes have to be plain
 * @returns null: nothing was stored
 */
export const recordPeople = async (
  { db, ...book }: Book,
  people: ToStore,
  groups: ToStore | null,
): Promise<RecordedBoth | null> => {
  const { claim, outcomes } = people
  if (claim.kind !== 'user' || claim.nested !== false) return null
  const areRemoved = outcomes.every(isRemoved)
  if (!areRemoved && !outcomes.every(isThere)) return null
  const moved = outcomes.filter(({ result, dn, from }) => result === 'in_sync' && dn !== from)
  const store = async (tx: Tx): Promise<RecordedBoth | null> => {
    const [, rows, groupsDue, lists] = await lastInOrder(
      tx,
      () =>
        areRemoved || outcomes.length > 1
          ? tx.execute(lockingPeople({ ids: idsValue(idsOf(outcomes)) }, book.directory, outcomes.length === 1))
          : beginMarked(tx),
      () =>
        tx.execute<StoredOutcome>(
          areRemoved
            ? forgettingAll(book, people)
            : storingAll(book, people, { place: 'asIntended', within: 'inTransaction' }),
        ),
      () =>
        makeGroupsDue({ tx, ...book }, idsOf(moved), {
          places: moved.every(keepsName) ? moved.map(({ from }) => from) : null,
          groupsHolder: groups?.claim.owner ?? null,
        }),
      () => storeGroups(tx, book, groups),
    )
    if (rows.length !== outcomes.length) return null
    return {
      people: areRemoved ? removedOf(rows) : recordedOf(claim, rows, groupsDue),
      groups: groups !== null && lists.length === groups.outcomes.length ? recordedOf(groups.claim, lists) : null,
    }
  }
  return withoutDeadlock(() => db.transaction(store))
}

const lockingPeople = keptStatement(
  (at: Slots<{ ids: number | string }>, directory: number, isOne: boolean) => sql`
    select ${markTransaction}, (select count(*) from (
      select from directory_entries e
      where ${isRowOf({ directory }, 'user')} and e.record_id = ${anyOfIdsAt(at.ids, isOne)} order by e.record_id for update) locked)`,
)

const storeGroups = async (tx: Tx, book: BookRows, groups: ToStore | null): Promise<readonly StoredOutcome[]> =>
  groups === null
    ? []
    : await tx.execute<StoredOutcome>(storingAll(book, groups, { place: 'whereItWas', within: 'arePeopleStored' }))

/** Deletes the rows of people whose entries were removed: all of them, or none if one of them may have an entry. */
const forgettingAll = (book: BookRows, { claim, outcomes }: ToStore): SQL => {
  const removed = outcomes.map(({ id, from, fromTarget }) => ({ id, from, fromTarget }))
  return sql`
    with removed as (
      select e.record_id from jsonb_to_recordset(${JSON.stringify(removed)}::jsonb) as o(id bigint, "from" text, "fromTarget" text)
      join directory_entries e on ${isRowOf(book, 'user')} and e.record_id = o.id
      where ${isOf(sql`e`, claim.owner)} and (e.deleted or ${isGone(book, 'user')})
        and e.dn is not distinct from o."from" and e.target_dn is not distinct from o."fromTarget"
    )
    delete from directory_entries e using removed r
    where ${isRowOf(book, 'user')} and e.record_id = r.record_id
      and (select count(*) from removed) = ${outcomes.length} and ${inTransaction}
    returning e.record_id as id, ${ends(book)} as ended, ${peopleStored} as stored`
}

/** Its record was deleted without a mark in the ledger, or the directory does not get it. */
export const isGone = ({ directory }: Pick<Book, 'directory'>, kind: RecordKind): SQL => sql`not exists (
  select from ${kind === 'user' ? sql`users` : sql`groups`} r
  where r.id = e.record_id and ${isWithin(directory, kind, sql`r.id`)})`

const recordedOf = (
  { kind }: Pick<Claim, 'kind'>,
  rows: readonly StoredOutcome[],
  groupsDue: Recorded['groupsDue'] = [],
): Recorded => {
  const stored = rows.map(fromStored)
  return {
    kind,
    reached: new Map(stored.map(({ id, synced }) => [id, synced])),
    equal: new Set(stored.flatMap(({ id, equal }) => (equal ? [id] : []))),
    groupsDue,
  }
}

const removedOf = (rows: readonly Pick<StoredOutcome, 'id'>[]): Recorded => {
  const ids = rows.map(({ id }) => Number(id))
  const reached = new Map(ids.map((id) => [id, Number.POSITIVE_INFINITY]))
  return { kind: 'user', reached, equal: new Set(ids), groupsDue: [] }
}

const idsOf = (records: readonly { id: number }[]): number[] => records.map(({ id }) => id)
