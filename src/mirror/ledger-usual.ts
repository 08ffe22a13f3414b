import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { Tx } from '../db/client.ts'
import { withoutDeadlock } from '../db/deadlock.ts'
import { anyOfIdsAt, idsValue } from '../db/id-list.ts'
import { beginMarked, inTransaction, lastInOrder, markTransaction } from '../db/in-order.ts'
import { keptStatement, type Slots } from '../db/kept-statement.ts'
import { isOf } from '../db/lease.ts'
import { type Book, type Claim, isRowOf } from './ledger-claim.ts'
import { type GroupDue, makeGroupsDue } from './ledger-dependents.ts'
import type { Outcome } from './outcome.ts'
import {
  ends,
  fromStored,
  type InSyncValues,
  inSyncValues,
  outcomeRowsAt,
  outcomesValue,
  type StoredOutcome,
  storing,
  storingInSync,
} from './outcome-rows.ts'
import { isWithin } from './scope.ts'
import type { RecordKind } from './touch.ts'

// The outcomes that almost all claims have are stored in one round trip. Where one of them cannot be stored like this,
// because a lease was lost or a DN has changed meanwhile, none is: see ledger-record.ts.

/** The outcomes of a claim, to be stored. */
export interface ToStore {
  claim: Claim
  outcomes: readonly Outcome[]
}

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

type Place = Pick<Book, 'directory' | 'hasReplica'>

/** Its entry is equal to the record. */
const isThere = ({ result, dn, unseen }: Outcome): boolean => result === 'in_sync' && dn !== null && !unseen

/** And it is where it was before: no other record depends on that. */
export const isPlain = (one: Outcome): boolean => isThere(one) && one.dn === one.from && one.fromTarget === null

const isRemoved = ({ result }: Outcome): boolean => result === 'removed'

const whereItWas = sql`e.target_dn is null and e.dn = o.dn`

/** The entry is at the DN of its intent, or stayed where it was. */
const asIntended = sql`e.dn is not distinct from o."from" and (e.dn = o.dn or coalesce(e.target_dn, o.dn) = o.dn)`

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
          areNew: moved.every(({ from }) => from === null),
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

const peopleStored = sql.raw(`set_config('steward.stored', 'on', true)`)
const arePeopleStored = sql.raw(`current_setting('steward.stored', true) = 'on'`)

const storeGroups = async (tx: Tx, book: Place, groups: ToStore | null): Promise<readonly StoredOutcome[]> =>
  groups === null
    ? []
    : await tx.execute<StoredOutcome>(storingAll(book, groups, { place: 'whereItWas', within: 'arePeopleStored' }))

/** The conditions under which outcomes are stored: where the entry is, and what the transaction has to say. */
const places = { whereItWas, asIntended }
const conditions = {
  always: sql`true`,
  inTransaction,
  arePeopleStored: sql`${inTransaction} and ${arePeopleStored}`,
}

interface Storing {
  place: keyof typeof places
  /** Default: always. */
  within?: keyof typeof conditions
}

/** Stores outcomes of entries that are equal to their records: all of them, or none if one has not this place in the ledger. */
const storingAll = (
  { directory, hasReplica = false }: Place,
  { claim: { kind, owner }, outcomes }: ToStore,
  { place, within = 'always' }: Storing,
): SQLWrapper => {
  const [first] = outcomes
  if (first !== undefined && outcomes.length === 1) {
    const values = { ...inSyncValues(first), owner }
    const shape = [first.forgetKept, first.passwordDigest !== undefined] as const
    return storingOne(values, directory, hasReplica, kind, ...shape, place, within)
  }
  const rows = outcomesValue(outcomes.map((one) => ({ carried: false, ...one })))
  const ids = idsOf(outcomes)
  const values = { rows, ids: JSON.stringify(ids), owner, count: outcomes.length }
  return storingRows(values, directory, hasReplica, kind, place, within)
}

const storingOne = keptStatement(
  (
    at: Slots<InSyncValues & { owner: string }>,
    directory: number,
    hasReplica: boolean,
    kind: RecordKind,
    forgetsKept: boolean,
    settlesPassword: boolean,
    place: keyof typeof places,
    within: keyof typeof conditions,
  ) => {
    const condition = sql`${isOf(sql`e`, at.owner)} and ${places[place]} and ${conditions[within]}`
    return sql`${storingInSync({ directory, hasReplica }, kind, { at, forgetsKept, settlesPassword, condition })},
      ${noteStored(kind)} as stored`
  },
)

/** Set once the outcomes of people were stored. */
const noteStored = (kind: RecordKind): SQL => (kind === 'user' ? peopleStored : sql`null`)

interface StoredValues {
  rows: string
  ids: string
  owner: string
  count: number
}

const storingRows = keptStatement(
  (
    at: Slots<StoredValues>,
    directory: number,
    hasReplica: boolean,
    kind: RecordKind,
    place: keyof typeof places,
    within: keyof typeof conditions,
  ) => {
    const book = { directory, hasReplica }
    const unmoved = sql`${isOf(sql`e`, at.owner)} and ${places[place]}`
    return sql`
    with outcomes as (${outcomeRowsAt(at.rows)}), held as materialized (
      select e.record_id, e.lease_owner, e.dn, e.target_dn, e.synced_version from directory_entries e
      where ${isRowOf(book, kind)} and e.record_id = ${anyOfIdsAt(at.ids, false)} order by e.record_id for update
    ), reached as (
      select o.*, false as uncertain, greatest(e.synced_version, o.version) as synced
      from outcomes o join held e on e.record_id = o.id where ${unmoved}
    )
    ${storing(book, kind, sql`(select count(*) from reached) = ${at.count}::bigint and ${unmoved} and ${conditions[within]}`)},
      ${noteStored(kind)} as stored`
  },
)

/** Deletes the rows of people whose entries were removed: all of them, or none if one of them may have an entry. */
const forgettingAll = (book: Place, { claim, outcomes }: ToStore): SQL => {
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
