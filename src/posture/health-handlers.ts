import type { OperationLog } from '../audit/writer.ts'
import type { Db } from '../db/client.ts'
import { type Missing, openReadiness } from '../db/readiness.ts'
import type { Reason } from '../failures/reason-table.ts'
import { reasons as service } from '../failures/reasons.ts'
import type { HealthHandlers } from '../generated/operations.ts'
import type { Redis } from '../redis/connection.ts'
import { stewardVersion } from '../runtime/version.ts'
import { reasons } from './reasons.ts'

export interface HealthOptions {
  db: Db
  operationLog: Pick<OperationLog, 'stuck'>
  /** null where Redis is not configured. */
  redis: Pick<Redis, 'answers'> | null
  /** Whether the instance is about to stop. */
  draining: () => boolean
}

const parts: Readonly<Record<NonNullable<Missing> | 'operationLog', { part: string; reason: Reason }>> = {
  database: { part: 'database', reason: reasons.database_silent },
  disk: { part: 'database', reason: reasons.database_disk },
  memory: { part: 'database', reason: reasons.database_memory },
  connections: { part: 'database', reason: reasons.database_connections },
  changes: { part: 'database', reason: reasons.database_changes },
  schema: { part: 'schema', reason: reasons.schema_outdated },
  operationLog: { part: 'operation log', reason: reasons.log_stuck },
}

/** Liveness and readiness. */
export const healthHandlers = ({ db, operationLog, redis, draining }: HealthOptions): HealthHandlers => {
  const missing = openReadiness(db)
  return {
    getLiveness: async () => ({ status: 'live', version: stewardVersion }),

    async getReadiness() {
      if (draining()) throw service.stopping({ retryAfter: 5 })
      const stuck = operationLog.stuck()
      // What the database lacks to be changed shows where it is written to.
      const field = (await missing()) ?? (stuck === null ? null : (stuck.lack ?? 'operationLog'))
      if (field === null) {
        return { status: 'ready', ...(redis && { redis: (await redis.answers()) ? 'used' : 'away' }) }
      }
      const { part, reason } = parts[field]
      const problem = reason.problem(field === 'schema' || field === 'operationLog' ? field : 'database')
      throw reasons.not_ready({ part, problem: problem.message }, { details: [problem], retryAfter: 5 })
    },
  }
}
