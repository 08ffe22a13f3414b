import { type SQL, sql } from 'drizzle-orm'
import type { Tx } from '../db/client.ts'
import { withoutDeadlock } from '../db/deadlock.ts'
import { anyOfIds } from '../db/id-list.ts'
import { inTransaction, lastInOrder, markTransaction } from '../db/in-order.ts'
import { assigned, isOf, released } from '../db/lease.ts'
import { type Book, belowMoving, type Claim, isRowOf, moving, withoutWaiting } from './ledger-claim.ts'
import { type GroupDue, makeDue, makeGroupsDue, makeListedDue, moveBelow, type Page } from './ledger-dependents.ts'
import type { Row } from './ledger-rows.ts'
import type { Outcome } from './outcome.ts'
import { isWithin } from './scope.ts'
import type { RecordKind } from './touch.ts'

/**
 * Stores the outcomes of a claim and releases its leases. If the DN of a record changed, the records that refer to it
 * become due: the groups of a user, the groups below a group. A record that was in sync before and is not any more
 * becomes due, and so does a record whose lease was lost, because another instance may have overwritten its entry.
 */
export const record = async ({ db, ...book }: Book, claim: Claim, outcomes: readonly Outcome[]): Promise<Recorded> => {
  if (outcomes.length === 0) return { reached: new Map(), equal: new Set(), groupsDue: [] }
  const usual = outcomes.every(isPlain)
    ? await recordPlain({ db, ...book }, claim, outcomes)
    : claim.kind === 'user' && claim.nested === false && outcomes.every(isThere)
      ? await recordPlaced({ db, ...book }, claim, outcomes)
      : null
  return usual ?? withoutDeadlock(() => db.transaction((tx) => writeDown({ tx, ...book }, claim, outcomes)))
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
  return rows.length === outcomes.length ? recordedOf(rows, []) : null
}

/** Stores outcomes of entries that are equal to their records: all of them, or none if one has not this place in the ledger. */
const storingAll = (
  book: Pick<Book, 'directory' | 'hasReplica'>,
  claim: Claim,
  outcomes: readonly Outcome[],
  place: SQL,
): SQL => {
  const located = outcomes.map((one) => ({ ...one, carried: false }))
  const unmoved = sql`${isOf(sql`e`, claim.owner)} and ${place}`
  return sql`
    with outcomes as (${outcomeRows(located)}), held as materialized (
      select e.record_id from directory_entries e
      where ${isRowOf(book, claim.kind)} and e.record_id = ${anyOfIds(idsOf(outcomes))} order by e.record_id for update
    ), reached as (
      select o.*, false as uncertain, greatest(e.synced_version, o.version) as synced
      from outcomes o join directory_entries e on ${isRowOf(book, claim.kind)} and e.record_id = o.id
      where ${unmoved} and o.id = any (array(select record_id from held))
    )
    ${storing(book, claim.kind, sql`(select count(*) from reached) = ${outcomes.length} and ${unmoved}`)}`
}

const recordedOf = (rows: readonly StoredOutcome[], groupsDue: Recorded['groupsDue']): Recorded => {
  const stored = rows.map(fromStored)
  return {
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
        }),
    )
    return rows.length === outcomes.length ? recordedOf(rows, groupsDue) : null
  }
  return withoutDeadlock(() => db.transaction(store))
}

/** What the ledger holds after outcomes were stored. */
export interface Recorded {
  /** The versions that the entries of these records have; `Infinity`: the record was removed. */
  reached: ReadonlyMap<number, number>
  /** The records among them that have not changed since. */
  equal: ReadonlySet<number>
  /** The groups that became due because the DN of a member changed. */
  groupsDue: readonly GroupDue[]
}

