import type { Db } from '../db/client.ts'
import { type Missing, openReadiness } from '../db/readiness.ts'
import { AppError } from '../errors.ts'
import type { HealthHandlers } from '../generated/operations.ts'

export interface HealthOptions {
  db: Db
}

const words: Readonly<Record<NonNullable<Missing>, string>> = {
  database: 'does not answer',
  schema: 'is not up to date',
}

/** Whether the service is there, and whether it can work. */
export const healthHandlers = ({ db }: HealthOptions): HealthHandlers => {
  const missing = openReadiness(db)
  return {
    getLiveness: async () => ({ status: 'live' }),

    async getReadiness() {
      const field = await missing()
      if (field === null) return { status: 'ready' }
      const message = words[field]
      throw new AppError('unavailable', `not ready: the ${field} ${message}`, {
        details: [{ field, message }],
        retryAfter: 5,
      })
    },
  }
}
