import { and, inArray, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { instantText, jsonObject } from '../db/json-record.ts'
import type { Reading } from '../db/replica.ts'
import { operationLogHead, operationLogs, users } from '../db/schema.ts'
import type { components } from '../generated/operations.types.ts'
import { usernameKey } from '../text/identity-keys.ts'
import { conditionOf, instantOf, type LogSearch, resultOf, shownTarget } from './log-filter.ts'
import { logPlaceBefore } from './log-place.ts'
import { between } from './tallies.ts'

export type LogEntryRecord = components['schemas']['LogEntry']
export type LogPage = components['schemas']['LogPage']

type StoredEntry = Omit<LogEntryRecord, 'userId'>

/** The fields of an entry in the shape of the contract, but the id of its user. */
export const entryFields = {
  id: operationLogs.seq,
  username: operationLogs.username,
  ip: operationLogs.ip,
  method: operationLogs.method,
  path: operationLogs.path,
  remark: operationLogs.remark,
  status: operationLogs.status,
  result: resultOf,
  startTime: instantText(operationLogs.startTime),
  timeCost: operationLogs.timeCost,
  userAgent: operationLogs.userAgent,
  target: shownTarget,
  times: operationLogs.times,
  preview: operationLogs.preview,
}

const record = jsonObject<StoredEntry>(entryFields)

/** Adds the users who have these names now. */
export const withUsers = async <T extends StoredEntry>(
  db: Db,
  entries: readonly T[],
): Promise<(T & Pick<LogEntryRecord, 'userId'>)[]> => {
  const names = [...new Set(entries.map(({ username }) => username))].filter((name) => name !== '')
  const found =
    names.length === 0
      ? []
      : await db
          .select({ id: users.id, username: users.username })
          .from(users)
          .where(inArray(users.usernameKey, names.map(usernameKey)))
  const idOf = new Map(found.map(({ id, username }) => [username, id]))
  return entries.map((entry) => ({ ...entry, userId: idOf.get(entry.username) ?? null }))
}

/** Places of the newest stretch that is searched; each further one is so many times as long. */
const firstStretch = 20_000
const growth = 4

/** Milliseconds by which the clocks of instances may differ, and the longest that a request lasts. */
const clockSkew = 120_000
const longestRequest = 6 * 3_600_000

/** The part of the log that a search has to look at, both ends included. */
interface Extent {
  from: number
  to: number
}

/** Finds entries by what is asked of them, newest first. */
export const logSearch = (reading: Reading) => {
  const extentOf = async (db: Db, { from, to }: LogSearch, cursor: number): Promise<Extent> => {
    const [head] = await db
      .select({ seq: operationLogHead.seq, cleanedTo: operationLogHead.cleanedTo })
      .from(operationLogHead)
    const { seq = 0, cleanedTo = 0 } = head ?? {}
    const lowest = from ? await logPlaceBefore(db, new Date(instantOf(from).getTime() - clockSkew)) : 0
    const highest = to ? await logPlaceBefore(db, new Date(instantOf(to).getTime() + longestRequest + clockSkew)) : seq
    return { from: Math.max(lowest, cleanedTo) + 1, to: Math.min(highest, cursor - 1, seq) }
  }

  /**
   * Stretch by stretch, each longer than the one before: a filter that most entries pass reads the newest ones only, and
   * one that hardly any passes is left to the indexes.
   */
  const find = async (
    db: Db,
    condition: SQL | undefined,
    { from, to }: Extent,
    limit: number,
  ): Promise<LogEntryRecord[]> => {
    const found: StoredEntry[] = []
    for (let [end, length] = [to, firstStretch]; end >= from && found.length < limit; length *= growth) {
      const start = Math.max(from, end - length + 1)
      const rows = await db
        .select({ record })
        .from(operationLogs)
        .where(and(between(start, end), condition))
        .orderBy(sql`${operationLogs.seq} desc`)
        .limit(limit - found.length)
      found.push(...rows.map((row) => row.record))
      end = start - 1
    }
    return withUsers(db, found)
  }

  return {
    /** @param cursor entries before this place only */
    async page(
      search: LogSearch,
      { cursor = Number.MAX_SAFE_INTEGER, limit }: { cursor?: number; limit: number },
    ): Promise<LogPage> {
      const found = await reading(async (db) => {
        const condition = await conditionOf(db, search)
        return find(db, condition, await extentOf(db, search, cursor), limit + 1)
      }, long)
      const entries = found.slice(0, limit)
      return { entries, next: found.length > limit ? (entries.at(-1)?.id ?? null) : null }
    },

    /** All that pass, in batches: memory does not grow with the log. */
    async *all(search: LogSearch): AsyncGenerator<LogEntryRecord[], void, undefined> {
      const { condition, ...extent } = await reading(
        async (db) => ({
          condition: await conditionOf(db, search),
          ...(await extentOf(db, search, Number.MAX_SAFE_INTEGER)),
        }),
        long,
      )
      const { from } = extent
      let { to } = extent
      for (;;) {
        const batch = await reading((db) => find(db, condition, { from, to }, exportBatch), long)
        if (batch.length > 0) yield batch
        const last = batch.at(-1)
        if (last === undefined || batch.length < exportBatch) return
        to = last.id - 1
      }
    },
  }
}

/** A search that hardly any entry passes looks at all of them. */
const long = { within: 30_000 }

/** Entries read at a time for a file. */
const exportBatch = 1000
