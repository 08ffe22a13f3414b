import { type Column, type SQL, sql } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import { directoryEntries } from '../db/schema.ts'
import type { RecordKind } from '../ldap/touch.ts'

/**
 * The database puts records into their final form, as JSON: a list is one value that is parsed once, whatever the
 * number of rows, and identifiers arrive as numbers.
 */
export const jsonObject = <T>(fields: Record<string, Column | SQL>): SQL<T> =>
  sql`json_build_object(${sql.join(
    Object.entries(fields).map(([name, value]) => sql`${sql.raw(`'${name}'`)}, ${value}`),
    sql`, `,
  )})`

const dialect = new PgDialect({ casing: 'snake_case' })

/** The same SQL as text, for what is the same in every query: putting it together takes longer than running it. */
export const written = <T>(fragment: SQL<T>): SQL<T> => {
  const { sql: text, params } = dialect.sqlToQuery(fragment)
  if (params.length > 0) throw new Error('SQL with parameters cannot be written once for all')
  return sql<T>`${sql.raw(text)}`
}

/** RFC 3339 in UTC, with milliseconds. */
export const instantText = (column: Column): SQL<string> =>
  sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

const entryOf = (kind: RecordKind, id: Column): SQL =>
  sql`${directoryEntries.kind} = ${sql.raw(`'${kind}'`)} and ${directoryEntries.recordId} = ${id}`

const settled = sql`${directoryEntries.version} = ${directoryEntries.syncedVersion} and not ${directoryEntries.deleted}`

/** Joins the row that tells what the directory holds of a record; `directoryFields` read it. */
export const joinDirectoryEntry = (kind: RecordKind, id: Column): SQL =>
  sql`left join ${directoryEntries} on ${entryOf(kind, id)}`

/** How the directory stands: where the entry is, whether it is exactly the record, and if not, why. */
export const directoryFields = {
  dn: sql`coalesce(${directoryEntries.dn}, '')`,
  syncState: sql`case when ${settled} then 1 else 2 end`,
  syncError: sql`coalesce(${directoryEntries.error}, '')`,
}

/** Whether the directory holds exactly this record. */
export const inSync = (kind: RecordKind, id: Column): SQL =>
  sql`exists (select from ${directoryEntries} where ${entryOf(kind, id)} and ${settled})`

/** Keeps the records whose `syncState` is the one given. */
export const hasSyncState = (kind: RecordKind, id: Column, syncState: number): SQL =>
  syncState === 1 ? inSync(kind, id) : sql`not ${inSync(kind, id)}`
