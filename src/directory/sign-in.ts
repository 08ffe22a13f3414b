import { eq } from 'drizzle-orm'
import type { RequestContext } from '../contract/handler.ts'
import type { Db } from '../db/client.ts'
import { users } from '../db/schema.ts'
import { AppError } from '../errors.ts'
import type { BaseHandlers } from '../generated/directory.ts'
import { matchingKey } from '../ldap/dn.ts'
import type { SessionAlarms } from '../security/alerts/session-alarms.ts'
import type { Passwords } from './passwords.ts'
import type { Principals } from './principals.ts'
import { endSession, type OpenedSession, openSession, rotateToken } from './sessions.ts'
import type { Throttle } from './throttle.ts'
import { accountKey, addressKey } from './throttle-keys.ts'
import type { Tokens } from './tokens.ts'

export interface SignInOptions {
  db: Db
  passwords: Passwords
  throttle: Throttle
  tokens: Tokens
  principals: Principals
  sessionAlarms: SessionAlarms
  now?: () => number
}

/** Signing in, staying signed in, and signing out. */
export const signIn = (options: SignInOptions): Pick<BaseHandlers, 'login' | 'logout' | 'refreshToken'> => {
  const { db, passwords, throttle, tokens, principals, sessionAlarms, now = Date.now } = options

  /** null: no such user, a wrong password, a disabled user. All of them cost one check of a hash. */
  const open = async (username: string, password: string, request: RequestContext) => {
    const [user] = await db
      .select({ id: users.id, username: users.username, passwordHash: users.passwordHash })
      .from(users)
      .where(eq(users.usernameKey, matchingKey(username)))
    if (user) request.identify(user.username)
    const proven = await passwords.verify(user?.passwordHash ?? null, password)
    if (!proven || !user?.passwordHash) return null
    const session = await openSession(db, { id: user.id, passwordHash: user.passwordHash }, request, new Date(now()))
    return session && { userId: user.id, ...session }
  }

  return {
    async login({ body: { username, password }, request }) {
      const clear = passwords.accept('password', password)
      const account = accountKey(username)
      const subject = {
        counted: [account, addressKey(request.address)],
        cleared: [account],
        who: { username, address: request.address },
      }
      const opened: (OpenedSession & { userId: number }) | null = await throttle.guard(subject, () =>
        open(username, clear, request),
      )
      if (opened === null) throw new AppError('unauthenticated', 'the username or the password is wrong')
      sessionAlarms.opened({ sessionId: opened.sessionId, address: request.address })
      return tokens.issue(opened)
    },

    /** Asking twice, or with a token that is none, is no error: either way nobody is signed in with it afterwards. */
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
      if (claims === null) throw new AppError('unauthenticated', 'the token is not valid: sign in again')
      const changed = { sessionIds: [claims.sessionId] }
      const rotated = await db.transaction(async (tx) => {
        const outcome = await rotateToken(tx, claims, new Date(now()))
        if (outcome !== 'over') await principals.announce(tx, changed)
        return outcome
      })
      principals.drop(changed)
      if (rotated === 'reused') sessionAlarms.reused({ userId: claims.userId, address: request.address })
      if (typeof rotated === 'string') throw new AppError('unauthenticated', 'the token is not valid: sign in again')
      request.identify(rotated.username)
      return tokens.issue({ ...claims, tokenId: rotated.tokenId })
    },
  }
}
