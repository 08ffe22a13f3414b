import { type SQL, sql } from 'drizzle-orm'
import type { Tx } from '../db/client.ts'
import { withoutDeadlock } from '../db/deadlock.ts'
import { anyOfIds } from '../db/id-list.ts'
import { inTransaction, lastInOrder, markTransaction } from '../db/in-order.ts'
import { assigned, isOf, released } from '../db/lease.ts'
import { type Book, belowMoving, type Claim, isRowOf, moving } from './ledger-claim.ts'
import { type GroupDue, makeDue, makeGroupsDue, makeListedDue, moveBelow, type Page } from './ledger-dependents.ts'
import type { Row } from './ledger-rows.ts'
import type { Outcome } from './outcome.ts'
import {
  attempts,
  ends,
  fromStored,
  type Located,
  nextTry,
  outcomeRows,
  type StoredOutcome,
  storing,
} from './outcome-rows.ts'
import { isWithin } from './scope.ts'
import type { RecordKind } from './touch.ts'

/**
 * Stores the outcomes of a claim and releases its leases. If the DN of a record changed, the records that refer to it
 * become due: the groups of a user, the groups below a group. A record that was in sync before and is not any more
 * becomes due, and so does a record whose lease was lost, because another instance may have overwritten its entry.
 * @param groupsHolder holds groups whose lists it writes as these outcomes say: they do not become due. Default: null, none
 */
export const record = async (
  { db, ...book }: Book,
  claim: Claim,
  outcomes: readonly Outcome[],
  groupsHolder: string | null = null,
): Promise<Recorded> => {
  const { kind } = claim
  if (outcomes.length === 0) return { kind, reached: new Map(), equal: new Set(), groupsDue: [] }
  const down = (): Promise<Recorded> =>
    withoutDeadlock(() => db.transaction((tx) => writeDown({ tx, ...book }, claim, outcomes, groupsHolder)))
  if (outcomes.every(isPlain)) return (await recordPlain({ db, ...book }, claim, outcomes)) ?? down()
  const isUsual = claim.nested === false && outcomes.every(isThere)
  if (kind === 'group' || !isUsual) return down()
  return (await recordPlaced({ db, ...book }, claim, outcomes, groupsHolder)) ?? down()
}

/** Its entry is equal to the record. */
const isThere = ({ result, dn, unseen }: Outcome): boolean => result === 'in_sync' && dn !== null && !unseen

/** And it is where it was before: no other record depends on that. */
const isPlain = (one: Outcome): boolean => isThere(one) && one.dn === one.from && one.fromTarget === null

/**
 * The same for the most frequent outcomes, in one statement.
 * @returns null: they were not all stored, because a lease was lost or a DN has changed meanwhile
 */
const recordPlain = async (
  { db, ...book }: Book,
  claim: Claim,
  outcomes: readonly Outcome[],
): Promise<Recorded | null> => {
  const rows = await withoutDeadlock(() =>
    db.execute<StoredOutcome>(storingAll(book, claim, outcomes, sql`e.target_dn is null and e.dn = o.dn`)),
  )
  return rows.length === outcomes.length ? recordedOf(claim, rows, []) : null
}

/** Stores outcomes of entries that are equal to their records: all of them, or none if one has not this place in the ledger. */
const storingAll = (
  book: Pick<Book, 'directory' | 'hasReplica'>,
  claim: Claim,
  outcomes: readonly Outcome[],
  place: SQL,
): SQL => {
  const located = outcomes.map((one) => ({ carried: false, ...one }))
  const unmoved = sql`${isOf(sql`e`, claim.owner)} and ${place}`
  return sql`
    with outcomes as (${outcomeRows(located)}), held as materialized (
      select e.record_id, e.lease_owner, e.dn, e.target_dn, e.synced_version from directory_entries e
      where ${isRowOf(book, claim.kind)} and e.record_id = ${anyOfIds(idsOf(outcomes))} order by e.record_id for update
    ), reached as (
      select o.*, false as uncertain, greatest(e.synced_version, o.version) as synced
      from outcomes o join held e on e.record_id = o.id where ${unmoved}
    )
    ${storing(book, claim.kind, sql`(select count(*) from reached) = ${outcomes.length} and ${unmoved}`)}`
}

const recordedOf = (
  { kind }: Pick<Claim, 'kind'>,
  rows: readonly StoredOutcome[],
  groupsDue: Recorded['groupsDue'],
): Recorded => {
  const stored = rows.map(fromStored)
  return {
    kind,
    reached: new Map(stored.map(({ id, synced }) => [id, synced])),
    equal: new Set(stored.flatMap(({ id, equal }) => (equal ? [id] : []))),
    groupsDue,
  }
}

