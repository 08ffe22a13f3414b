import type { Db } from '../db/client.ts'
import { type Missing, openReadiness } from '../db/readiness.ts'
import { AppError } from '../errors.ts'
import type { HealthHandlers } from '../generated/operations.ts'
import type { Redis } from '../redis/connection.ts'

export interface HealthOptions {
  db: Db
  /** null where none is configured. */
  redis: Pick<Redis, 'answers'> | null
}

const words: Readonly<Record<NonNullable<Missing>, string>> = {
  database: 'does not answer',
  schema: 'is not up to date',
}

/** Whether the service is there, and whether it can work. */
export const healthHandlers = ({ db, redis }: HealthOptions): HealthHandlers => {
  const missing = openReadiness(db)
  return {
    getLiveness: async () => ({ status: 'live' }),

    async getReadiness() {
      const field = await missing()
      if (field === null) {
        return { status: 'ready', ...(redis && { redis: (await redis.answers()) ? 'used' : 'away' }) }
      }
      const message = words[field]
      throw new AppError('unavailable', `not ready: the ${field} ${message}`, {
        details: [{ field, message }],
        retryAfter: 5,
      })
    },
  }
}
