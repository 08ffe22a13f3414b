import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { id, instant, optional, ref } from './columns.ts'
import { users } from './directory.ts'

/** Events that an administrator has to look at. There is one open alert per cause: a repeat updates it. */
export const alerts = pgTable(
  'alerts',
  {
    id: id(),
    /** The cause, such as `attempts account li.na`. */
    cause: text().notNull(),
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

/** Backup files, finished or not. */
export const backups = pgTable(
  'backups',
  {
    id: id(),
    type: text().$type<'auto' | 'manual'>().notNull(),
    /** running, success, failed */
    status: text().notNull(),
    /** Relative to the backup directory. */
    path: text().notNull(),
    /** Bytes. */
    size: bigint({ mode: 'number' }).notNull().default(0),
    sha256: optional(),
    encrypted: boolean().notNull().default(false),
    /** Of the file. */
    formatVersion: integer().notNull(),
    startedAt: instant().notNull().defaultNow(),
    finishedAt: instant(),
    /** When the file was removed because its retention was over. */
    expiredAt: instant(),
    error: optional(),
    creator: optional(),
    /** The instance that makes it; an instance that stopped renewing its lease is dead. */
    leaseOwner: uuid(),
    leaseUntil: instant(),
  },
  (t) => [
    index('backups_started_index').on(t.startedAt),
    // One at a time.
    uniqueIndex('backups_running_key').on(t.status).where(sql`${t.status} = 'running'`),
    check('backups_type_check', sql`${t.type} in ('auto', 'manual')`),
    check('backups_status_check', sql`${t.status} in ('running', 'success', 'failed')`),
  ],
)

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

/** A user's authenticator app. */
export const secondFactors = pgTable('second_factors', {
  userId: ref()
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  /** AES-256-GCM under a key derived from the token secret. */
  secret: text().notNull(),
  /** null: enrolled and not yet confirmed by a first code. */
  confirmedAt: instant(),
  /** The time step of the newest accepted code: no code is accepted twice. */
  lastStep: bigint({ mode: 'number' }).notNull().default(0),
  createdAt: instant().notNull().defaultNow(),
})

/** Codes for a user who lost the app; each is accepted once. */
export const recoveryCodes = pgTable(
  'recovery_codes',
  {
    userId: ref()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    codeHash: text().notNull(),
    usedAt: instant(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.codeHash] })],
)

/** Codes that were mailed for a step-up; at most one pending per session. */
export const stepUpCodes = pgTable('step_up_codes', {
  sessionId: uuid().primaryKey(),
  /** The address it was sent to: after a change of address the code is not valid. */
  mailKey: optional(),
  codeHash: text().notNull(),
  expiresAt: instant().notNull(),
  triesLeft: integer().notNull(),
})
