import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { withoutDeadlock } from '../db/deadlock.ts'
import { anyOfIds, idList } from '../db/id-list.ts'
import { assigned, isFree, isHeldByOther, isOf, type Renewal, released } from '../db/lease.ts'
import type { KeptAttributes } from '../db/schema.ts'
import { DirectoryError } from '../ldap/directory-error.ts'
import { type Claim, held, lease, pending } from './ledger-claim.ts'
import { heldElsewhere, type Intent, intend, knownElsewhere, type Place } from './ledger-places.ts'
import { record } from './ledger-record.ts'
import { readGroups, readUsers } from './ledger-rows.ts'
import type { Outcome } from './outcome.ts'
import { heldRepairs } from './repairs.ts'
import type { RecordKind, Touched } from './touch.ts'

/**
 * The SQL half of the reconciler: who is due, what their entries should be, what was reached. Every statement takes
 * a batch. A batch is held under a lease; what is recorded after the lease was lost does not count. One long function:
 * it is a list of statements that have nothing but the database in common.
 */

/**
 * Which records a claim may take. `waiting`: those that wait for their next try, whenever that is; the one first that
 * was not tried for longest.
 */
export type Scope = 'due' | 'waiting' | { ids: readonly number[]; onlyPending: boolean }

const schemeOfUser = sql`upper(substring(
  coalesce(u.directory_password, case when u.password_hash is not null then '{ARGON2}' end) from '^\\{([^{}]+)\\}'))`

// A group waits for its parent while that is on its way: its own place depends on it.
const parentSettled = sql`not exists (
  select from groups g join directory_entries p on p.kind = 'group' and p.record_id = g.parent_id
  where g.id = e.record_id and p.version <> p.synced_version and p.next_at is not null)`

