import { type SQL, sql } from 'drizzle-orm'
import { idList } from '../../db/id-list.ts'
import type { KeptAttributes } from '../../db/schema.ts'
import { listsOf } from '../entry/member-lists.ts'
import { statements } from '../statements.ts'
import type { RecordKind, Touched } from '../touch.ts'
import { type Book, isBelowDn, isRowOf, pending } from './claim.ts'
import { isForOthers } from './list-notes.ts'

/** Groups whose entries do not show yet what they are to show of these users. */
const groupsNaming = (book: Pick<Book, 'directory'>, userIds: SQL): SQL => sql`
  from (${listsOf(sql`select m.group_id from (${userIds}) u join group_members m on m.user_id = u.id`)}) l
  join directory_entries e on ${isRowOf(book, 'group')} and e.record_id = l.id and ${pending}
    and not ${isForOthers(userIds)}`

/** Whether `e` waits for an administrator: it is parked, or has others below it, none of which is that of a group here. */
const isStuck = sql`(e.next_at is null or e.stated->>'code' = ${statements.entries_below.code} and not exists (
  select from directory_entries b
  where b.directory = e.directory and b.kind = 'group' and right(b.dn, length(e.dn) + 1) = ',' || e.dn))`

/** What is read without a claim. */
export const ledgerReading = ({ db, ...book }: Book) => ({
  /** The DNs of the groups below this one. */
  async groupsBelow(dn: string): Promise<string[]> {
    const rows = await db.execute<{ dn: string }>(sql`
      select e.dn from directory_entries e where ${isRowOf(book, 'group')} and ${isBelowDn(dn)} order by e.record_id`)
    return rows.map((row) => row.dn)
  },

  /** The stored foreign attributes of a user's entry; null: none are stored. */
  async kept(id: number): Promise<KeptAttributes | null> {
    const [row] = await db.execute<{ kept: KeptAttributes | null }>(sql`
      select e.kept from directory_entries e where ${isRowOf(book, 'user')} and e.record_id = ${id}`)
    return row?.kept ?? null
  },

  /** Whether another record waits for the account of this name; see account-names.ts. */
  async accountNameWanted(kind: RecordKind, id: number, name: string): Promise<boolean> {
    const [row] = await db.execute(sql`
      select from directory_entries e
      where e.directory = ${book.directory} and not (e.kind = ${kind} and e.record_id = ${id}) and ${pending}
        and e.next_at is not null and e.stated->>'code' = ${statements.account_name_held.code}
        and lower(e.stated->'params'->>'name') = lower(${name}) limit 1`)
    return row !== undefined
  },

  /** The deleted records whose entry is deleted too. */
  async gone(kind: RecordKind, ids: readonly number[]): Promise<number[]> {
    const rows = await db.execute<{ id: string }>(sql`
      select s.id from (${idList(ids)}) s
      where not exists (select from directory_entries e where ${isRowOf(book, kind)} and e.record_id = s.id)`)
    return rows.map((row) => Number(row.id))
  },

  /** The records whose entries are not known to be equal to them, by their ids. */
  async pendingIds(kind: RecordKind): Promise<number[]> {
    const [row] = await db.execute<{ ids: number[] | null }>(sql`
      select json_agg(e.record_id order by e.record_id) as ids from directory_entries e
      where ${isRowOf(book, kind)} and ${pending}`)
    return row?.ids ?? []
  },

  /** Groups by their depth below the base, the highest first. */
  async levels(ids: readonly number[]): Promise<number[][]> {
    const rows = await db.execute<{ ids: number[] }>(sql`
      with recursive depth as (
        select id, 0 as level from groups where parent_id is null
        union all select g.id, d.level + 1 from groups g join depth d on g.parent_id = d.id)
      select jsonb_agg(s.id order by s.id) as ids from (${idList(ids)}) s left join depth d on d.id = s.id
      group by coalesce(d.level, 0) order by coalesce(d.level, 0)`)
    return rows.map((row) => row.ids)
  },

  /** Groups of these users that are not in the directory yet: the DNs of their members may just have changed. */
  async groupsOnTheirWay(userIds: readonly number[]): Promise<number[]> {
    if (userIds.length === 0) return []
    const rows = await db.execute<{ id: string }>(sql`
      select distinct e.record_id as id ${groupsNaming(book, idList(userIds))}`)
    return rows.map((row) => Number(row.id))
  },

  /** How many of these records and of the groups of these users are not in sync, and how many of those an administrator has to see to. */
  async behind(touched: readonly Touched[]): Promise<{ behind: number; stuck: number }> {
    const users = touched.filter((one) => one.kind === 'user').map((one) => one.id)
    const [row] = await db.execute<{ behind: string; stuck: string }>(sql`
      select count(*) as behind, count(*) filter (where stuck) as stuck from (
        select e.kind, e.record_id, ${isStuck} as stuck
        from jsonb_to_recordset(${JSON.stringify(touched)}::jsonb) as t(kind text, id bigint, version bigint)
        join directory_entries e on e.directory = ${book.directory} and e.kind = t.kind and e.record_id = t.id and e.synced_version < t.version
        union select e.kind, e.record_id, ${isStuck} ${groupsNaming(book, idList(users))}) late`)
    return { behind: Number(row?.behind ?? 0), stuck: Number(row?.stuck ?? 0) }
  },
})
