import { bigint, boolean, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { instant, optional, ref } from './columns.ts'
import { users } from './people.ts'

/** One row per sign-in; ended sessions stay until they are swept. */
export const sessions = pgTable(
  'sessions',
  {
    id: uuid().primaryKey(),
    userId: ref()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Opened by the web console: its tokens are valid in the cookie only, and others only in `Authorization`. */
    console: boolean().notNull().default(false),
    /** The `jti` of the one token that is valid now; all earlier tokens of this session have been rotated away. */
    tokenId: uuid().notNull(),
    /** The token before it, when it was replaced, and for which client (see sessions.ts). */
    previousTokenId: uuid(),
    rotatedAt: instant(),
    rotatedFor: optional(),
    createdAt: instant().notNull().defaultNow(),
    lastUsedAt: instant().notNull().defaultNow(),
    endedAt: instant(),
    /** When the second factor was last proven in this session; null: never. */
    steppedUpAt: instant(),
    /** logout, password, disabled, reuse, revoked */
    endReason: optional(),
    address: optional(),
    userAgent: optional(),
  },
  (t) => [
    index('sessions_user_index').on(t.userId),
    index('sessions_last_used_index').on(t.lastUsedAt),
    index('sessions_created_index').on(t.createdAt),
  ],
)

/** Failed sign-ins and wrong codes of the last minutes, per account (`account:…`), mail and address (`address:…`). */
export const throttles = pgTable(
  'throttles',
  {
    key: text().primaryKey(),
    /** When the last few attempts failed; older ones than the window are dropped by the next attempt. */
    failedAt: instant().array().notNull().default([]),
    /** Attempts in progress: each may become a failure. */
    pending: integer().notNull().default(0),
    lockedUntil: instant(),
    lastAttemptAt: instant().notNull(),
  },
  (t) => [index('throttles_last_attempt_index').on(t.lastAttemptAt)],
)

/** Who has bound to the embedded directory with a right password, and from where: see auth/known-binders.ts. */
export const knownBinders = pgTable(
  'known_binders',
  {
    /** The host, or the network that counts as one. */
    subscriber: text().notNull(),
    /** `account:…` or `entry:…`, as in `throttles`. */
    name: text().notNull(),
    lastBoundAt: instant().notNull(),
  },
  (t) => [primaryKey({ columns: [t.subscriber, t.name] }), index('known_binders_last_bound_index').on(t.lastBoundAt)],
)

/** At most one pending mail code per user and purpose. */
export const mailCodes = pgTable(
  'mail_codes',
  {
    userId: ref()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** What it allows: `password`, `sign-in`, `address` (of the user's own new address) or `link`. */
    purpose: text().notNull().default('password'),
    /** The address it was sent to: after a change of address the code is not valid. */
    mailKey: optional(),
    /** For `address`: the new address, as it was typed. */
    address: optional(),
    codeHash: text().notNull(),
    expiresAt: instant().notNull(),
    triesLeft: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.purpose] })],
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
