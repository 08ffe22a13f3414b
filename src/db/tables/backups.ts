import { sql } from 'drizzle-orm'
import { bigint, boolean, check, index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { id, instant, optional } from './columns.ts'

/** Backup files, finished or not. */
export const backups = pgTable(
  'backups',
  {
    id: id(),
    type: text().$type<'auto' | 'manual'>().notNull(),
    /** running, success, failed */
    status: text().notNull(),
    /** Relative to the backup directory. */
    path: text().notNull(),
    /** Bytes. */
    size: bigint({ mode: 'number' }).notNull().default(0),
    sha256: optional(),
    encrypted: boolean().notNull().default(false),
    /** Of the file. */
    formatVersion: integer().notNull(),
    startedAt: instant().notNull().defaultNow(),
    finishedAt: instant(),
    /** When the file was removed because its retention was over. */
    expiredAt: instant(),
    error: optional(),
    creator: optional(),
    /** The instance that makes it; an instance that stopped renewing its lease is dead. */
    leaseOwner: uuid(),
    leaseUntil: instant(),
  },
  (t) => [
    index('backups_started_index').on(t.startedAt),
    // One at a time.
    uniqueIndex('backups_running_key').on(t.status).where(sql`${t.status} = 'running'`),
    check('backups_type_check', sql`${t.type} in ('auto', 'manual')`),
    check('backups_status_check', sql`${t.status} in ('running', 'success', 'failed')`),
  ],
)
