import { type SQL, sql } from 'drizzle-orm'
import type { Db, Tx } from '../db/client.ts'
import { withoutDeadlock } from '../db/deadlock.ts'
import { anyOfIds, idList } from '../db/id-list.ts'
import { belowMoving, type Claim, moving, pending } from './ledger-claim.ts'
import type { Row } from './ledger-rows.ts'
import type { Repair } from './repairs.ts'
import { carriedAlong, type Move } from './subtree-moves.ts'
import type { RecordKind } from './touch.ts'

/** What became of one record. */
export interface Reached {
  id: number
  version: number
  /** `waiting`: for the group above it to arrive. `unsent`: it is still due, and was not tried. */
  outcome: 'in_sync' | 'removed' | 'retry' | 'unsent' | 'parked' | 'waiting'
  /** Where its entry was known to be when the work began, and where an interrupted write might have taken it. */
  from: string | null
  fromTarget: string | null
  /** Where it is now, as far as the directory showed it; null: nowhere. */
  dn: string | null
  /** The directory did not say where it is: what was known of its place stays. */
  unseen: boolean
  entryCsn: string | null
  /** The server's name for the entry; null: it was added and not looked at since. */
  entryUuid: string | null
  /** What was kept of other tools for it is on the entry again. */
  forgetKept: boolean
  /** What is settled of its password by now; see password-merge.ts. Absent: what was. */
  passwordDigest?: string | null
  /** Whether its entry holds a password that is not known here. Absent: what was. */
  foreignPassword?: boolean
  /** What is to be remembered of repairs. Absent: what was. */
  repair?: Repair
  error: string
  /** Milliseconds until the next try; only for `retry`. */
  delay: number
}

// A try that came before its time, because a request waits for it, is not one of those that make the pauses longer.
const early = sql`e.next_at > now()`
const attempts = sql`case when ${early} then e.attempts else e.attempts + 1 end`
const nextTry = (seconds: SQL): SQL => sql`
  least(now() + make_interval(secs => ${seconds}), case when ${early} then e.next_at end)`

const parentArrived = sql`exists (
  select from groups g join directory_entries p on p.kind = 'group' and p.record_id = g.parent_id
  where g.id = e.record_id and p.dn is not null)`
/** Its record is gone, though nobody said so here. */
const orphaned = sql`case e.kind when 'user' then not exists (select from users u where u.id = e.record_id)
  else not exists (select from groups g where g.id = e.record_id) end`

/**
 * Writes down what a batch reached and gives its leases back. A record that changed its place makes those due that
 * refer to it: the groups a user is in, the groups below a group. A record that was found in sync before and could
 * not be made so again is due from now on, and so is one whose lease was lost, because somebody may have written over
 * it.
 */
export const record = async (db: Db, claim: Claim, reached: readonly Reached[]): Promise<void> => {
  if (reached.length === 0) return
  await withoutDeadlock(() => db.transaction((tx) => writeDown(tx, claim, reached)))
}

/**
 * Nobody writes down that the groups above these have arrived, until these are written down. It comes before the rows
 * themselves are locked: whoever writes a group down comes to those below it last.
 */
const holdParents = async (tx: Tx, ids: readonly number[]): Promise<void> => {
  if (ids.length === 0) return
  await tx.execute(sql`
    select from directory_entries e where e.kind = 'group'
      and e.record_id in (select g.parent_id from groups g where g.id in (${idList(ids)}))
    order by e.record_id for share`)
}

