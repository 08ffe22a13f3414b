import type { OperationLog } from '../audit/writer.ts'
import type { Db } from '../db/client.ts'
import { type Missing, openReadiness } from '../db/readiness.ts'
import { AppError } from '../errors.ts'
import type { HealthHandlers } from '../generated/operations.ts'
import type { Redis } from '../redis/connection.ts'

export interface HealthOptions {
  db: Db
  operationLog: Pick<OperationLog, 'stuck'>
  /** null where none is configured. */
  redis: Pick<Redis, 'answers'> | null
}

const words: Readonly<Record<NonNullable<Missing> | 'operationLog', [name: string, problem: string]>> = {
  database: ['database', 'does not answer'],
  schema: ['schema', 'is not up to date'],
  operationLog: ['operation log', 'cannot be written, so nothing may be changed'],
}

/** Whether the service is there, and whether it can work. */
export const healthHandlers = ({ db, operationLog, redis }: HealthOptions): HealthHandlers => {
  const missing = openReadiness(db)
  return {
    getLiveness: async () => ({ status: 'live' }),

    async getReadiness() {
      const field = (await missing()) ?? (operationLog.stuck() === null ? null : 'operationLog')
      if (field === null) {
        return { status: 'ready', ...(redis && { redis: (await redis.answers()) ? 'used' : 'away' }) }
      }
      const [name, message] = words[field]
      throw new AppError('unavailable', `not ready: the ${name} ${message}`, {
        details: [{ field, message }],
        retryAfter: 5,
      })
    },
  }
}
