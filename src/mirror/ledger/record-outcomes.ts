import { sql } from 'drizzle-orm'
import { withoutDeadlock } from '../../db/deadlock.ts'
import { anyOfIds } from '../../db/id-list.ts'
import { assigned, isOf, released } from '../../db/lease.ts'
import type { Outcome } from '../plan/outcome.ts'
import type { RecordKind } from '../touch.ts'
import { type Book, belowMoving, type Claim, isRowOf, moving } from './claim.ts'
import { type BookInTransaction, makeDue, makeGroupsDue, makeListedDue, moveBelow } from './dependents.ts'
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
import { isGone, isPlain, type Recorded, recordPair, recordPeople, recordPlain } from './record-in-one-trip.ts'
import type { Row } from './record-rows.ts'
import type { ToStore } from './store-in-sync.ts'

/**
 * Stores the outcomes of a claim and releases its leases. If the DN of a record changed, the records that refer to it
 * become due: the groups of a user, the groups below a group. A record that was in sync before and is not any more
 * becomes due, and so does a record whose lease was lost, because another instance may have overwritten its entry.
 */
export const record = async ({ db, ...book }: Book, claim: Claim, outcomes: readonly Outcome[]): Promise<Recorded> => {
  if (outcomes.length === 0) return { kind: claim.kind, reached: new Map(), equal: new Set(), groupsDue: [] }
  const usual = outcomes.every(isPlain)
    ? await recordPlain({ db, ...book }, { claim, outcomes })
    : (await recordPeople({ db, ...book }, { claim, outcomes }, null))?.people
  return usual ?? withoutDeadlock(() => db.transaction((tx) => writeDown({ tx, ...book }, claim, outcomes)))
}

/**
 * The same for people, and for groups whose lists were written as the outcomes of the people say: together, or those of the
 * groups after those of the people, if these are not as usual. Where the DN of a person changes later, the groups become
 * due again.
 */
export const recordBoth = async (
  book: Book,
  people: ToStore,
  groups: ToStore,
): Promise<{ people: Recorded; groups: Recorded }> => {
  const arePlain = groups.outcomes.every(isPlain)
  const isPair = people.outcomes.length === 1 && groups.outcomes.length === 1 && people.outcomes.every(isPlain)
  const usual = arePlain ? await (isPair ? recordPair : recordPeople)(book, people, groups) : null
  return {
    people: usual?.people ?? (await record(book, people.claim, people.outcomes)),
    groups: usual?.groups ?? (await record(book, groups.claim, groups.outcomes)),
  }
}

const writeDown = async (book: BookInTransaction, claim: Claim, outcomes: readonly Outcome[]): Promise<Recorded> => {
  const { kind } = claim
  if (kind === 'group') await makeListedDue(book, outcomes)
  const waiting = outcomes.filter(({ result }) => result === 'waiting')
  await holdParents(book, idsOf(waiting))
  const { places, lost } = await lockRows(book, claim, outcomes)
  const located = outcomes.flatMap((one) => {
    const place = places.get(one.id)
    return place === undefined ? [] : [whereItIs(one, place)]
  })
  // Removals are decided before the outcomes of the groups above them are stored.
  const gone = await forgetRemoved(book, claim, located)
  const after = await update(book, claim, located)
  await makeDueAgain(book, kind, lost)
  const moved = after.flatMap(({ id, dn: to }) => {
    const from = places.get(id)?.dn ?? null
    return from === to ? [] : [{ id, from, to }]
  })
  const reached = new Map(after.map(({ id, synced }) => [id, synced]))
  for (const id of gone) reached.set(id, Number.POSITIVE_INFINITY)
  const equal = new Set([...gone, ...after.flatMap(({ id, equal }) => (equal ? [id] : []))])
  if (kind === 'user') return { kind, reached, equal, groupsDue: await makeGroupsDue(book, idsOf(moved)) }
  await moveBelow(book, moved)
  return { kind, reached, equal, groupsDue: [] }
}

