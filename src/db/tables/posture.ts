import { index, jsonb, pgTable, smallint, text } from 'drizzle-orm/pg-core'
import { alerts } from './alerts.ts'
import { id, instant, optional, ref } from './columns.ts'

/** The results of checks. */
export const securityChecks = pgTable(
  'security_checks',
  {
    id: id(),
    checkedAt: instant().notNull().defaultNow(),
    score: smallint().notNull(),
    issues: jsonb().$type<{ level: string; description: string; suggestion: string }[]>().notNull(),
    creator: optional(),
  },
  (t) => [index('security_checks_checked_index').on(t.checkedAt)],
)

/** A rendered report, kept as long as its address is valid. */
export const reports = pgTable(
  'reports',
  {
    id: id(),
    page: text().notNull(),
    createdAt: instant().notNull().defaultNow(),
    expiresAt: instant().notNull(),
    creator: optional(),
  },
  (t) => [index('reports_expires_index').on(t.expiresAt)],
)

/** Calls for help, each with its alert. */
export const emergencies = pgTable(
  'emergencies',
  {
    id: id(),
    type: text().notNull(),
    description: text().notNull(),
    alertId: ref().references(() => alerts.id, { onDelete: 'set null' }),
    creator: optional(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [index('emergencies_alert_index').on(t.alertId)],
)