const writeDown = async (page: Page, claim: Claim, outcomes: readonly Outcome[]): Promise<Recorded> => {
  if (claim.kind === 'group') await makeListedDue(page, outcomes)
  const waiting = outcomes.filter(({ result }) => result === 'waiting')
  await holdParents(page, idsOf(waiting))
  const { places, lost } = await lockRows(page, claim, outcomes)
  const located = outcomes.flatMap((one) => {
    const place = places.get(one.id)
    return place === undefined ? [] : [whereItIs(one, place)]
  })
  // Removals are decided before the outcomes of the groups above them are stored.
  const gone = await forgetRemoved(page, claim, located)
  const after = await update(page, claim, located)
  await makeDueAgain(page, claim.kind, lost)
  const moved = after.flatMap(({ id, dn: to }) => {
    const from = places.get(id)?.dn ?? null
    return from === to ? [] : [{ id, from, to }]
  })
  const reached = new Map(after.map(({ id, synced }) => [id, synced]))
  for (const id of gone) reached.set(id, Number.POSITIVE_INFINITY)
  const equal = new Set([...gone, ...after.flatMap(({ id, equal }) => (equal ? [id] : []))])
  if (claim.kind === 'user') return { reached, equal, groupsDue: await makeGroupsDue(page, idsOf(moved)) }
  await moveBelow(page, moved)
  return { reached, equal, groupsDue: [] }
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

/**
 * An outcome with the current DN of its entry in the ledger. `carried`: a group above it was moved since the work
 * began. Then the DN of the ledger is right, and what was found or not found at the old DN is checked again.
 */
type Located = Outcome & { carried: boolean }

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

// An attempt before its time, because a request waits for it, does not make the back-off longer.
const early = sql`e.next_at > now()`
const attempts = sql`case when ${early} then e.attempts else e.attempts + 1 end`
const nextTry = (seconds: SQL): SQL => sql`
  least(now() + make_interval(secs => ${seconds}), case when ${early} then e.next_at end)`

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

const parentArrived = sql`exists (
  select from groups g
  join directory_entries p on p.directory = e.directory and p.kind = 'group' and p.record_id = g.parent_id
  where g.id = e.record_id and p.dn is not null)`

/** The withdrawal may not be in the directory yet. */
const owesMore = sql`o.result <> 'in_sync' or o.carried or e.version > o.synced`

const nextAt = sql`case o.result
  when 'parked' then case when e.version = o.version and not o.carried then null else now() end
  when 'waiting' then case when e.version <> o.version or ${parentArrived} then now() end
  when 'retry' then ${nextTry(sql`o.delay / 1000.0`)}
  else now() end`

interface StoredOutcome extends Record<string, unknown> {
  id: string
  dn: string | null
  synced: string
  equal: boolean
}

const fromStored = ({ id, dn, synced, equal }: StoredOutcome) => ({ id: Number(id), dn, synced: Number(synced), equal })

/** Lists show outcomes: where a standby is read from, they have to be on the disk before they can be there. */
const ends = ({ hasReplica }: Pick<Book, 'hasReplica'>): SQL => (hasReplica ? sql`null` : withoutWaiting)

/** Outcomes, without those of removals, as rows. */
const outcomeRows = (located: readonly Located[]): SQL => {
  const rows = located.map((one) => {
    const { name, action, adopt, refusedByServer, repair, ...written } = one
    const settlesPassword = one.passwordDigest !== undefined
    return {
      ...written,
      error: one.error?.text ?? '',
      stated: one.error,
      settlesPassword,
      repairs: repair?.count ?? null,
      repairDigest: repair?.digest ?? null,
    }
  })
  return sql`select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as o(id bigint, version bigint, result text, "from" text,
    dn text, carried boolean, unseen boolean, "entryCsn" text, "entryUuid" text, "forgetKept" boolean, "passwordDigest" text,
    "settlesPassword" boolean, "foreignPassword" boolean, "repairDigest" text, repairs int, error text, stated jsonb,
    delay float8)`
}

/**
 * Stores the outcomes in `reached`, and releases the leases. If a crash loses them, the records are pending as they were
 * before, and their entries are compared once more.
 */
const storing = (book: Pick<Book, 'directory' | 'hasReplica'>, kind: RecordKind, condition: SQL): SQL => sql`
    update directory_entries e set
      synced_version = o.synced,
      version = case when e.version = o.synced and (o.carried or o.result <> 'in_sync') then e.version + 1 else e.version end,
      dn = case when o.uncertain then e.dn else o.dn end,
      target_dn = case when o.uncertain then e.target_dn end, entry_csn = o."entryCsn",
      add_digest = case when o.uncertain then e.add_digest end,
      entry_uuid = case when o.uncertain or o.carried and o."entryUuid" is not null then e.entry_uuid else o."entryUuid" end,
      kept = case when o."forgetKept" then null else e.kept end,
      password_digest = case when o."settlesPassword" then o."passwordDigest" else e.password_digest end,
      foreign_password_at = case when o."foreignPassword" is null then e.foreign_password_at
        when o."foreignPassword" then coalesce(e.foreign_password_at, now()) end,
      foreign_told_at = case when o."foreignPassword" is not false then e.foreign_told_at end,
      repair_digest = case when o.repairs is null then e.repair_digest else o."repairDigest" end,
      repairs = coalesce(o.repairs, e.repairs),
      joins = case when o.result = 'in_sync' then e.joins else '[]' end,
      error = o.error, stated = o.stated, ${assigned(released)},
      attempts = case o.result when 'retry' then ${attempts} when 'unsent' then e.attempts else 0 end,
      tried_at = case when o.result in ('unsent', 'waiting') then e.tried_at else now() end,
      withdraws_at = case when ${owesMore} then e.withdraws_at end,
      late_told_at = case when ${owesMore} then e.late_told_at end,
      next_at = ${nextAt}
    from reached o where ${isRowOf(book, kind)} and e.record_id = o.id and ${condition}
    returning e.record_id as id, e.dn, e.synced_version as synced, e.version = e.synced_version as equal,
      ${ends(book)} as ended`

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
