import { eq, sql } from 'drizzle-orm'
import { beginFor } from '../access/committed.ts'
import { defaultMessage, SuccessWithMessage } from '../contract/handler.ts'
import type { Db } from '../db/client.ts'
import { jsonObject } from '../db/json-record.ts'
import type { Reading } from '../db/replica.ts'
import { operationLogs } from '../db/schema.ts'
import type { components, OperationLogHandlers } from '../generated/operations.ts'
import { currentTime } from '../runtime/clock.ts'
import { logFile } from './log-file.ts'
import { entryFields, type LogEntryRecord, logSearch, withUsers } from './log-search.ts'
import { reasons } from './reasons.ts'
import { operationIdOf, touchedRecords } from './touched-records.ts'
import { chainState, runningVerification, type Verifications } from './verification.ts'
import type { OperationLog } from './writer.ts'
import { writeWhatCanBe } from './written.ts'

type Work = components['schemas']['Work']

export interface OperationLogSearchOptions {
  db: Db
  /** Of pages and files. */
  reading: Reading
  operationLog: OperationLog
  verifications: Pick<Verifications, 'start'>
  /** How far a verification is, by its task. */
  verificationWork: (id: number) => Promise<Work | null>
}

/** The operation log for a console: filters, one entry with all that is known, files, the chain. */
export const operationLogSearchHandlers = (options: OperationLogSearchOptions): OperationLogHandlers => {
  const { db, reading, operationLog, verifications, verificationWork } = options
  const search = logSearch(reading)

  return {
    async listLogEntries({ query: { cursor, limit, ...asked } }) {
      await writeWhatCanBe(operationLog)
      return search.page(asked, { ...(cursor !== undefined && { cursor }), limit })
    },

    async getLogEntry({ params: { id } }) {
      await writeWhatCanBe(operationLog)
      const entry = await findEntry(db, id)
      if (entry === null) throw reasons.entry_not_found.at('id', { seq: id })
      return {
        ...entry,
        operationId: operationIdOf(entry.method, entry.path),
        touched: await touchedRecords(db, entry),
      }
    },

    async exportLog({ query: { format, ...asked } }) {
      await writeWhatCanBe(operationLog)
      const name = `operation-log-${new Date(currentTime()).toISOString().slice(0, 10)}.${format}`
      return {
        body: await logFile(format, search.all(asked)),
        media: format === 'csv' ? 'text/csv' : 'application/x-ndjson',
        headers: { 'content-disposition': `attachment; filename="${name}"`, 'cache-control': 'no-store' },
      }
    },

    async getLogChain() {
      const id = await runningVerification(db)
      const running = id === null ? null : await verificationWork(id)
      return {
        ...(await chainState(db)),
        waiting: operationLog.stuck()?.waiting ?? 0,
        ...(running && { running }),
      }
    },

    async verifyLog({ user }) {
      await beginFor(db, user)
      const { id, joined } = await verifications.start(user.username)
      const work = await verificationWork(id)
      if (work === null) throw new Error(`The task ${id} is gone`)
      return new SuccessWithMessage(work, joined ? 'a verification is in progress already' : defaultMessage)
    },
  }
}

type FoundEntry = LogEntryRecord & { hash: string; previousHash: string }

/** null: the list does not contain it. */
const findEntry = async (db: Db, id: number): Promise<FoundEntry | null> => {
  const previous = sql<string>`coalesce((
    select before.hash from ${operationLogs} as before where before.seq = operation_logs.seq - 1), '')`
  const [row] = await db
    .select({
      entry: jsonObject<Omit<FoundEntry, 'userId'>>({
        ...entryFields,
        hash: operationLogs.hash,
        previousHash: previous,
      }),
    })
    .from(operationLogs)
    .where(
      sql`${eq(operationLogs.seq, id)} and ${operationLogs.hiddenBy} is null
        and ${operationLogs.seq} > (select cleaned_to from operation_log_head)`,
    )
  if (row === undefined) return null
  const [entry] = await withUsers(db, [row.entry])
  return entry ?? null
}
