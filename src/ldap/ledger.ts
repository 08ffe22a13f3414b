import { type SQL, sql } from 'drizzle-orm'
import type { Db, Tx } from '../db/client.ts'
import { parentDn } from './dn.ts'
import type { GroupFacts, UserFacts } from './entry-shape.ts'
import { peopleDn } from './places.ts'
import { carriedAlong, type Move } from './subtree-moves.ts'
import { idList, type RecordKind, type Touched } from './touch.ts'

/**
 * The SQL half of the reconciler: who is due, what their entries should be, what was reached. Every statement takes
 * a batch. A batch is held under a lease; what is recorded after the lease was lost does not count.
 */

/** A batch whose holder has not renewed its lease for so many seconds may be taken over: the holder is gone. */
export const leaseSeconds = 15

export interface Claim {
  kind: RecordKind
  owner: string
  ids: number[]
}

/** What the ledger knows of one record's entry at the moment its row was read. */
export interface Row<Facts> {
  id: number
  version: number
  /** Whether the row changed since its entry was last made equal to it. */
  changed: boolean
  deleted: boolean
  /** Where the entry is (null: never written), and where an interrupted write may have taken it. */
  dn: string | null
  targetDn: string | null
  attempts: number
  /** null: the record is gone (or on its way), the entry is to be removed. */
  facts: Facts | null
}

export type UserRow = Row<UserFacts>
/** `parentDn` is null while the parent group has no entry. */
export type GroupRow = Row<GroupFacts & { parentDn: string | null }>

/** What became of one record. */
export interface Reached {
  id: number
  version: number
  outcome: 'in_sync' | 'removed' | 'retry' | 'parked'
  /** Where its entry was known to be when the work began. */
  from: string | null
  /** Where it is now, as far as the directory showed it; null: nowhere. */
  dn: string | null
  /** The directory did not say where it is: what was known of its place stays. */
  unseen: boolean
  entryCsn: string | null
  error: string
  /** Milliseconds until the next try; only for `retry`. */
  delay: number
}

/** Which records a claim may take. */
export type Scope = 'due' | { ids: readonly number[]; onlyPending: boolean }

const pending = sql`e.version <> e.synced_version`
const free = sql`(e.lease_until is null or e.lease_until < now())`
// A group waits for its parent while that is on its way: its own place depends on it.
const parentSettled = sql`not exists (
  select from groups g join directory_entries p on p.kind = 'group' and p.record_id = g.parent_id
  where g.id = e.record_id and p.version <> p.synced_version and p.next_at is not null)`

// An entry that was looked for while one above it was being moved may only have been elsewhere.
const movingAbove = ({ owner }: Claim): SQL => sql`e.kind = 'group' and exists (
  select from directory_entries a
  where a.kind = 'group' and a.lease_until > now() and a.lease_owner <> ${owner}
    and right(e.dn, length(a.dn) + 1) = ',' || a.dn)`

// Rows are locked in id order wherever several are, here as in touch.ts: nobody can deadlock.
const held = ({ kind, owner }: Claim): SQL => sql`
  select record_id from directory_entries where kind = ${kind} and lease_owner = ${owner} order by record_id for update`

