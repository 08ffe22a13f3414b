import { randomUUID } from 'node:crypto'
import { and, eq, gt, isNull, or, type SQL, sql } from 'drizzle-orm'
import { type OwnPermit, type RunPermit, requirePermitted, type UsersPermit } from '../access/permits/permit.ts'
import type { Claims } from '../access/principals.ts'
import type { Queryable } from '../db/client.ts'
import { anyOfIds } from '../db/id-list.ts'
import { inOrder } from '../db/in-order.ts'
import { sessions, users } from '../db/schema.ts'
import { addressKey } from '../text/throttle-keys.ts'
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

/**
 * Opens a session for a user who has just proved this password. null: the user was disabled or got another password
 * meanwhile. The user's row is locked until the session is stored, so a change that ends sessions ends this one too.
 */
export const openSession = async (
  db: Queryable,
  user: { id: number; passwordHash: string },
  { address, userAgent }: Origin,
  { now, longest, console, steppedUp }: SessionKind,
): Promise<OpenedSession | null> => {
  const notAfter = new Date(now.getTime() + longest)
  const opened = { sessionId: randomUUID(), tokenId: randomUUID(), notAfter }
  const rows = await db.execute(sql`
    insert into ${sessions} (id, user_id, token_id, created_at, last_used_at, address, user_agent, console, stepped_up_at)
    select ${opened.sessionId}, ${users.id}, ${opened.tokenId}, ${now.toISOString()}::timestamptz,
      ${now.toISOString()}::timestamptz, ${address}, ${userAgent.slice(0, 512)}, ${console},
      case when ${steppedUp} then now() end
    from ${users}
    where ${users.id} = ${user.id} and ${users.status} = 1 and ${users.passwordHash} = ${user.passwordHash}
    for share
    returning id`)
  return rows.length > 0 ? opened : null
}

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
  now = new Date(),
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
