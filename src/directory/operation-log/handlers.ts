import type { Principal, RequestContext } from '../../contract/handler.ts'
import type { Db } from '../../db/client.ts'
import type { OperationLogsHandlers } from '../../generated/directory.ts'
import { pageOf } from '../paging.ts'
import { itemOf } from '../request-fields.ts'
import { type Actor, hideAllEntries, hideEntries } from './hide.ts'
import type { LogKeys } from './keys.ts'
import { logRecords } from './log-records.ts'
import type { OperationLog } from './writer.ts'

export interface OperationLogsOptions {
  db: Db
  keys: LogKeys
  operationLog: OperationLog
}

/** The operation log as a list. What was answered before is in it; what is taken off it stays in the chain. */
export const operationLogsHandlers = ({ db, keys, operationLog }: OperationLogsOptions): OperationLogsHandlers => {
  const records = logRecords(db)
  return {
    async listOperationLogs({ query }) {
      await operationLog.flush()
      const page = pageOf(query)
      return page === null ? { logs: records.all(query) } : records.page(query, page)
    },

    async deleteOperationLogs({ body: { operationLogIds }, user, request }) {
      await operationLog.flush()
      await hideEntries(db, keys, operationLogIds, { actor: actorOf(user, request), field: itemOf('operationLogIds') })
      return null
    },

    async cleanOperationLogs({ user, request }) {
      await operationLog.flush()
      await hideAllEntries(db, keys, actorOf(user, request))
      return null
    },
  }
}

const actorOf = ({ username }: Principal, { address, userAgent }: RequestContext): Actor => ({
  username,
  ip: address,
  userAgent,
})
