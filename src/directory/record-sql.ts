import { type Column, type SQL, sql } from 'drizzle-orm'
import { directoryEntries } from '../db/schema.ts'
import type { RecordKind } from '../ldap/touch.ts'

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
