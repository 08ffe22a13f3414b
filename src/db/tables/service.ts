import { integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
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

/** Small facts about this installation, such as which directory the entries were written to. */
export const facts = pgTable('facts', {
  name: text().primaryKey(),
  value: jsonb().notNull(),
  updatedAt: instant().notNull().defaultNow(),
})
