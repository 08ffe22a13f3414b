import { sql } from 'drizzle-orm'
import { boolean, check, pgTable, smallint, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { id, instant, optional } from './columns.ts'

export const devices = pgTable(
  'devices',
  {
    id: id(),
    name: text().notNull(),
    type: text().notNull(),
    location: optional(),
    status: text().$type<'online' | 'offline'>().notNull(),
    /** Per cent; null: the device has no battery, or never reported it. */
    battery: smallint(),
    /** It fell to 20 per cent and has not reached 25 since. */
    batteryLow: boolean().notNull().default(false),
    /** SHA-256 of the token in its heartbeats, in hex. */
    tokenHash: text().notNull(),
    lastHeartbeatAt: instant(),
    updatedAt: instant().notNull().defaultNow(),
    creator: optional(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [
    uniqueIndex('devices_name_key').on(t.name),
    uniqueIndex('devices_token_key').on(t.tokenHash),
    check('devices_status_check', sql`${t.status} in ('online', 'offline')`),
    check('devices_battery_check', sql`${t.battery} between 0 and 100`),
  ],
)
