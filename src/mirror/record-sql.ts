import { type Column, type Placeholder, type SQL, sql } from 'drizzle-orm'
import { directoryEntries } from '../db/schema.ts'
import type { Statement } from '../failures/statement.ts'
import { statements } from './statements.ts'
import { mainDirectory, type RecordKind } from './touch.ts'

/** Whether a row is that of the main directory, whose state is shown as the state of the record. */
export const isMain = sql`${directoryEntries.directory} = ${sql.raw(String(mainDirectory))}`

const entryOf = (kind: RecordKind, id: Column): SQL =>
  sql`${isMain} and ${directoryEntries.kind} = ${sql.raw(`'${kind}'`)} and ${directoryEntries.recordId} = ${id}`

const settled = sql`${directoryEntries.version} = ${directoryEntries.syncedVersion} and not ${directoryEntries.deleted}`

/** Joins the row with the state of a record in the directory; `directoryFields` read it. */
export const joinDirectoryEntry = (kind: RecordKind, id: Column): SQL =>
  sql`left join ${directoryEntries} on ${entryOf(kind, id)}`

/** The state in the directory: the DN, whether the entry is in sync, and if not, why. */
export const directoryFields = {
  dn: sql`coalesce(${directoryEntries.dn}, '')`,
  syncState: sql`case when ${settled} then 1 else 2 end`,
  // A reason is shown from the beginning.
  syncError: sql`case when ${directoryEntries.version} is null then ''
    when ${settled} or ${directoryEntries.error} <> '' then ${directoryEntries.error}
    else ${sql.raw(`'${statements.on_its_way().text}'`)} end`,
}

/** `syncError` in a form that can be translated; null: it is empty, or was written by an earlier version. */
export const syncStated = sql<Statement | null>`case when ${directoryEntries.version} is null then null
    when ${settled} or ${directoryEntries.error} <> '' then ${directoryEntries.stated}
    else ${sql.raw(`'${JSON.stringify(statements.on_its_way())}'::jsonb`)} end`

/** The same for consoles: it distinguishes a refused record from a waiting one. */
export const entryState = sql<'synced' | 'waiting' | 'refused'>`case when ${settled} then 'synced'
  when ${directoryEntries.version} is not null and ${directoryEntries.nextAt} is null then 'refused' else 'waiting' end`

/** `{state, reason}`; the reason is null where the entry is equal to the record. */
export const entrySync = sql<{
  state: 'synced' | 'waiting' | 'refused'
  reason: string | null
  stated: Statement | null
}>`json_build_object(
  'state', ${entryState}, 'reason', nullif(${directoryFields.syncError}, ''), 'stated', ${syncStated})`

/** Whether a record has the given `syncState`: pending ones are few, and have an index. */
export const hasSyncState = (kind: RecordKind, id: Column, syncState: number | Placeholder): SQL =>
  sql`case when ${id} in (select ${directoryEntries.recordId} from ${directoryEntries}
    where ${isMain} and ${directoryEntries.kind} = ${kind} and ${directoryEntries.version} <> ${directoryEntries.syncedVersion})
    then 2 else 1 end = ${syncState}`

/** Since when the change of a row `e` waits, as far as the row knows: a failed attempt moves `next_at`. */
export const waitsSince = sql`case when e.attempts = 0 and e.next_at is not null then e.next_at else coalesce(e.withdraws_at,
  case e.kind when 'user' then (select updated_at from users where id = e.record_id)
    else (select updated_at from groups where id = e.record_id) end, e.tried_at) end`
