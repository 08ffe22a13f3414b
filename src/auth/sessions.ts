import { randomUUID } from 'node:crypto'
import { and, eq, gt, isNull, or, type SQL, sql } from 'drizzle-orm'
import { type OwnPermit, type RunPermit, requirePermitted, type UsersPermit } from '../access/permits/permit.ts'
import type { Claims } from '../access/principals.ts'
import type { Db, Queryable, Tx } from '../db/client.ts'
import { anyOfIds } from '../db/id-list.ts'
import { inOrder } from '../db/in-order.ts'
import { statementOf } from '../db/json-record.ts'
import { prepared } from '../db/prepared.ts'
import { secondFactors, sessions, users } from '../db/schema.ts'
import { currentTime } from '../runtime/clock.ts'
import { addressKey } from '../text/throttle-keys.ts'
import type { AttemptEnd } from './attempt-counter.ts'
import { endMailedCodes } from './mail-codes.ts'

/** Milliseconds after its last use for which a session can be refreshed. */
export const sessionLifetime = 7 * 86_400_000

/** Milliseconds: a session of the web console ends this long after its sign-in; SESSION_MAX may be shorter. */
export const longestConsole = 12 * 3_600_000

export type EndReason = 'logout' | 'password' | 'disabled' | 'reuse' | 'revoked' | 'restore'

/** The origin of a sign-in. */
export interface Origin {
  address: string
  userAgent: string
}

export interface OpenedSession {
  sessionId: string
  tokenId: string
  /** The latest end, however often the session is used. */
  notAfter: Date
}

/** What kind of session a sign-in opens. */
export interface SessionKind {
  now: Date
  /** Milliseconds to its latest end. */
  longest: number
  /** Whether it is one of the web console. */
  console: boolean
  /** Whether the sign-in has proven the second factor, which counts like a step-up. */
  steppedUp: boolean
}

/** The condition for sessions that can still be refreshed. @param longest SESSION_MAX, milliseconds */
export const isOpen = (now: Date, longest: number): SQL | undefined =>
  and(
    isNull(sessions.endedAt),
    gt(sessions.lastUsedAt, new Date(now.getTime() - sessionLifetime)),
    gt(sessions.createdAt, new Date(now.getTime() - longest)),
    or(eq(sessions.console, false), gt(sessions.createdAt, new Date(now.getTime() - longestConsole))),
  )

/** What a new session is stored with. */
interface NewSession {
  sessionId: string
  tokenId: string
  userId: number
  passwordHash: string
  now: string
  address: string
  userAgent: string
  console: boolean
  steppedUp: boolean
}

/** A session to be opened for a user who has just proved this password, and what is stored of it. */
export const newSession = (
  user: { id: number; passwordHash: string },
  { address, userAgent }: Origin,
  { now, longest, console, steppedUp }: SessionKind,
): { opened: OpenedSession; stored: NewSession } => {
  const [sessionId, tokenId] = [randomUUID(), randomUUID()]
  return {
    opened: { sessionId, tokenId, notAfter: new Date(now.getTime() + longest) },
    stored: {
      sessionId,
      tokenId,
      userId: user.id,
      passwordHash: user.passwordHash,
      now: now.toISOString(),
      address,
      userAgent: userAgent.slice(0, 512),
      console,
      steppedUp,
    },
  }
}

/**
 * Stores a session. No row: the user was disabled, got another password, or enrolled an app whose code was not asked for,
 * meanwhile. The user's row is locked until the session is stored, so a change that ends sessions ends this one too.
 */
const storing = (session: Readonly<Record<keyof NewSession, unknown>>): SQL => sql`
  insert into ${sessions} (id, user_id, token_id, created_at, last_used_at, address, user_agent, console, stepped_up_at)
  select ${session.sessionId}, ${users.id}, ${session.tokenId}, ${session.now}::timestamptz,
    ${session.now}::timestamptz, ${session.address}, ${session.userAgent}, ${session.console},
    case when ${session.steppedUp}::boolean then now() end
  from ${users}
  where ${users.id} = ${session.userId} and ${users.status} = 1 and ${users.passwordHash} = ${session.passwordHash}
    and (${session.steppedUp}::boolean or not ${hasApp})
  for share of ${users}
  returning id`

const hasApp = sql`exists (
  select from ${secondFactors} where ${secondFactors.userId} = ${users.id} and ${secondFactors.confirmedAt} is not null)`

const placeholders = {
  sessionId: sql.placeholder('sessionId'),
  tokenId: sql.placeholder('tokenId'),
  userId: sql.placeholder('userId'),
  passwordHash: sql.placeholder('passwordHash'),
  now: sql.placeholder('now'),
  address: sql.placeholder('address'),
  userAgent: sql.placeholder('userAgent'),
  console: sql.placeholder('console'),
  steppedUp: sql.placeholder('steppedUp'),
} satisfies Record<keyof NewSession, unknown>

/** Opens a session in a transaction. @returns false where that is not allowed any more: see `storing` */
export const openSession = async (tx: Tx, stored: NewSession): Promise<boolean> =>
  (await tx.execute(storing(stored))).length > 0

/**
 * Opens sessions outside of a transaction, each in one statement with further steps.
 * @param further steps of a `with` that depend on whether the session was opened; their rows are locked after the user's
 */
