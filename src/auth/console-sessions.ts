import { randomUUID } from 'node:crypto'
import { and, eq, sql } from 'drizzle-orm'
import type { LoadedPrincipal } from '../access/principal-query.ts'
import type { Claims, Principals } from '../access/principals.ts'
import { reasons as access } from '../access/reasons.ts'
import type { SessionAlerts } from '../alerts/session-alerts.ts'
import type { Credential } from '../contract/authenticate.ts'
import type { Db, Tx } from '../db/client.ts'
import { sessions, users } from '../db/schema.ts'
import type { AppError } from '../errors.ts'
import { addressKey } from '../text/throttle-keys.ts'
import { reasons } from './reasons.ts'
import { type EndReason, isOpen, longestConsole } from './sessions.ts'
import type { Tokens } from './tokens.ts'

/**
 * Milliseconds for which the token just replaced is admitted, for the same client: the requests of another tab that
 * were under way still have it. Later it is theft.
 */
const grace = 10_000

type Shown = Extract<Credential, { kind: 'console' }>

export interface ConsoleSessions {
  /** Milliseconds from its sign-in to the latest end of a session. */
  longest: number
  /** The value of the cookie for a session. */
  cookie(session: Omit<Claims, 'expiresAt'>, notAfter: Date): string
  /**
   * The user of a cookie. A token that has expired is exchanged, as long as its session is open.
   * @param renewed called with the new value of the cookie
   * @throws AppError (unauthenticated) with the reason why the session has ended
   */
  admit(shown: Shown, renewed: (value: string) => void): Promise<LoadedPrincipal>
  /** The claims of a cookie, whether its session is open or not; null: this installation did not make it. */
  read(value: string | null): Claims | null
}

export interface ConsoleSessionsOptions {
  db: Db
  tokens: Tokens
  principals: Pick<Principals, 'find' | 'announce' | 'drop'>
  sessionAlerts: Pick<SessionAlerts, 'reused'>
  /** SESSION_MAX, milliseconds. */
  sessionMax: number
  now?: () => number
}

/** What a request with a token that is not the current one, or has expired, comes to. */
type Exchange =
  | { kind: 'exchanged'; tokenId: string; openedAt: Date }
  | { kind: 'refused'; why: AppError }
  | { kind: 'reused'; userId: number }

/**
 * The sessions of the web console. The cookie holds a token that is exchanged whenever it has expired (TOKEN_TTL). Two
 * tabs that exchange one token at the same time get the same successor.
 */
export const openConsoleSessions = (options: ConsoleSessionsOptions): ConsoleSessions => {
  const { db, tokens, principals, sessionAlerts, sessionMax, now = Date.now } = options
  const longest = Math.min(sessionMax, longestConsole)

  const cookie: ConsoleSessions['cookie'] = (session, notAfter) => tokens.issue(session, notAfter, 'console').token

  /** In one transaction, in which the session is locked: of two requests the second one finds what the first one did. */
  const exchange = async (tx: Tx, claims: Claims, client: string, at: Date): Promise<Exchange> => {
    const [session] = await tx
      .select({
        tokenId: sessions.tokenId,
        previousTokenId: sessions.previousTokenId,
        rotatedAt: sessions.rotatedAt,
        rotatedFor: sessions.rotatedFor,
        endReason: sessions.endReason,
        openedAt: sessions.createdAt,
        isOpen: sql<boolean>`${isOpen(at, longest)}`,
      })
      .from(sessions)
      .where(and(eq(sessions.id, claims.sessionId), eq(sessions.console, true)))
      .for('no key update')
    if (session === undefined) return { kind: 'refused', why: access.not_signed_in() }
    const { tokenId, previousTokenId, rotatedAt, rotatedFor, endReason, openedAt } = session
    if (!session.isOpen) return { kind: 'refused', why: endedBecause(endReason) }
    const isLate = rotatedAt === null || rotatedAt.getTime() + grace <= at.getTime()
    if (tokenId !== claims.tokenId) {
      if (previousTokenId === claims.tokenId && !isLate && rotatedFor === client) {
        return { kind: 'exchanged', tokenId, openedAt }
      }
      await tx.update(sessions).set({ endedAt: at, endReason: 'reuse' }).where(eq(sessions.id, claims.sessionId))
      return { kind: 'reused', userId: claims.userId }
    }
    const next = randomUUID()
    const enabled = tx
      .select({ id: users.id })
      .from(users)
      .where(and(eq(users.id, claims.userId), eq(users.status, 1)))
    const rotated = await tx
      .update(sessions)
      .set({ tokenId: next, previousTokenId: tokenId, rotatedAt: at, rotatedFor: client, lastUsedAt: at })
      .where(and(eq(sessions.id, claims.sessionId), sql`${sessions.userId} in ${enabled}`))
      .returning({ id: sessions.id })
    if (rotated.length === 0) return { kind: 'refused', why: endedBecause('disabled') }
    return { kind: 'exchanged', tokenId: next, openedAt }
  }

  return {
    longest,
    cookie,
    read: (value) => tokens.read(value, 'console'),

    async admit({ value, client: { address, userAgent } }, renewed) {
      const claims = tokens.read(value, 'console')
      if (claims === null) throw access.not_signed_in()
      if (claims.expiresAt.getTime() > now()) {
        const loaded = await principals.find(claims)
        if (loaded?.console) return loaded
      }
      const changed = { sessionIds: [claims.sessionId] }
      const client = `${addressKey(address)} ${userAgent}`
      const outcome = await db.transaction(async (tx) => {
        const made = await exchange(tx, claims, client, new Date(now()))
        if (made.kind !== 'refused') await principals.announce(tx, changed)
        return made
      })
      principals.drop(changed)
      if (outcome.kind === 'refused') throw outcome.why
      if (outcome.kind === 'reused') {
        sessionAlerts.reused({ userId: outcome.userId, address })
        throw endedBecause('reuse')
      }
      const { tokenId, openedAt } = outcome
      const next = { ...claims, tokenId }
      const loaded = await principals.find(next)
      if (loaded === null) throw access.session_over()
      renewed(cookie(next, new Date(openedAt.getTime() + longest)))
      return loaded
    },
  }
}

/** @param reason that of the session's row; empty: its time is over */
const endedBecause = (reason: string): AppError => (whyEnded[reason as EndReason] ?? reasons.session_too_old)()

const whyEnded: Readonly<Partial<Record<EndReason, () => AppError>>> = {
  logout: reasons.session_signed_out,
  password: reasons.session_ended_password,
  disabled: reasons.session_ended_disabled,
  reuse: reasons.session_ended_theft,
  revoked: reasons.session_ended_elsewhere,
  restore: reasons.session_ended_restore,
}
