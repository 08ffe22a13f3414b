import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { withoutDeadlock } from '../db/deadlock.ts'
import { type Claim, held, pending } from './ledger-claim.ts'
import { type Intent, intend, isHeld } from './ledger-places.ts'
import { type Reached, record } from './ledger-record.ts'
import { readGroups, readUsers } from './ledger-rows.ts'
import { anyOfIds, idList, type RecordKind, type Touched } from './touch.ts'

/**
 * The SQL half of the reconciler: who is due, what their entries should be, what was reached. Every statement takes
 * a batch. A batch is held under a lease; what is recorded after the lease was lost does not count.
 */

/** A batch whose holder has not renewed its lease for so many seconds may be taken over: the holder is gone. */
export const leaseSeconds = 15

/** Which records a claim may take. */
export type Scope = 'due' | { ids: readonly number[]; onlyPending: boolean }

const free = sql`(e.lease_until is null or e.lease_until < now())`
// A group waits for its parent while that is on its way: its own place depends on it.
const parentSettled = sql`not exists (
  select from groups g join directory_entries p on p.kind = 'group' and p.record_id = g.parent_id
  where g.id = e.record_id and p.version <> p.synced_version and p.next_at is not null)`

/**
 * Whether a row is one of those that `locked` has: those are locked once, before. In a subquery they would be looked for
 * and locked anew for each row, where the server takes that for cheaper.
 */
const isLocked = sql`record_id = any (array(select record_id from locked))`

/** Users before groups, as wherever both are. */
const lockedWhere = (condition: SQL): SQL => sql`
  select e.kind, e.record_id from directory_entries e where ${condition} order by e.kind desc, e.record_id for update`

