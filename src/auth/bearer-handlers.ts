import type { Principals } from '../access/principals.ts'
import type { SessionAlerts } from '../alerts/session-alerts.ts'
import type { Db } from '../db/client.ts'
import type { BaseHandlers } from '../generated/directory.ts'
import { currentTime } from '../runtime/clock.ts'
import { reasons } from './reasons.ts'
import { clientOf, endSession, exchangeToken } from './sessions.ts'
import type { SignInProof } from './sign-in-proof.ts'
import type { Tokens } from './tokens.ts'

export interface SignInOptions {
  db: Db
  signInProof: SignInProof
  tokens: Tokens
  principals: Principals
  sessionAlerts: SessionAlerts
  /** SESSION_MAX, milliseconds. */
  sessionMax: number
  now?: () => number
}

/** Sign-in, refresh and sign-out by bearer tokens. */
export const signInHandlers = (options: SignInOptions): Pick<BaseHandlers, 'login' | 'logout' | 'refreshToken'> => {
  const { db, signInProof, tokens, principals, sessionAlerts, sessionMax, now = currentTime } = options

  return {
    async login({ body, request }) {
      const opened = await signInProof.open(body, request, { longest: sessionMax, console: false })
      const { sessionId, administrator } = opened
      sessionAlerts.opened({ sessionId, administrator, address: request.address })
      return tokens.issue(opened, opened.notAfter)
    },

    /** A repeated request, or one without a valid token, is not an error: the session has ended either way. */
    async logout({ request }) {
      const claims = tokens.read(request.token)
      if (claims === null) return null
      const over = { sessionIds: [claims.sessionId] }
      await db.transaction(async (tx) => {
        const username = await endSession(tx, claims.sessionId, 'logout', new Date(now()))
        if (username !== null) request.identify(username)
        await principals.announce(tx, over)
      })
      principals.drop(over)
      return null
    },

    async refreshToken({ request }) {
      const claims = tokens.read(request.token)
      if (claims === null) throw reasons.token_invalid()
      const changed = { sessionIds: [claims.sessionId] }
      const exchange = { console: false, client: clientOf(request), now: new Date(now()), longest: sessionMax }
      const outcome = await db.transaction(async (tx) => {
        const made = await exchangeToken(tx, claims, exchange)
        if (made.kind !== 'refused') await principals.announce(tx, changed)
        return made
      })
      principals.drop(changed)
      if (outcome.kind === 'reused') sessionAlerts.reused({ userId: outcome.userId, address: request.address })
      if (outcome.kind !== 'exchanged') throw reasons.token_invalid()
      const { tokenId, username, openedAt } = outcome
      request.identify(username)
      return tokens.issue({ ...claims, tokenId }, new Date(openedAt.getTime() + sessionMax))
    },
  }
}