/** The entry is at the DN of its intent, or stayed where it was. */
const asIntended = sql`e.dn is not distinct from o."from" and (e.dn = o.dn or coalesce(e.target_dn, o.dn) = o.dn)`

/**
 * The same for people whose entries were added or moved: what depends on their DNs becomes due. The transaction is sent
 * as a whole; each statement sees what was committed before the rows were locked. Lists may become nested meanwhile: then
 * all groups become due.
 * @returns null: they were not all stored, as above
 */
const recordPlaced = async (
  { db, ...book }: Book,
  claim: Claim,
  outcomes: readonly Outcome[],
  groupsHolder: string | null,
): Promise<Recorded | null> => {
  const moved = outcomes.filter(({ dn, from }) => dn !== from)
  const store = async (tx: Tx): Promise<Recorded | null> => {
    const [, rows, groupsDue] = await lastInOrder(
      tx,
      () =>
        tx.execute(sql`
          select ${markTransaction}, (select count(*) from (
            select from directory_entries e
            where ${isRowOf(book, 'user')} and e.record_id = ${anyOfIds(idsOf(outcomes))} order by e.record_id for update) locked)`),
      () => tx.execute<StoredOutcome>(storingAll(book, claim, outcomes, sql`${asIntended} and ${inTransaction}`)),
      () =>
        makeGroupsDue({ tx, ...book }, idsOf(moved), {
          areNew: moved.every(({ from }) => from === null),
          atOnce: true,
          groupsHolder,
        }),
    )
    return rows.length === outcomes.length ? recordedOf(claim, rows, groupsDue) : null
  }
  return withoutDeadlock(() => db.transaction(store))
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

const writeDown = async (
  page: Page,
  claim: Claim,
  outcomes: readonly Outcome[],
  groupsHolder: string | null,
): Promise<Recorded> => {
  const { kind } = claim
  if (kind === 'group') await makeListedDue(page, outcomes)
  const waiting = outcomes.filter(({ result }) => result === 'waiting')
  await holdParents(page, idsOf(waiting))
  const { places, lost } = await lockRows(page, claim, outcomes)
  const located = outcomes.flatMap((one) => {
    const place = places.get(one.id)
    return place === undefined ? [] : [whereItIs(one, place)]
  })
  if (kind === 'user' && lost.length === 0 && outcomes.every(({ result }) => result === 'removed')) {
    const [gone] = await lastInOrder(page.tx, () => forgetRemoved(page, claim, located))
    const reached = new Map(gone.map((id) => [id, Number.POSITIVE_INFINITY]))
    return { kind, reached, equal: new Set(gone), groupsDue: [] }
  }
  // Removals are decided before the outcomes of the groups above them are stored.
  const gone = await forgetRemoved(page, claim, located)
  const after = await update(page, claim, located)
  await makeDueAgain(page, kind, lost)
  const moved = after.flatMap(({ id, dn: to }) => {
    const from = places.get(id)?.dn ?? null
    return from === to ? [] : [{ id, from, to }]
  })
  const reached = new Map(after.map(({ id, synced }) => [id, synced]))
  for (const id of gone) reached.set(id, Number.POSITIVE_INFINITY)
  const equal = new Set([...gone, ...after.flatMap(({ id, equal }) => (equal ? [id] : []))])
  if (kind === 'user') {
    return { kind, reached, equal, groupsDue: await makeGroupsDue(page, idsOf(moved), { groupsHolder }) }
  }
  await moveBelow(page, moved)
  return { kind, reached, equal, groupsDue: [] }
}

/** Their entries may not be what the ledger says: that is on the disk when the transaction ends. */
const makeDueAgain = async (page: Page, kind: RecordKind, lost: readonly number[]): Promise<void> => {
  if (lost.length === 0) return
  await makeDue(page, kind, lost)
  await page.tx.execute(sql`set local synchronous_commit to default`)
}

const idsOf = (records: readonly { id: number }[]): number[] => records.map(({ id }) => id)

/**
 * Locks the groups above these records, so that the outcomes of the groups are not stored before those of the records.
 * This has to happen before the rows themselves are locked: a transaction that stores the outcome of a group locks the
 * rows below it last.
 */
const holdParents = async ({ tx, ...page }: Page, ids: readonly number[]): Promise<void> => {
  if (ids.length === 0) return
  await tx.execute(sql`
    select from directory_entries e where ${isRowOf(page, 'group')}
      and e.record_id in (select g.parent_id from groups g where g.id = ${anyOfIds(ids)})
    order by e.record_id for share`)
}

type KnownPlace = Pick<Row<unknown>, 'dn' | 'targetDn'>

/**
 * From here on no other instance can take over these rows.
 * @returns the current DNs in the ledger of the rows whose lease is still held, and the ids of those whose lease was
 *   lost
 */
const lockRows = async (
  { tx, ...page }: Page,
  { kind, owner }: Claim,
  outcomes: readonly Outcome[],
): Promise<{ places: ReadonlyMap<number, KnownPlace>; lost: number[] }> => {
  const rows = await tx.execute<KnownPlace & { id: string; mine: boolean }>(sql`
    select e.record_id as id, e.dn, e.target_dn as "targetDn", coalesce(${isOf(sql`e`, owner)}, false) as mine
    from directory_entries e
    where ${isRowOf(page, kind)} and e.record_id = ${anyOfIds(idsOf(outcomes))}
    order by e.record_id for update`)
  return {
    places: new Map(rows.flatMap(({ id, mine, dn, targetDn }) => (mine ? [[Number(id), { dn, targetDn }]] : []))),
    lost: rows.flatMap(({ id, mine }) => (mine ? [] : [Number(id)])),
  }
}

/** An entry that was itself moved is at the DN of its intent, which was moved with the group. */
const whereItIs = (one: Outcome, { dn, targetDn }: KnownPlace): Located => {
  if (one.result === 'removed') return { ...one, carried: dn !== one.from || targetDn !== one.fromTarget }
  if (one.dn !== null && one.dn !== one.from) {
    return { ...one, dn: targetDn ?? one.dn, carried: targetDn !== null && targetDn !== one.dn }
  }
  return dn === one.from
    ? { ...one, carried: false }
    : { ...one, dn, unseen: one.unseen || one.dn === null, carried: true }
}

/** Its record was deleted without a mark in the ledger, or the directory does not get it. */
const isGone = ({ directory }: Pick<Book, 'directory'>, kind: RecordKind): SQL => sql`not exists (
  select from ${kind === 'user' ? sql`users` : sql`groups`} r
  where r.id = e.record_id and ${isWithin(directory, kind, sql`r.id`)})`

/** Deletes the rows whose entries were certainly removed; the others are retried. @returns the ids of the former */
const forgetRemoved = async ({ tx, ...page }: Page, claim: Claim, located: readonly Located[]): Promise<number[]> => {
  const removed = located.filter(({ result }) => result === 'removed').map(({ id, carried }) => ({ id, carried }))
  if (removed.length === 0) return []
  const { kind } = claim
  const rows = await tx.execute<{ id: string }>(sql`
    with ${moving(page, claim)}, removed as (
      select e.record_id, (e.deleted or ${isGone(page, kind)}) and not o.carried and not (${belowMoving}) as certain
      from jsonb_to_recordset(${JSON.stringify(removed)}::jsonb) as o(id bigint, carried boolean)
      join directory_entries e on ${isRowOf(page, kind)} and e.record_id = o.id
    ), gone as (
      delete from directory_entries e using removed r
      where ${isRowOf(page, kind)} and e.record_id = r.record_id and r.certain returning e.record_id
    ), retried as (
      update directory_entries e set ${assigned(released)}, attempts = ${attempts},
      next_at = ${nextTry(sql`least(300, 0.25 * 2 ^ least(e.attempts, 20))`)}
      from removed r where ${isRowOf(page, kind)} and e.record_id = r.record_id and not r.certain
    )
    select record_id as id, ${ends(page)} as ended from gone`)
  return rows.map(({ id }) => Number(id))
}

/** Stores the outcomes of all items that were not removed. @returns their current DNs, and the versions that these have */
const update = async (
  { tx, ...page }: Page,
  claim: Claim,
  located: readonly Located[],
): Promise<ReturnType<typeof fromStored>[]> => {
  const outcomes = located.filter(({ result }) => result !== 'removed')
  if (outcomes.length === 0) return []
  const { kind } = claim
  const rows = await tx.execute<StoredOutcome>(sql`
    with ${moving(page, claim)}, reached as (
      select o.*, o.unseen or o.dn is null and ${belowMoving} as uncertain,
        case when o.result = 'in_sync' then greatest(e.synced_version, o.version) else e.synced_version end as synced
      from (${outcomeRows(outcomes)}) o
      join directory_entries e on ${isRowOf(page, kind)} and e.record_id = o.id
    )
    ${storing(page, kind, sql`true`)}`)
  return rows.map(fromStored)
}