export const ledger = (db: Db, baseDn: string) => ({
  /** Takes up to `limit` records under a lease of `owner`. Removals come first: they make room for names taken anew. */
  async claim(kind: RecordKind, owner: string, scope: Scope, limit: number): Promise<Claim> {
    const condition: SQL =
      scope === 'due'
        ? sql`${pending} and e.next_at <= now()`
        : sql`e.record_id = ${anyOfIds(scope.ids)} and (${!scope.onlyPending} or ${pending})`
    // A group that an interrupted write may have taken elsewhere does not wait: others wait to know where it is.
    const ordered = kind === 'group' ? sql`and (e.target_dn is not null or ${parentSettled})` : sql``
    const rows = await db.execute<{ id: string }>(sql`
      with locked as (
        select e.record_id from directory_entries e
        where e.kind = ${kind} and ${free} and ${condition} ${ordered}
        order by e.deleted desc, e.next_at, e.record_id limit ${limit} for update skip locked)
      update directory_entries set lease_until = now() + make_interval(secs => ${leaseSeconds}), lease_owner = ${owner}
      where kind = ${kind} and ${isLocked}
      returning record_id as id`)
    return { kind, owner, ids: rows.map((row) => Number(row.id)).sort((a, b) => a - b) }
  },

  /** @returns whether all that is left of the batch was renewed: rows that others have locked are passed over */
  async renew(claim: Claim): Promise<boolean> {
    const rows = await db.execute(sql`
      with locked as (${held(claim, sql`for update skip locked`)}), renewed as (
        update directory_entries set lease_until = now() + make_interval(secs => ${leaseSeconds})
        where kind = ${claim.kind} and ${isLocked}
      )
      (${held(claim, sql``)}) except select record_id from locked`)
    return rows.length === 0
  },

  users: (ids: readonly number[]) => readUsers(db, ids),
  groups: (ids: readonly number[]) => readGroups(db, baseDn, ids),
  intend: (claim: Claim, intents: readonly Intent[]) => intend(db, claim, intents),
  isHeld: (kind: RecordKind, id: number, dn: string) => isHeld(db, kind, id, dn),
  record: (claim: Claim, reached: readonly Reached[]) => record(db, claim, reached),

  /** Gives a batch back when the directory could not be reached: nothing is known, so nothing but the reason changes. */
  async release(claim: Claim, error: string): Promise<void> {
    await db.execute(sql`
      with locked as (${held(claim)})
      update directory_entries e set lease_until = null, lease_owner = null,
        error = case when ${pending} then ${error} else e.error end
      where kind = ${claim.kind} and ${isLocked}`)
  },

  /** Those that are deleted, and whose entry is, too. */
  async gone(kind: RecordKind, ids: readonly number[]): Promise<number[]> {
    const rows = await db.execute<{ id: string }>(sql`
      select s.id from (${idList(ids)}) s
      where not exists (select from directory_entries e where e.kind = ${kind} and e.record_id = s.id)`)
    return rows.map((row) => Number(row.id))
  },

  /** Notes on everything that is on its way why it does not arrive. */
  async explain(reason: string): Promise<void> {
    await withoutDeadlock(() =>
      db.execute(sql`
        with late as (${lockedWhere(sql`${pending} and e.next_at is not null and e.error <> ${reason}`)})
        update directory_entries e set error = ${reason}
        from late l where e.kind = l.kind and e.record_id = l.record_id`),
    )
  },

  /** Makes all that wait for a new try due at once, parked records too: what stood in their way may be gone. */
  async hurry(): Promise<void> {
    await withoutDeadlock(() =>
      db.execute(sql`
        with late as (${lockedWhere(sql`${pending} and (e.next_at is null or e.next_at > now())`)})
        update directory_entries e set next_at = now(), attempts = 0
        from late l where e.kind = l.kind and e.record_id = l.record_id`),
    )
  },

  /** Groups by their distance from the base, the nearest first. */
  async levels(ids: readonly number[]): Promise<number[][]> {
    const rows = await db.execute<{ ids: number[] }>(sql`
      with recursive depth as (
        select id, 0 as level from groups where parent_id is null
        union all select g.id, d.level + 1 from groups g join depth d on g.parent_id = d.id)
      select jsonb_agg(s.id order by s.id) as ids from (${idList(ids)}) s left join depth d on d.id = s.id
      group by coalesce(d.level, 0) order by coalesce(d.level, 0)`)
    return rows.map((row) => row.ids)
  },

  /** Groups on their way that name these users, who may just have moved. */
  async groupsOnTheirWay(userIds: readonly number[]): Promise<number[]> {
    if (userIds.length === 0) return []
    const rows = await db.execute<{ id: string }>(sql`
      select distinct e.record_id as id ${groupsNaming(idList(userIds))}`)
    return rows.map((row) => Number(row.id))
  },

  /**
   * How many of these records, and of the groups that name these users, are not where they should be, and how many of
   * those are parked.
   */
  async behind(touched: readonly Touched[]): Promise<{ behind: number; parked: number }> {
    const users = touched.filter((one) => one.kind === 'user').map((one) => one.id)
    const [row] = await db.execute<{ behind: string; parked: string }>(sql`
      select count(*) as behind, count(*) filter (where next_at is null) as parked from (
        select e.kind, e.record_id, e.next_at
        from jsonb_to_recordset(${JSON.stringify(touched)}::jsonb) as t(kind text, id bigint, version bigint)
        join directory_entries e on e.kind = t.kind and e.record_id = t.id and e.synced_version < t.version
        union select e.kind, e.record_id, e.next_at ${groupsNaming(idList(users))}) late`)
    return { behind: Number(row?.behind ?? 0), parked: Number(row?.parked ?? 0) }
  },
})

const groupsNaming = (userIds: SQL): SQL => sql`
  from (${userIds}) u join group_members m on m.user_id = u.id
  join groups g on g.id = m.group_id and g.group_type = 'cn'
  join directory_entries e on e.kind = 'group' and e.record_id = g.id and ${pending}`

export type Ledger = ReturnType<typeof ledger>
