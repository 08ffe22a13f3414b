import type { LoadedPrincipal } from '../access/principal-query.ts'
import type { Claims, Principals } from '../access/principals.ts'
import { reasons as access } from '../access/reasons.ts'
import type { SessionAlerts } from '../alerts/session-alerts.ts'
import type { Credential } from '../contract/authenticate.ts'
import type { Db } from '../db/client.ts'
import type { AppError } from '../failures/errors.ts'
import { currentTime } from '../runtime/clock.ts'
import { reasons } from './reasons.ts'
import { clientOf, type EndReason, exchangeToken, longestConsole } from './sessions.ts'
import type { Tokens } from './tokens.ts'

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

/**
 * The sessions of the web console. The cookie holds a token that is exchanged whenever it has expired (TOKEN_TTL). Two
 * tabs that exchange one token at the same time get the same successor.
 */
export const openConsoleSessions = (options: ConsoleSessionsOptions): ConsoleSessions => {
  const { db, tokens, principals, sessionAlerts, sessionMax, now = currentTime } = options
  const longest = Math.min(sessionMax, longestConsole)

  const cookie: ConsoleSessions['cookie'] = (session, notAfter) => tokens.issue(session, notAfter, 'console').token

  return {
    longest,
    cookie,
    read: (value) => tokens.read(value, 'console'),

    async admit({ value, client }, renewed) {
      const claims = tokens.read(value, 'console')
      if (claims === null) throw access.not_signed_in()
      if (claims.expiresAt.getTime() > now()) {
        const loaded = await principals.find(claims)
        if (loaded?.console) return loaded
      }
      const changed = { sessionIds: [claims.sessionId] }
      const exchange = { console: true, client: clientOf(client), now: new Date(now()), longest }
      const outcome = await db.transaction(async (tx) => {
        const made = await exchangeToken(tx, claims, exchange)
        if (made.kind !== 'refused') await principals.announce(tx, changed)
        return made
      })
      principals.drop(changed)
      if (outcome.kind === 'refused') throw outcome.why === null ? access.not_signed_in() : endedBecause(outcome.why)
      if (outcome.kind === 'reused') {
        sessionAlerts.reused({ userId: outcome.userId, address: client.address })
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
const endedBecause = (reason: EndReason | ''): AppError =>
  ((reason !== '' && whyEnded[reason]) || reasons.session_too_old)()

const whyEnded: Readonly<Partial<Record<EndReason, () => AppError>>> = {
  logout: reasons.session_signed_out,
  password: reasons.session_ended_password,
  disabled: reasons.session_ended_disabled,
  reuse: reasons.session_ended_theft,
  revoked: reasons.session_ended_elsewhere,
  restore: reasons.session_ended_restore,
}
