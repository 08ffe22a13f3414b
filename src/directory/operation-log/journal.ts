import type { Journal } from '../../contract/journal.ts'
import type { OperationLog } from './writer.ts'

/** Asked every few seconds by whoever watches the service, and of no consequence. */
const unlogged: ReadonlySet<string> = new Set(['ping', 'getLiveness', 'getReadiness'])

/** Writes every answered request into the operation log. */
export const operationJournal = (operationLog: Pick<OperationLog, 'append' | 'accepts'>): Journal => ({
  covers: (operationId) => !unlogged.has(operationId),
  accepts: operationLog.accepts,
  note: ({ method, path, summary, username, address, userAgent, code, startedAt, milliseconds, ids }) =>
    operationLog.append({
      username,
      ip: address,
      method,
      path,
      remark: summary,
      status: code,
      startTime: startedAt,
      timeCost: milliseconds,
      userAgent,
      target: ids,
    }),
})