export const ledger = (db: Db, baseDn: string) => ({
  /** Takes up to `limit` records under a lease of `owner`. Removals come first: they make room for names taken anew. */
  async claim(kind: RecordKind, owner: string, scope: Scope, limit: number): Promise<Claim> {
    const condition: SQL =
      scope === 'due'
        ? sql`${pending} and e.next_at <= now()`
        : sql`e.record_id in (${idList(scope.ids)}) and (${!scope.onlyPending} or ${pending})`
    const ordered = kind === 'group' ? sql`and ${parentSettled}` : sql``
    const rows = await db.execute<{ id: string }>(sql`
      update directory_entries set lease_until = now() + make_interval(secs => ${leaseSeconds}), lease_owner = ${owner}
      where kind = ${kind} and record_id in (
        select e.record_id from directory_entries e
        where e.kind = ${kind} and ${free} and ${condition} ${ordered}
        order by e.deleted desc, e.next_at, e.record_id limit ${limit} for update skip locked)
      returning record_id as id`)
    return { kind, owner, ids: rows.map((row) => Number(row.id)).sort((a, b) => a - b) }
  },

  async renew(claim: Claim): Promise<void> {
    await db.execute(sql`
      update directory_entries e set lease_until = now() + make_interval(secs => ${leaseSeconds})
      where e.kind = ${claim.kind} and e.record_id in (${held(claim)})`)
  },

  async users(ids: readonly number[]): Promise<UserRow[]> {
    const rows = await db.execute<RawRow & { facts: UserFacts | null }>(sql`
      select ${ledgerColumns}, case when u.id is not null then jsonb_build_object(
        'username', u.username, 'nickname', u.nickname, 'givenName', u.given_name, 'mail', u.mail, 'mobile', u.mobile,
        'jobNumber', u.job_number, 'position', u.position, 'introduction', u.introduction,
        'postalAddress', u.postal_address, 'status', u.status,
        'password', coalesce(u.directory_password, '{ARGON2}' || u.password_hash),
        'departments', (select coalesce(jsonb_agg(g.group_name order by g.group_name, g.id), '[]')
          from group_members m join groups g on g.id = m.group_id where m.user_id = u.id)) end as facts
      from directory_entries e left join users u on u.id = e.record_id
      where e.kind = 'user' and e.record_id in (${idList(ids)})`)
    return rows.map((row) => toRow(row, row.facts))
  },

  async groups(ids: readonly number[]): Promise<GroupRow[]> {
    const people = `,${peopleDn(baseDn)}`
    const rows = await db.execute<RawRow & { facts: (GroupFacts & { parentDn: string | null }) | null }>(sql`
      select ${ledgerColumns}, case when g.id is not null then jsonb_build_object(
        'groupName', g.group_name, 'groupType', g.group_type, 'remark', g.remark,
        'parentDn', case when g.parent_id is null then ${baseDn}::text else p.dn end,
        'members', case when g.group_type = 'ou' then '[]' else (select coalesce(jsonb_agg(m.dn), '[]')
          from group_members gm
          join users u on u.id = gm.user_id and u.status = 1
          join directory_entries m on m.kind = 'user' and m.record_id = gm.user_id
          where gm.group_id = g.id and right(m.dn, length(${people}::text)) = ${people}) end) end as facts
      from directory_entries e
      left join groups g on g.id = e.record_id
      left join directory_entries p on p.kind = 'group' and p.record_id = g.parent_id
      where e.kind = 'group' and e.record_id in (${idList(ids)})`)
    return rows.map((row) => toRow(row, row.facts))
  },

  /** Notes where writes are about to take entries, so that a crash in between leaves nothing unaccounted for. */
  async intend(claim: Claim, targets: readonly { id: number; dn: string }[]): Promise<void> {
    if (targets.length === 0) return
    await db.execute(sql`
      update directory_entries e set target_dn = t.dn
      from jsonb_to_recordset(${JSON.stringify(targets)}::jsonb) as t(id bigint, dn text)
      where e.kind = ${claim.kind} and e.record_id = t.id and e.record_id in (${held(claim)})`)
  },

  /** Which of these records want a DN that another record's entry has, or may have while it is being written. */
  async ownedByOthers(kind: RecordKind, wanted: readonly { id: number; dn: string }[]): Promise<Set<number>> {
    const rows = await db.execute<{ id: string }>(sql`
      select distinct w.id from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) as w(id bigint, dn text)
      join directory_entries e on lower(e.dn) = lower(w.dn) or lower(e.target_dn) = lower(w.dn)
      where not (e.kind = ${kind} and e.record_id = w.id) and (lower(e.dn) = lower(w.dn) or ${pending})`)
    return new Set(rows.map((row) => Number(row.id)))
  },

  /**
   * Writes down what a batch reached and gives its leases back. A record that changed its place makes those due that
   * refer to it: the groups a user is in, the groups below a group. A record that was found in sync before and could
   * not be made so again is due from now on, and so is one whose lease was lost, because somebody may have written over
   * it.
   */
  async record(claim: Claim, reached: readonly Reached[]): Promise<void> {
    if (reached.length === 0) return
    await db.transaction(async (tx) => {
      const before = await tx.execute<{ id: string; dn: string | null; mine: boolean }>(sql`
        select e.record_id as id, e.dn, e.lease_owner is not distinct from ${claim.owner} as mine
        from directory_entries e
        where e.kind = ${claim.kind} and e.record_id in (${idList(reached.map((one) => one.id))})
        order by e.record_id for update`)
      const aboveMoving = movingAbove(claim)
      const oldDn = new Map(before.map((row) => [Number(row.id), row.dn]))
      const outcomes = JSON.stringify(reached.map((one) => whereItIs(one, oldDn.get(one.id) ?? null)))
      // An entry that went along with a group above it meanwhile is where the ledger says by now, or will say: whatever
      // was seen of it at its old place, or not seen there, is looked at again.
      const after = await tx.execute<{ id: string; dn: string | null }>(sql`
        with reached as (
          select o.*, o.unseen or o.dn is null and e.dn is not null and ${aboveMoving} as uncertain,
            case when o.outcome = 'in_sync' then greatest(e.synced_version, o.version) else e.synced_version end as synced
          from jsonb_to_recordset(${outcomes}::jsonb) as o(id bigint, version bigint, outcome text, dn text, carried boolean,
            unseen boolean, "entryCsn" text, error text, delay float8)
          join directory_entries e on e.kind = ${claim.kind} and e.record_id = o.id and e.lease_owner = ${claim.owner}
          where o.outcome <> 'removed'
        )
        update directory_entries e set
          synced_version = o.synced,
          version = case when e.version = o.synced and (o.carried or o.outcome <> 'in_sync') then e.version + 1 else e.version end,
          dn = case when o.uncertain then e.dn else o.dn end,
          target_dn = case when o.unseen then e.target_dn end, entry_csn = o."entryCsn", error = o.error, lease_until = null, lease_owner = null,
          attempts = case when o.outcome = 'retry' then e.attempts + 1 else 0 end,
          next_at = case o.outcome when 'parked' then case when e.version = o.version and not o.carried then null else now() end
                                   when 'retry' then now() + make_interval(secs => o.delay / 1000.0) else now() end
        from reached o where e.kind = ${claim.kind} and e.record_id = o.id
        returning e.record_id as id, e.dn`)
      await tx.execute(sql`
        with removed as (
          select e.record_id, e.deleted and not o.carried and not (${aboveMoving}) as certain
          from jsonb_to_recordset(${outcomes}::jsonb) as o(id bigint, outcome text, carried boolean)
          join directory_entries e on e.kind = ${claim.kind} and e.record_id = o.id and e.lease_owner = ${claim.owner}
          where o.outcome = 'removed'
        ), gone as (
          delete from directory_entries e using removed r
          where e.kind = ${claim.kind} and e.record_id = r.record_id and r.certain
        )
        update directory_entries e set lease_until = null, lease_owner = null, next_at = now() + interval '250 milliseconds'
        from removed r where e.kind = ${claim.kind} and e.record_id = r.record_id and not r.certain`)
      const lost = before.filter((row) => !row.mine).map((row) => Number(row.id))
      if (lost.length > 0) await makeDue(tx, claim.kind, idList(lost))
      const moved = after
        .map(({ id, dn: to }) => ({ id: Number(id), from: oldDn.get(Number(id)) ?? null, to }))
        .filter(({ from, to }) => from !== to)
      if (moved.length === 0) return
      if (claim.kind === 'user') {
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
    })
  },

  /** Gives a batch back when the directory could not be reached: nothing is known, so nothing but the reason changes. */
  async release(claim: Claim, error: string): Promise<void> {
    await db.execute(sql`
      update directory_entries e set lease_until = null, lease_owner = null,
        error = case when ${pending} then ${error} else e.error end
      where e.kind = ${claim.kind} and e.record_id in (${held(claim)})`)
  },

  /** Notes on everything that is on its way why it does not arrive. */
  async explain(reason: string): Promise<void> {
    await db.execute(sql`
      update directory_entries e set error = ${reason}
      where ${pending} and e.next_at is not null and e.error <> ${reason}`)
  },

  /** Makes all that wait for a new try due at once, parked records too: what stood in their way may be gone. */
  async hurry(): Promise<void> {
    await db.execute(sql`
      update directory_entries e set next_at = now(), attempts = 0
      where ${pending} and (e.next_at is null or e.next_at > now())`)
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

/** Like touching them, but for records that may be deleted by now, and stay so. */
const makeDue = async (tx: Tx, kind: RecordKind, selection: SQL): Promise<void> => {
  await tx.execute(sql`
    with due as (
      select e.record_id from directory_entries e
      where e.kind = ${kind} and e.record_id in (${selection}) order by e.record_id for update)
    update directory_entries e set version = e.version + 1, attempts = 0, next_at = now()
    from due where e.kind = ${kind} and e.record_id = due.record_id`)
}

/** With its place as the ledger has it by now: `carried`, when a group above it was moved since the work began. */
const whereItIs = (one: Reached, ledgerDn: string | null): Reached & { carried: boolean } => {
  if (ledgerDn === one.from || ledgerDn === null || one.from === null) return { ...one, carried: false }
  if (one.dn === null || one.dn === one.from) return { ...one, dn: ledgerDn, carried: true }
  const above = { from: parentDn(one.from), to: parentDn(ledgerDn) }
  return { ...one, dn: carriedAlong(one.dn, [above]), carried: true }
}

/** A group takes its subtree along when it moves: what lies below it is elsewhere now, too. */
const carryAlong = async (tx: Tx, moves: readonly Move[]): Promise<void> => {
  if (moves.length === 0) return
  const below = await tx.execute<{ id: string; dn: string }>(sql`
    select e.record_id as id, e.dn from directory_entries e
    where e.kind = 'group' and exists (
      select from jsonb_to_recordset(${JSON.stringify(moves)}::jsonb) as m("from" text)
      where right(e.dn, length(m."from") + 1) = ',' || m."from")
    order by e.record_id for update`)
  const places = below.map(({ id, dn }) => ({ id: Number(id), dn: carriedAlong(dn, moves) }))
  await tx.execute(sql`
    update directory_entries e set dn = p.dn
    from jsonb_to_recordset(${JSON.stringify(places)}::jsonb) as p(id bigint, dn text)
    where e.kind = 'group' and e.record_id = p.id`)
}

const groupsNaming = (userIds: SQL): SQL => sql`
  from (${userIds}) u join group_members m on m.user_id = u.id
  join groups g on g.id = m.group_id and g.group_type = 'cn'
  join directory_entries e on e.kind = 'group' and e.record_id = g.id and ${pending}`

export type Ledger = ReturnType<typeof ledger>

interface RawRow extends Record<string, unknown> {
  id: string
  version: string
  changed: boolean
  deleted: boolean
  dn: string | null
  targetDn: string | null
  attempts: number
}

const ledgerColumns = sql`e.record_id as id, e.version, ${pending} as changed, e.deleted, e.dn, e.target_dn as "targetDn", e.attempts`

const toRow = <Facts>(row: RawRow, facts: Facts | null): Row<Facts> => ({
  id: Number(row.id),
  version: Number(row.version),
  changed: row.changed,
  deleted: row.deleted,
  dn: row.dn,
  targetDn: row.targetDn,
  attempts: row.attempts,
  facts: row.deleted ? null : facts,
})
