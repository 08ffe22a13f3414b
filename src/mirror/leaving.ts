import { type SQL, sql } from 'drizzle-orm'
import type { Queryable } from '../db/client.ts'
import { written } from '../db/json-record.ts'

// Records that a further directory does not get any more: see scope.ts. Here all directories are looked at, and in
// scope.ts one.

/** A part of `with recursive`: the groups of each directory that does not get all, with those below them. */
export const scopes: SQL = sql`scopes (directory, id) as (
  select d.number, g.id from directories d
  cross join lateral jsonb_array_elements_text(d.shape->'groups') s join groups g on g.id = s.value::bigint
  union
  select s.directory, c.id from scopes s join groups c on c.parent_id = s.id)`

/**
 * Whether `e`, a row of the ledger whose record exists, has an entry where the record is not meant to be any more. It
 * needs `scopes`.
 */
export const isOutside: SQL = written(sql`((e.dn is not null or e.target_dn is not null)
  and e.directory in (select d.number from directories d where d.shape->'groups' is not null)
  and not case e.kind
    when 'group' then (e.directory, e.record_id) in (select s.directory, s.id from scopes s)
    else exists (select from group_members m
      where m.user_id = e.record_id and (e.directory, m.group_id) in (select s.directory, s.id from scopes s)) end)`)

/** A record that leaves a directory. */
export interface Leaver {
  directory: number
  kind: 'user' | 'group'
  id: string
}

/**
 * Holds the removals of one change where they are more than the directory allows (LDAP_2_MAX_REMOVALS), in the
 * transaction of the change: the entries stay until an administrator has decided. See held-removals.ts.
 */
export const holdMany = async (tx: Queryable, leavers: readonly Leaver[]): Promise<void> => {
  if (leavers.length === 0) return
  await tx.execute(sql`
    with leavers as (
      select * from jsonb_to_recordset(${JSON.stringify(leavers)}::jsonb) as l(directory smallint, kind text, id bigint)
    ), many as (
      select l.directory, count(*) as count from leavers l join directories d on d.number = l.directory
      group by l.directory, d.max_removals having count(*) > d.max_removals
    )
    update directory_entries e set held_among = m.count, held_told_at = null
    from leavers l join many m on m.directory = l.directory
    where e.directory = l.directory and e.kind = l.kind and e.record_id = l.id`)
}
