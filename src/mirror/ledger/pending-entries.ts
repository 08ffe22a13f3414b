import { type SQL, sql } from 'drizzle-orm'
import type { Queryable } from '../../db/client.ts'
import type { Page } from '../../db/paging.ts'
import type { components } from '../../generated/operations.types.ts'
import { waitsSince } from '../record-sql.ts'
import { isWithin } from '../scope.ts'
import { asJson, statements } from '../statements.ts'

type Schemas = components['schemas']

const instant = (value: SQL): SQL => sql`to_char(${value} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** Up to date, and without something: `error` says what. */
const isIncomplete = sql`(e.version = e.synced_version and e.error <> '')`

/** By state; undefined: what is not up to date. */
const isOf = (state: Schemas['PendingState'] | undefined): SQL => {
  if (state === 'incomplete') return isIncomplete
  const waits = state === 'refused' ? sql`and e.next_at is null` : sql`and e.next_at is not null`
  return sql`e.version <> e.synced_version ${state === undefined ? sql`` : waits}`
}

const entry = (directory: number): SQL<Schemas['PendingEntry']> => sql`json_build_object(
  'kind', e.kind, 'recordId', e.record_id, 'name', coalesce(u.username, g.group_name), 'dn', coalesce(e.dn, ''),
  'removal', e.deleted or not case e.kind when 'user' then u.id is not null and ${isWithin(directory, 'user', sql`e.record_id`)}
    else g.id is not null and ${isWithin(directory, 'group', sql`e.record_id`)} end,
  'state', case when ${isIncomplete} then 'incomplete' when e.next_at is null then 'refused' else 'waiting' end,
  'waitingSince', case when not ${isIncomplete} then ${instant(waitsSince)} end, 'triedAt', ${instant(sql`e.tried_at`)}, 'nextTryAt', case when not ${isIncomplete} then ${instant(sql`e.next_at`)} end,
  'reason', coalesce(nullif(e.error, ''), ${statements.on_its_way().text}),
  'stated', case when e.error <> '' then e.stated else ${asJson(statements.on_its_way())} end)`

const order = sql`e.next_at is null desc, e.kind, e.record_id`

/** A page of the records whose entry in a directory is not what it should be: the refused ones first; or of one state. */
export const pendingEntries = async (
  db: Queryable,
  directory: number,
  { limit, offset, state }: Page & { state?: Schemas['PendingState'] | undefined },
): Promise<Schemas['PendingEntryList']> => {
  const wanted = sql`e.directory = ${directory} and ${isOf(state)}`
  const [row] = await db.execute<{ total: number; entries: Schemas['PendingEntry'][] }>(sql`
    select (select count(*)::int from directory_entries e where ${wanted}) as total,
      (select coalesce(json_agg(${entry(directory)} order by ${order}), '[]')
        from (select * from directory_entries e where ${wanted} order by ${order} limit ${limit} offset ${offset}) e
        left join users u on e.kind = 'user' and u.id = e.record_id
        left join groups g on e.kind = 'group' and g.id = e.record_id) as entries`)
  return row ?? { total: 0, entries: [] }
}