const writeDown = async (tx: Tx, claim: Claim, reached: readonly Reached[]): Promise<void> => {
  const { kind, owner } = claim
  await holdParents(
    tx,
    reached.filter((one) => one.outcome === 'waiting').map((one) => one.id),
  )
  const before = await tx.execute<Place & { id: string; mine: boolean }>(sql`
    select e.record_id as id, e.dn, e.target_dn as "targetDn", e.lease_owner is not distinct from ${owner} as mine
    from directory_entries e
    where e.kind = ${kind} and e.record_id = ${anyOfIds(reached.map((one) => one.id))}
    order by e.record_id for update`)
  // From here on nobody else can change which are ours.
  const places = new Map(before.filter((row) => row.mine).map((row) => [Number(row.id), row]))
  const outcomes = JSON.stringify(
    reached.flatMap((one) => {
      const place = places.get(one.id)
      const settles = { settlesPassword: one.passwordDigest !== undefined, repairs: one.repair?.count ?? null }
      return place ? [{ ...whereItIs(one, place), ...settles, repairDigest: one.repair?.digest ?? null }] : []
    }),
  )
  // An entry that went along with a group above it meanwhile is where the ledger says by now, or will say: whatever
  // was seen of it at its old place, or not seen there, is looked at again. Removals are judged before the groups they
  // lie in are written down.
  await tx.execute(sql`
    with ${moving(claim)}, removed as (
      select e.record_id, (e.deleted or ${orphaned}) and not o.carried and not (${belowMoving}) as certain
      from jsonb_to_recordset(${outcomes}::jsonb) as o(id bigint, outcome text, carried boolean)
      join directory_entries e on e.kind = ${kind} and e.record_id = o.id
      where o.outcome = 'removed'
    ), gone as (
      delete from directory_entries e using removed r
      where e.kind = ${kind} and e.record_id = r.record_id and r.certain
    )
    update directory_entries e set lease_until = null, lease_owner = null, attempts = ${attempts},
      next_at = ${nextTry(sql`least(300, 0.25 * 2 ^ least(e.attempts, 20))`)}
    from removed r where e.kind = ${kind} and e.record_id = r.record_id and not r.certain`)
  const after = await tx.execute<{ id: string; dn: string | null }>(sql`
    with ${moving(claim)}, reached as (
      select o.*, o.unseen or o.dn is null and ${belowMoving} as uncertain,
        case when o.outcome = 'in_sync' then greatest(e.synced_version, o.version) else e.synced_version end as synced
      from jsonb_to_recordset(${outcomes}::jsonb) as o(id bigint, version bigint, outcome text, dn text,
        carried boolean, unseen boolean, "entryCsn" text, "entryUuid" text, "forgetKept" boolean, "passwordDigest" text,
        "settlesPassword" boolean, "foreignPassword" boolean, "repairDigest" text, repairs int, error text, delay float8)
      join directory_entries e on e.kind = ${kind} and e.record_id = o.id
      where o.outcome <> 'removed'
    )
    update directory_entries e set
      synced_version = o.synced,
      version = case when e.version = o.synced and (o.carried or o.outcome <> 'in_sync') then e.version + 1 else e.version end,
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
      error = o.error, lease_until = null, lease_owner = null,
      attempts = case o.outcome when 'retry' then ${attempts} when 'unsent' then e.attempts else 0 end,
      tried_at = case when o.outcome in ('unsent', 'waiting') then e.tried_at else now() end,
      withdraws_at = case when o.outcome <> 'in_sync' or o.carried or e.version > o.synced then e.withdraws_at end,
      late_told_at = case when o.outcome <> 'in_sync' or o.carried or e.version > o.synced then e.late_told_at end,
      next_at = case o.outcome when 'parked' then case when e.version = o.version and not o.carried then null else now() end
                               when 'waiting' then case when e.version <> o.version or ${parentArrived} then now() end
                               when 'retry' then ${nextTry(sql`o.delay / 1000.0`)} else now() end
    from reached o where e.kind = ${kind} and e.record_id = o.id
    returning e.record_id as id, e.dn`)
  const lost = before.filter((row) => !row.mine).map((row) => Number(row.id))
  if (lost.length > 0) await makeDue(tx, kind, idList(lost))
  const moved = after
    .map(({ id, dn: to }) => ({ id: Number(id), from: places.get(Number(id))?.dn ?? null, to }))
    .filter(({ from, to }) => from !== to)
  if (moved.length === 0) return
  if (kind === 'user') {
    await makeDue(
      tx,
      'group',
      sql`select m.group_id as id from group_members m join groups g on g.id = m.group_id
        where g.group_type = 'cn' and m.user_id in (${idList(moved.map((one) => one.id))})`,
    )
    return
  }
  await carryAlong(
    tx,
    moved.flatMap(({ from, to }) => (from && to ? [{ from, to }] : [])),
  )
  await tx.execute(sql`
    with waiting as (
      select e.record_id from directory_entries e join groups g on g.id = e.record_id
      where e.kind = 'group' and ${pending} and e.next_at is null
        and g.parent_id in (${idList(moved.map((one) => one.id))})
      order by e.record_id for update of e)
    update directory_entries e set next_at = now()
    from waiting where e.kind = 'group' and e.record_id = waiting.record_id`)
}

/** Like touching them, but for records that may be deleted by now, and stay so. */
const makeDue = async (tx: Tx, kind: RecordKind, selection: SQL): Promise<void> => {
  await tx.execute(sql`
    with due as (
      select e.record_id from directory_entries e
      where e.kind = ${kind} and e.record_id in (${selection}) order by e.record_id for update)
    update directory_entries e set version = e.version + 1, attempts = 0, next_at = now()
    from due where e.kind = ${kind} and e.record_id = due.record_id`)
}

type Place = Pick<Row<unknown>, 'dn' | 'targetDn'>

/**
 * With its place as the ledger has it by now: `carried`, when a group above it was moved since the work began. What was
 * itself taken elsewhere went along with the place that was noted for it.
 */
const whereItIs = (one: Reached, { dn, targetDn }: Place): Reached & { carried: boolean } => {
  if (one.outcome === 'removed') return { ...one, carried: dn !== one.from || targetDn !== one.fromTarget }
  if (one.dn !== null && one.dn !== one.from) {
    return { ...one, dn: targetDn ?? one.dn, carried: targetDn !== null && targetDn !== one.dn }
  }
  return dn === one.from
    ? { ...one, carried: false }
    : { ...one, dn, unseen: one.unseen || one.dn === null, carried: true }
}

/** A group takes its subtree along when it moves: what lies below it, or was about to, is elsewhere now, too. */
const carryAlong = async (tx: Tx, moves: readonly Move[]): Promise<void> => {
  if (moves.length === 0) return
  const below = (column: SQL): SQL => sql`right(${column}, length(m."from") + 1) = ',' || m."from"`
  const rows = await tx.execute<{ id: string; dn: string | null; targetDn: string | null }>(sql`
    select e.record_id as id, e.dn, e.target_dn as "targetDn" from directory_entries e
    where e.kind = 'group' and exists (
      select from jsonb_to_recordset(${JSON.stringify(moves)}::jsonb) as m("from" text)
      where ${below(sql`e.dn`)} or ${below(sql`e.target_dn`)})
    order by e.record_id for update`)
  const moved = (dn: string | null): string | null => dn && carriedAlong(dn, moves)
  const places = rows.map(({ id, dn, targetDn }) => ({ id: Number(id), dn: moved(dn), targetDn: moved(targetDn) }))
  await tx.execute(sql`
    update directory_entries e set dn = p.dn, target_dn = p."targetDn"
    from jsonb_to_recordset(${JSON.stringify(places)}::jsonb) as p(id bigint, dn text, "targetDn" text)
    where e.kind = 'group' and e.record_id = p.id`)
}
