import { type SQL, sql } from 'drizzle-orm'
import type { Queryable } from '../db/client.ts'
import { constant } from '../db/constant.ts'
import { idList } from '../db/id-list.ts'
import { mainDirectory, type RecordKind } from './touch.ts'

// Which records a further directory gets: LDAP_2_GROUPS. It is read from the table `directories`, so that all instances
// do the same. The main directory gets all of them.

/** The groups that it gets, where it does not get all: those of the setting, and all below them. */
const groupsWithin = (directory: number): SQL => sql`
  with recursive within as (
    select g.id from groups g where g.id in (
      select value::bigint from directories d, jsonb_array_elements_text(d.shape->'groups')
      where d.number = ${constant(directory)})
    union
    select c.id from groups c join within w on c.parent_id = w.id
  )
  select id from within`

/**
 * Whether a directory gets a record: a group, or a person who is in one of its groups.
 * @param id of the record, as SQL
 */
export const isWithin = (directory: number, kind: RecordKind, id: SQL): SQL => {
  if (directory === mainDirectory) return sql`true`
  // Arrays, so that the groups are looked for once in a statement, and not for every record.
  const groups = sql`any (array(${groupsWithin(directory)}))`
  const within =
    kind === 'group'
      ? sql`${id} = ${groups}`
      : sql`exists (select from group_members m where m.user_id = ${id} and m.group_id = ${groups})`
  return sql`((select d.shape->'groups' is null from directories d where d.number = ${constant(directory)}) or ${within})`
}

/** What a directory gets, where it does not get all. */
export interface DirectoryPart {
  /** The groups of the setting; the name is null if no group has the id. */
  roots: { groupId: number; groupName: string | null }[]
  /** How many they are with all below them. */
  groups: number
  /** How many people are in one of these groups. */
  people: number
}

/** The part of the organisation that a directory gets; null: it gets all of it. */
export const partOf = async (db: Queryable, directory: number): Promise<DirectoryPart | null> => {
  const [row] = await db.execute<{ part: DirectoryPart }>(sql`
    select json_build_object(
      'roots', (
        select coalesce(json_agg(json_build_object('groupId', r.value::bigint, 'groupName', g.group_name) order by r.at), '[]')
        from jsonb_array_elements_text(d.shape->'groups') with ordinality as r (value, at)
        left join groups g on g.id = r.value::bigint),
      'groups', (select count(*) from (${groupsWithin(directory)}) w),
      'people', (select count(distinct m.user_id) from group_members m
        where m.group_id = any (array(${groupsWithin(directory)})))) as part
    from directories d where d.number = ${directory} and d.shape->'groups' is not null`)
  return row?.part ?? null
}

/** The records that are in SQL, whose entry this directory has and whom it does not get. */
export const entriesOutside = async (db: Queryable, directory: number): Promise<number> => {
  const [row] = await db.execute<{ count: string }>(sql`
    select count(*) from directory_entries e
    where e.directory = ${directory} and not e.deleted and (e.dn is not null or e.target_dn is not null)
      and not case e.kind when 'user' then ${isWithin(directory, 'user', sql`e.record_id`)}
        else ${isWithin(directory, 'group', sql`e.record_id`)} end`)
  return Number(row?.count)
}

/** Those of these groups that do not exist. */
export const missingGroups = async (db: Queryable, ids: readonly number[]): Promise<number[]> => {
  if (ids.length === 0) return []
  const rows = await db.execute<{ id: string }>(sql`
    select s.id from (${idList(ids)}) s where not exists (select from groups g where g.id = s.id)`)
  return rows.map(({ id }) => Number(id))
}
