import { sql } from 'drizzle-orm'
import { bigint, boolean, check, index, integer, jsonb, pgTable, smallint, text, uuid } from 'drizzle-orm/pg-core'
import { instant, optional, ref, trigrams } from './columns.ts'

/**
 * One row per request. `hash` chains the rows: a keyed hash over this row and the previous hash. Of a row only
 * `hiddenBy` changes, and only the oldest rows are removed, by LOG_RETENTION.
 */
export const operationLogs = pgTable(
  'operation_logs',
  {
    /** The place in the chain, from 1 and without gaps: assigned under the chain's lock, not by a sequence. */
    seq: bigint({ mode: 'number' }).primaryKey(),
    username: optional(),
    ip: optional(),
    method: text().notNull(),
    path: text().notNull(),
    remark: optional(),
    /** The envelope's code, not the HTTP status. */
    status: integer().notNull(),
    startTime: instant().notNull(),
    /** Milliseconds. */
    timeCost: integer().notNull(),
    userAgent: optional(),
    /** Ids of the records that the request was about. */
    target: jsonb().$type<number[]>().notNull().default([]),
    /** How many requests this row counts. */
    times: integer().notNull().default(1),
    /** The request only asked what would be changed (`dryRun`). */
    preview: boolean().notNull().default(false),
    /** The sealed entry of its deletion; null: it was not deleted by its id. */
    hiddenBy: ref(),
    hash: text().notNull(),
  },
  (t) => [
    index('operation_logs_visible_index').on(t.seq).where(sql`${t.hiddenBy} is null`),
    index('operation_logs_username_index').on(t.username, t.seq).where(sql`${t.hiddenBy} is null`),
    index('operation_logs_status_index').on(t.status, t.seq).where(sql`${t.hiddenBy} is null`),
    // What the home page shows: neither sign-ins nor heartbeats name a record.
    index('operation_logs_changes_index')
      .on(t.seq)
      .where(
        sql`${t.hiddenBy} is null and ${t.method} <> 'GET' and not ${t.preview} and ${t.status} between 0 and 399 and ${t.target} <> '[]'::jsonb`,
      ),
    index('operation_logs_hidden_index').on(t.hiddenBy).where(sql`${t.hiddenBy} is not null`),
    // Most requests that read touch no record, and cost it nothing.
    index('operation_logs_target_index')
      .using('gin', sql`${t.target} jsonb_path_ops`)
      .where(sql`${t.target} <> '[]'::jsonb`),
    trigrams('operation_logs_search_index', [t.username, t.ip, t.path, t.method]),
  ],
)

/** The end of the chain, one row, written together with the newest entry: it reveals added and removed rows. */
export const operationLogHead = pgTable(
  'operation_log_head',
  {
    id: smallint().primaryKey().default(1),
    /** The newest entry and its hash. */
    seq: ref().notNull(),
    hash: text().notNull(),
    /** Entries up to this one are in no list any more: an administrator deleted all. */
    cleanedTo: ref().notNull(),
    /** The newest sealed entry: earlier positions in lists are not valid after it. 0: there is no sealed entry. */
    lastSeal: ref().notNull(),
    /** The newest sealed entry of a cut. 0: no cut was made. */
    cutSeal: ref().notNull().default(0),
    /** A keyed hash over all of it. */
    seal: text().notNull(),
  },
  (t) => [check('operation_log_head_check', sql`${t.id} = 1`)],
)

/** Processes that write the log: a row that is not renewed any more belongs to a process that crashed. */
export const operationLogWriters = pgTable('operation_log_writers', {
  id: uuid().primaryKey(),
  host: text().notNull(),
  pid: integer().notNull(),
  startedAt: instant().notNull().defaultNow(),
  /** Renewed every few seconds, by the database's clock. */
  seenAt: instant().notNull().defaultNow(),
})

/**
 * How far the log was streamed to a syslog receiver (SYSLOG_URL), a row for each address that ever was one. The instance
 * that holds the lease sends.
 */
export const logReceivers = pgTable('log_receivers', {
  /** `host:port` */
  receiver: text().primaryKey(),
  /** The last entry that it has taken, and its hash. 0: it has taken no entry yet. */
  seq: ref().notNull().default(0),
  hash: optional(),
  /** When it took the last entries; before that, when it was first named. */
  takenAt: instant().notNull().defaultNow(),
  leaseOwner: uuid(),
  leaseUntil: instant(),
})