/** Their entries may not be what the ledger says: that is on the disk when the transaction ends. */
const makeDueAgain = async (book: BookInTransaction, kind: RecordKind, lost: readonly number[]): Promise<void> => {
  if (lost.length === 0) return
  await makeDue(book, kind, lost)
  await book.tx.execute(sql`set local synchronous_commit to default`)
}

const idsOf = (records: readonly { id: number }[]): number[] => records.map(({ id }) => id)

/**
 * Locks the groups above these records, so that the outcomes of the groups are not stored before those of the records.
 * This has to happen before the rows themselves are locked: a transaction that stores the outcome of a group locks the
 * rows below it last.
 */
const holdParents = async ({ tx, ...book }: BookInTransaction, ids: readonly number[]): Promise<void> => {
  if (ids.length === 0) return
  await tx.execute(sql`
    select from directory_entries e where ${isRowOf(book, 'group')}
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
  { tx, ...book }: BookInTransaction,
  { kind, owner }: Claim,
  outcomes: readonly Outcome[],
): Promise<{ places: ReadonlyMap<number, KnownPlace>; lost: number[] }> => {
  const rows = await tx.execute<KnownPlace & { id: string; mine: boolean }>(sql`
    select e.record_id as id, e.dn, e.target_dn as "targetDn", coalesce(${isOf(sql`e`, owner)}, false) as mine
    from directory_entries e
    where ${isRowOf(book, kind)} and e.record_id = ${anyOfIds(idsOf(outcomes))}
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

/** Deletes the rows whose entries were certainly removed; the others are retried. @returns the ids of the former */
const forgetRemoved = async (
  { tx, ...book }: BookInTransaction,
  claim: Claim,
  located: readonly Located[],
): Promise<number[]> => {
  const removed = located.filter(({ result }) => result === 'removed').map(({ id, carried }) => ({ id, carried }))
  if (removed.length === 0) return []
  const { kind } = claim
  const rows = await tx.execute<{ id: string }>(sql`
    with ${moving(book, claim)}, removed as (
      select e.record_id, (e.deleted or ${isGone(book, kind)}) and not o.carried and not (${belowMoving}) as certain
      from jsonb_to_recordset(${JSON.stringify(removed)}::jsonb) as o(id bigint, carried boolean)
      join directory_entries e on ${isRowOf(book, kind)} and e.record_id = o.id
    ), gone as (
      delete from directory_entries e using removed r
      where ${isRowOf(book, kind)} and e.record_id = r.record_id and r.certain returning e.record_id
    ), retried as (
      update directory_entries e set ${assigned(released)}, attempts = ${attempts},
      next_at = ${nextTry(sql`least(300, 0.25 * 2 ^ least(e.attempts, 20))`)}
      from removed r where ${isRowOf(book, kind)} and e.record_id = r.record_id and not r.certain
    )
    select record_id as id, ${ends(book)} as ended from gone`)
  return rows.map(({ id }) => Number(id))
}

/** Stores the outcomes of all items that were not removed. @returns their current DNs, and the versions that these have */
const update = async (
  { tx, ...book }: BookInTransaction,
  claim: Claim,
  located: readonly Located[],
): Promise<ReturnType<typeof fromStored>[]> => {
  const outcomes = located.filter(({ result }) => result !== 'removed')
  if (outcomes.length === 0) return []
  const { kind } = claim
  const rows = await tx.execute<StoredOutcome>(sql`
    with ${moving(book, claim)}, reached as (
      select o.*, o.unseen or o.dn is null and ${belowMoving} as uncertain,
        case when o.result = 'in_sync' then greatest(e.synced_version, o.version) else e.synced_version end as synced
      from (${outcomeRows(outcomes)}) o
      join directory_entries e on ${isRowOf(book, kind)} and e.record_id = o.id
    )
    ${storing(book, kind, sql`true`)}`)
  return rows.map(fromStored)
}
