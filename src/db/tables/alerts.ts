import { sql } from 'drizzle-orm'
import { check, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { id, instant, optional, ref } from './columns.ts'
import { devices } from './devices.ts'

/** Events that an administrator has to look at. There is one open alert per cause: a repeat updates it. */
export const alerts = pgTable(
  'alerts',
  {
    id: id(),
    /** The cause, such as `attempts account li.na`. */
    cause: text().notNull(),
    /** The rule that raised it, and what it knew of the cause: for texts in other languages, and links to records. */
    rule: optional(),
    params: jsonb().$type<Record<string, string>>().notNull().default({}),
    title: text().notNull(),
    description: text().notNull(),
    level: text().$type<'info' | 'warning' | 'danger'>().notNull(),
    location: optional(),
    deviceId: ref().references(() => devices.id, { onDelete: 'set null' }),
    raisedAt: instant().notNull().defaultNow(),
    /** The newest repeat, and how often the cause has occurred. */
    lastAt: instant().notNull().defaultNow(),
    times: integer().notNull().default(1),
    handledAt: instant(),
    handledBy: optional(),
    /** When an alert of level danger that was not handled in time was sent once more. */
    escalatedAt: instant(),
  },
  (t) => [
    uniqueIndex('alerts_open_cause_key').on(t.cause).where(sql`${t.handledAt} is null`),
    index('alerts_open_index').on(t.raisedAt).where(sql`${t.handledAt} is null`),
    index('alerts_raised_index').on(t.raisedAt),
    index('alerts_device_index').on(t.deviceId),
    check('alerts_level_check', sql`${t.level} in ('info', 'warning', 'danger')`),
  ],
)

/** Messages to people and other systems: kept until they are delivered, retried with growing pauses. */
export const notifications = pgTable(
  'notifications',
  {
    id: id(),
    channel: text().$type<'mail' | 'webhook'>().notNull(),
    alertId: ref().references(() => alerts.id, { onDelete: 'cascade' }),
    /** A mail: its address, subject and text. A webhook: the body that is posted. */
    content: jsonb().$type<Record<string, unknown>>().notNull(),
    createdAt: instant().notNull().defaultNow(),
    attempts: integer().notNull().default(0),
    /** When it is due; null: delivered, or given up. */
    nextAt: instant().defaultNow(),
    deliveredAt: instant(),
    error: optional(),
  },
  (t) => [
    index('notifications_due_index').on(t.nextAt).where(sql`${t.nextAt} is not null`),
    index('notifications_alert_index').on(t.alertId),
  ],
)
