import { integer, pgTable, text } from 'drizzle-orm/pg-core'
import { instant, optional } from './columns.ts'

/** Periodic work, once across instances: the instance that holds the lease does it. */
export const schedules = pgTable('schedules', {
  name: text().primaryKey(),
  nextRunAt: instant().notNull(),
  leaseUntil: instant(),
  leaseOwner: text(),
  lastOkAt: instant(),
  attempts: integer().notNull().default(0),
  lastError: optional(),
})
