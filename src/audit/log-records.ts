import { and, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { instantText, jsonObject, written } from '../db/json-record.ts'
import { contains } from '../db/like.ts'
import { batchSize, type Page } from '../db/paging.ts'
import { operationLogHead, operationLogs } from '../db/schema.ts'
import type { components } from '../generated/directory.types.ts'
import { emptyHead, type Head } from './chain.ts'
import { shownTarget } from './log-filter.ts'
import { between, openTallies } from './tallies.ts'

export type LogRecord = components['schemas']['LogEntry']

/** An empty text filters nothing. */
export interface LogFilter {
  username?: string
  ip?: string
  path?: string
  method?: string
  status?: number
}

export interface LogPage {
  total: number
  logs: LogRecord[]
}

/** A log entry in the shape of the contract. */
const record = written(
  jsonObject<LogRecord>({
    id: operationLogs.seq,
    seq: operationLogs.seq,
    username: operationLogs.username,
    ip: operationLogs.ip,
    method: operationLogs.method,
    path: operationLogs.path,
    remark: operationLogs.remark,
    status: operationLogs.status,
    startTime: instantText(operationLogs.startTime),
    timeCost: operationLogs.timeCost,
    userAgent: operationLogs.userAgent,
    target: shownTarget,
    times: operationLogs.times,
  }),
)

const conditions = ({ username, ip, path, method, status }: LogFilter): SQL | undefined =>
  and(
    username ? contains(operationLogs.username, username) : undefined,
    ip ? contains(operationLogs.ip, ip) : undefined,
    path ? contains(operationLogs.path, path) : undefined,
    method ? contains(operationLogs.method, method) : undefined,
    status === undefined ? undefined : sql`${operationLogs.status} = ${status}::bigint`,
  )

const nameOf = ({ username = '', ip = '', path = '', method = '', status }: LogFilter): string =>
  JSON.stringify([username, ip, path, method, status])

/** Reads log entries in the shape of the contract. */
export const logRecords = (db: Db) => {
  const tallies = openTallies(db)

  const readHead = async (): Promise<Head> => {
    const { seq, hash, cleanedTo, lastSeal, cutSeal } = operationLogHead
    const [head] = await db.select({ seq, hash, cleanedTo, lastSeal, cutSeal }).from(operationLogHead)
    return head ?? emptyHead
  }

  return {
    /** A page of those that pass the filter, newest first, and how many there are on all pages. */
    async page(filter: LogFilter, page: Page): Promise<LogPage> {
      const wanted = conditions(filter)
      const head = await readHead()
      const { total, from, to, skip } = await tallies.find(nameOf(filter), wanted, head, page)
      if (from > to) return { total, logs: [] }
      const lowest = Math.max(from, head.cleanedTo + 1)
      // The stretch has few matches. Materialized, so that the planner does not scan the log for the first ones.
      const rows = await db.execute<{ record: LogRecord }>(sql`
        with stretch as materialized (
          select * from ${operationLogs} where ${and(between(lowest, to), wanted)})
        select ${record} as record from stretch as ${operationLogs}
        order by ${operationLogs.seq} desc offset ${skip} limit ${page.limit}`)
      return { total, logs: rows.map((row) => row.record) }
    },

    /** Entries below `before` that pass the filter, newest first, at most a batch. */
    async batch(filter: LogFilter, before: number): Promise<LogRecord[]> {
      const { cleanedTo } = await readHead()
      const rows = await db
        .select({ record })
        .from(operationLogs)
        .where(and(between(cleanedTo + 1, before - 1), conditions(filter)))
        .orderBy(sql`${operationLogs.seq} desc`)
        .limit(batchSize)
      return rows.map((row) => row.record)
    },
  }
}
