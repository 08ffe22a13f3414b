import { sql } from 'drizzle-orm'
import { bigint, boolean, check, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { instant, optional, ref } from './columns.ts'

/**
 * What the directory should hold and what it is known to hold, a row per user and group. A record is in sync when
 * `syncedVersion` = `version`. The row outlives its record (`deleted`) until the directory entry is gone.
 */
export const directoryEntries = pgTable(
  'directory_entries',
  {
    kind: text().$type<'user' | 'group'>().notNull(),
    recordId: ref().notNull(),
    /** Raised by every change, in the change's transaction. */
    version: bigint({ mode: 'number' }).notNull().default(1),
    /** The version the directory entry was last made equal to. */
    syncedVersion: bigint({ mode: 'number' }).notNull().default(0),
    /** The record is gone from SQL; the entry is still to be removed. */
    deleted: boolean().notNull().default(false),
    /** Where the entry is, as last written; null: never written. */
    dn: text(),
    /** Where a write under way is taking it: after a crash the entry is at `dn` or here. */
    targetDn: text(),
    /** The server's change number of the entry when it was last seen equal; null: not seen since it was written. */
    entryCsn: text(),
    attempts: integer().notNull().default(0),
    /** Due from then on; null: parked, the directory refused it and only a change or a sync tries again. */
    nextAt: instant().defaultNow(),
    leaseUntil: instant(),
    leaseOwner: text(),
    error: optional(),
  },
  (t) => [
    primaryKey({ columns: [t.kind, t.recordId] }),
    index('directory_entries_due_index').on(t.nextAt).where(sql`${t.version} <> ${t.syncedVersion}`),
    index('directory_entries_pending_index').on(t.kind, t.recordId).where(sql`${t.version} <> ${t.syncedVersion}`),
    // Hash indexes: a DN may be longer than a B-tree takes.
    index('directory_entries_dn_index').using('hash', sql`lower(${t.dn})`),
    index('directory_entries_target_dn_index')
      .using('hash', sql`lower(${t.targetDn})`)
      .where(sql`${t.targetDn} is not null`),
    check('directory_entries_kind_check', sql`${t.kind} in ('user', 'group')`),
  ],
)