export const sessionOpening = (db: Db, further: (isOpened: SQL) => SQL) => {
  const statement = prepared(
    db,
    statementOf(sql`
      with opened as (${storing(placeholders)}), ${further(sql`exists (select from opened)`)}
      select id from opened`),
  )
  return async (stored: NewSession, { counted, cleared }: AttemptEnd): Promise<boolean> => {
    // Field by field: to spread both takes longer.
    const { sessionId, tokenId, userId, passwordHash, now, address, userAgent, console, steppedUp } = stored
    const rows = await statement({
      sessionId,
      tokenId,
      userId,
      passwordHash,
      now,
      address,
      userAgent,
      console,
      steppedUp,
      counted,
      cleared,
    })
    return rows.length > 0
  }
}

/** Whether a session is stored. */
export const isStored = ({ sessionId }: Pick<OpenedSession, 'sessionId'>): SQL =>
  sql`exists (select from ${sessions} where ${sessions.id} = ${sessionId})`

/**
 * Milliseconds for which the token just replaced is admitted, for the same client: another tab, or another call that was
 * under way, still has it. Later it is theft.
 */
const grace = 10_000

/** Of two requests that show one token at the same time, both get its one successor. */
export type Exchange =
  | { kind: 'exchanged'; tokenId: string; username: string; openedAt: Date }
  /** `why` is empty where the time of the session is over, and null where there is no such session. */
  | { kind: 'refused'; why: EndReason | '' | null }
  /** This ended the session. */
  | { kind: 'reused'; userId: number }

export interface ExchangeOptions {
  /** Of which kind the session has to be. */
  console: boolean
  /** The address and the program that ask. */
  client: string
  now: Date
  /** SESSION_MAX, milliseconds. */
  longest: number
}

/**
 * Exchanges the token of a session for a new one. The session is locked: of two exchanges of one token the second one
 * finds what the first one did, and gets the same new token where it is from the same client and not late. Otherwise a
 * token that was exchanged before may be stolen, and the session ends for both.
 */
export const exchangeToken = async (
  tx: Queryable,
  { sessionId, tokenId: shown, userId }: Claims,
  { console, client, now, longest }: ExchangeOptions,
): Promise<Exchange> => {
  const isThis = eq(sessions.id, sessionId)
  const [session] = await tx
    .select({
      tokenId: sessions.tokenId,
      previousTokenId: sessions.previousTokenId,
      rotatedAt: sessions.rotatedAt,
      rotatedFor: sessions.rotatedFor,
      endReason: sessions.endReason,
      openedAt: sessions.createdAt,
      isOpen: sql<boolean>`${isOpen(now, longest)}`,
      username: users.username,
      status: users.status,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(isThis, eq(sessions.console, console)))
    .for('no key update', { of: sessions })
  if (session === undefined) return { kind: 'refused', why: null }
  const { tokenId, username, openedAt } = session
  if (!session.isOpen) return { kind: 'refused', why: session.endReason as EndReason | '' }
  if (session.status !== 1) return { kind: 'refused', why: 'disabled' }
  if (tokenId !== shown) {
    const { previousTokenId, rotatedAt, rotatedFor } = session
    const isLate = rotatedAt === null || rotatedAt.getTime() + grace <= now.getTime()
    if (previousTokenId === shown && !isLate && rotatedFor === client) {
      return { kind: 'exchanged', tokenId, username, openedAt }
    }
    await tx.update(sessions).set({ endedAt: now, endReason: 'reuse' }).where(isThis)
    return { kind: 'reused', userId }
  }
  const next = randomUUID()
  const rotation = { tokenId: next, previousTokenId: tokenId, rotatedAt: now, rotatedFor: client, lastUsedAt: now }
  await tx.update(sessions).set(rotation).where(isThis)
  return { kind: 'exchanged', tokenId: next, username, openedAt }
}

/** What a client is told by. */
export const clientOf = ({ address, userAgent }: Origin): string => `${addressKey(address)} ${userAgent}`

/** Ends one session and returns its user; null: it had ended before. */
export const endSession = async (
  tx: Queryable,
  sessionId: string,
  reason: EndReason,
  now: Date,
): Promise<string | null> => {
  const [user] = await tx
    .update(sessions)
    .set({ endedAt: now, endReason: reason })
    .from(users)
    .where(and(eq(sessions.id, sessionId), isNull(sessions.endedAt), eq(users.id, sessions.userId)))
    .returning({ username: users.username })
  return user?.username ?? null
}

/** Ends this session of that user at a caller's request. false: they have no such session, or it had ended before. */
export const endSessionOf = async (
  permit: UsersPermit | OwnPermit,
  userId: number,
  sessionId: string,
): Promise<boolean> => {
  requirePermitted(permit, [userId])
  const ended = await permit.tx
    .update(sessions)
    .set({ endedAt: sql`now()`, endReason: 'revoked' })
    .where(and(eq(sessions.id, sessionId), eq(sessions.userId, userId), isNull(sessions.endedAt)))
    .returning({ id: sessions.id })
  return ended.length > 0
}

/**
 * Ends all sessions of these users, and the codes mailed to them: when the codes were requested, the reason to end the
 * sessions (another password, being disabled) was not known. Call it inside the transaction of that reason, after the
 * users' rows were changed; announce and drop their principals with it (see principals.ts).
 */
export const endSessions = async (
  permit: UsersPermit | OwnPermit | RunPermit,
  userIds: readonly number[],
  reason: EndReason,
  now = new Date(currentTime()),
): Promise<void> => {
  if (userIds.length === 0) return
  if ('ids' in permit) requirePermitted(permit, userIds)
  await inOrder(
    () =>
      permit.tx
        .update(sessions)
        .set({ endedAt: now, endReason: reason })
        .where(and(sql`${sessions.userId} = ${anyOfIds(userIds)}`, isNull(sessions.endedAt))),
    () => endMailedCodes(permit.tx, userIds),
  )
}
