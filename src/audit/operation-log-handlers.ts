import { changeFor } from '../access/committed.ts'
import type { Principal, RequestContext } from '../contract/handler.ts'
import type { Db } from '../db/client.ts'
import { newestFirst, pageOf } from '../db/paging.ts'
import { perDatabase } from '../db/per-database.ts'
import type { Reading } from '../db/replica.ts'
import { itemOf } from '../db/request-fields.ts'
import { reasons } from '../failures/reasons.ts'
import type { OperationLogsHandlers } from '../generated/directory.ts'
import { type Actor, hideAllEntries, hideEntries } from './hide.ts'
import type { LogKeys } from './keys.ts'
import { logRecords } from './log-records.ts'
import type { OperationLog } from './writer.ts'
import { writeWhatCanBe } from './written.ts'

export interface OperationLogsOptions {
  db: Db
  /** Of pages. */
  reading: Reading
  keys: LogKeys
  operationLog: OperationLog
}

/**
 * The operation log as a list. Requests that were answered before are in it, unless entries cannot be written now. An
 * entry that is removed from the list stays in the chain.
 */
export const operationLogsHandlers = (options: OperationLogsOptions): OperationLogsHandlers => {
  const { db, reading, keys, operationLog } = options
  const recordsOn = perDatabase(logRecords)
  /** @throws AppError (unavailable) when they cannot be written: an unwritten entry cannot be deleted */
  const writeAll = (): Promise<void> =>
    operationLog.flush().catch((cause: unknown) => {
      throw reasons.log_away({ cause, retryAfter: 5 })
    })
  return {
    async listOperationLogs({ query }) {
      await writeWhatCanBe(operationLog)
      const page = pageOf(query)
      if (page !== null) return reading((at) => recordsOn(at).page(query, page))
      return { logs: newestFirst((before) => reading((at) => recordsOn(at).batch(query, before))) }
    },

    async deleteOperationLogs({ body: { operationLogIds }, user, request }) {
      await writeAll()
      const by = { actor: actorOf(user, request), field: itemOf('operationLogIds') }
      await changeFor(db, user, (tx) => hideEntries(tx, keys, operationLogIds, by))
      return null
    },

    async cleanOperationLogs({ user, request }) {
      await writeAll()
      await changeFor(db, user, (tx) => hideAllEntries(tx, keys, actorOf(user, request)))
      return null
    },
  }
}

const actorOf = ({ username }: Principal, { address, userAgent }: RequestContext): Actor => ({
  username,
  ip: address,
  userAgent,
})