/**
 * Whether a row is one of those that `locked` has: those are locked once, before. In a subquery they would be looked
 * for and locked anew for each row, where the server takes that for cheaper.
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
        : scope === 'waiting'
          ? sql`${pending} and e.next_at is not null`
          : sql`e.record_id = ${anyOfIds(scope.ids)} and (${!scope.onlyPending} or ${pending})`
    // A group that an interrupted write may have taken elsewhere does not wait: others wait to know where it is.
    const order =
      scope === 'waiting' ? sql`e.tried_at nulls first, e.record_id` : sql`e.deleted desc, e.next_at, e.record_id`
    const settled = kind === 'group' ? sql`and (e.target_dn is not null or ${parentSettled})` : sql``
    const rows = await db.execute<{ id: string }>(sql`
      with locked as (
        select e.record_id from directory_entries e
        where e.kind = ${kind} and ${isFree(sql`e`)} and ${condition} ${settled}
        order by ${order} limit ${limit} for update skip locked)
      update directory_entries set ${assigned(lease.taken(owner))}
      where kind = ${kind} and ${isLocked}
      returning record_id as id`)
    return { kind, owner, ids: rows.map((row) => Number(row.id)).sort((a, b) => a - b) }
  },

  /** Renews what is left of the batch. Rows that others have locked are passed over: `delayed`. */
  async renew(claim: Claim): Promise<Renewal> {
    const rows = await db.execute(sql`
      with locked as (${held(claim, sql`for update skip locked`)}), renewed as (
        update directory_entries set ${lease.renewed}
        where kind = ${claim.kind} and ${isLocked}
      )
      (${held(claim, sql``)}) except select record_id from locked`)
    return rows.length === 0 ? 'renewed' : 'delayed'
  },

  users: (ids: readonly number[]) => readUsers(db, ids),
  groups: (ids: readonly number[]) => readGroups(db, baseDn, ids),
  intend: (claim: Claim, intents: readonly Intent[]) => intend(db, claim, intents),
  heldElsewhere: (kind: RecordKind, places: readonly Place[]) => heldElsewhere(db, kind, places),
  knownElsewhere: (kind: RecordKind, entries: readonly { id: number; uuid: string }[]) =>
    knownElsewhere(db, kind, entries),
  record: (claim: Claim, outcomes: readonly Outcome[]) => record(db, claim, outcomes),

  /** Where the groups below this one are. */
  async groupsBelow(dn: string): Promise<string[]> {
    const rows = await db.execute<{ dn: string }>(sql`
      select e.dn from directory_entries e where e.kind = 'group' and ${isBelowDn(dn)} order by e.record_id`)
    return rows.map((row) => row.dn)
  },

  /**
   * Makes all groups below this one due: they wait for it, as long as it is on its way itself.
   * @returns false: nothing was done, for another instance is writing one of them
   */
  async makeDueBelow({ owner }: Claim, dn: string): Promise<boolean> {
    const [row] = await withoutDeadlock(() =>
      db.execute<{ busy: boolean }>(sql`
        with below as materialized (
          select e.record_id, ${isHeldByOther(sql`e`, owner)} as busy from directory_entries e
          where e.kind = 'group' and ${isBelowDn(dn)} order by e.record_id for update
        ), due as (
          update directory_entries e set version = e.version + 1, attempts = 0, next_at = now() from below b
          where e.kind = 'group' and e.record_id = b.record_id and not exists (select from below where busy)
        )
        select coalesce(bool_or(busy), false) as busy from below`),
    )
    return row?.busy === false
  },

  /** What is kept of other tools for the entry of a user; null: nothing. */
  async kept(id: number): Promise<KeptAttributes | null> {
    const [row] = await db.execute<{ kept: KeptAttributes | null }>(sql`
      select e.kept from directory_entries e where e.kind = 'user' and e.record_id = ${id}`)
    return row?.kept ?? null
  },

  /**
   * @throws DirectoryError `unavailable` when another instance has taken the record over: nothing may be removed then
   */
  async keep({ owner }: Claim, id: number, kept: KeptAttributes): Promise<void> {
    const rows = await db.execute(sql`
      update directory_entries e set kept = ${JSON.stringify(kept)}::jsonb
      where e.kind = 'user' and e.record_id = ${id} and ${isOf(sql`e`, owner)} returning e.record_id`)
    if (rows.length === 0) throw new DirectoryError('unavailable', 'another instance is writing it', { answered: true })
  },

  /**
   * Gives a batch back when the directory could not be reached: nothing is known, so nothing but the reason changes.
   */
  async release(claim: Claim, error: string): Promise<void> {
    await db.execute(sql`
      with locked as (${held(claim)})
      update directory_entries e set ${assigned(released)},
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

  /** Notes on everything that is on its way and has no reason yet. */
  async explainSilence(reason: string): Promise<void> {
    await withoutDeadlock(() =>
      db.execute(sql`
        with late as (${lockedWhere(sql`${pending} and e.next_at is not null and e.error = ''`)})
        update directory_entries e set error = ${reason}
        from late l where e.kind = l.kind and e.record_id = l.record_id`),
    )
  },

  /**
   * Makes those due that wait for their next try, and those parked for a day.
   * @param parked also those parked for less, but not those whose repair did not hold: something has changed
   */
  async reconsider(kind: RecordKind, { parked }: { parked: boolean }): Promise<void> {
    const again = sql`e.tried_at is null or e.tried_at < now() - interval '1 day' or (${parked} and e.repairs < ${heldRepairs})`
    await withoutDeadlock(() =>
      db.execute(sql`
        with late as (${lockedWhere(sql`e.kind = ${kind} and ${pending}
          and (e.next_at > now() or (e.next_at is null and (${again})))`)})
        update directory_entries e set next_at = now()
        from late l where e.kind = l.kind and e.record_id = l.record_id`),
    )
  },

  /** Makes those of these due that wait or are parked. */
  async dueNow(kind: RecordKind, ids: readonly number[]): Promise<void> {
    await withoutDeadlock(() =>
      db.execute(sql`
        with late as (${lockedWhere(sql`e.kind = ${kind} and e.record_id = ${anyOfIds(ids)} and ${pending}
          and (e.next_at is null or e.next_at > now())`)})
        update directory_entries e set next_at = now()
        from late l where e.kind = l.kind and e.record_id = l.record_id`),
    )
  },

  /** The schemes of the passwords that records hold. */
  async passwordSchemes(): Promise<string[]> {
    const rows = await db.execute<{ scheme: string }>(sql`
      select distinct ${schemeOfUser} as scheme from users u where ${schemeOfUser} is not null`)
    return rows.map(({ scheme }) => scheme)
  },

  /**
   * Makes those due whose password was withheld from the directory and need not be any more, and those it holds and
   * cannot verify.
   */
  async reconsiderPasswords(proved: readonly string[], disproved: readonly string[]): Promise<void> {
    const one = (schemes: readonly string[]): SQL =>
      sql`${schemeOfUser} in (select jsonb_array_elements_text(${JSON.stringify(schemes)}::jsonb))`
    await withoutDeadlock(() =>
      db.execute(sql`
        with other as (
          select e.kind, e.record_id from directory_entries e join users u on u.id = e.record_id
          where e.kind = 'user' and u.status = 1 and not (${pending})
            and (e.password_digest like 'withheld %' and ${one(proved)}
              or e.password_digest like 'held %' and ${one(disproved)})
          order by e.record_id for update of e)
        update directory_entries e set version = e.version + 1, attempts = 0, next_at = now()
        from other o where e.kind = o.kind and e.record_id = o.record_id`),
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

const isBelowDn = (dn: string): SQL => sql`right(e.dn, length(${dn}::text) + 1) = ',' || ${dn}::text`

const groupsNaming = (userIds: SQL): SQL => sql`
  from (${userIds}) u join group_members m on m.user_id = u.id
  join groups g on g.id = m.group_id and g.group_type = 'cn'
  join directory_entries e on e.kind = 'group' and e.record_id = g.id and ${pending}`

export type Ledger = ReturnType<typeof ledger>
