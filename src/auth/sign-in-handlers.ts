import { eq } from 'drizzle-orm'
import { permitOwn } from '../access/permits/users.ts'
import type { Principals } from '../access/principals.ts'
import type { SessionAlerts } from '../alerts/session-alerts.ts'
import type { RequestContext } from '../contract/handler.ts'
import type { Db } from '../db/client.ts'
import { users } from '../db/schema.ts'
import type { BaseHandlers } from '../generated/directory.ts'
import type { Reconciler } from '../mirror/reconciler.ts'
import { touch } from '../mirror/touch.ts'
import { usernameKey } from '../text/identity-keys.ts'
import { accountKey, addressKey } from '../text/throttle-keys.ts'
import { replacePassword } from './password-writes.ts'
import type { Passwords, StoredPassword } from './passwords.ts'
import { reasons } from './reasons.ts'
import { endSession, type OpenedSession, openSession, rotateToken } from './sessions.ts'
import type { Throttle } from './throttle.ts'
import type { Tokens } from './tokens.ts'

export interface SignInOptions {
  db: Db
  reconciler: Pick<Reconciler, 'settle' | 'verifies'>
  passwords: Passwords
  throttle: Throttle
  tokens: Tokens
  principals: Principals
  sessionAlerts: SessionAlerts
  /** SESSION_MAX, milliseconds. */
  sessionMax: number
  now?: () => number
}

/** Sign-in, refresh and sign-out. A sign-in asks for the password alone: the second factor is a step-up of the session. */
export const signInHandlers = (options: SignInOptions): Pick<BaseHandlers, 'login' | 'logout' | 'refreshToken'> => {
  const { db, reconciler, passwords, throttle, tokens, principals, sessionAlerts, sessionMax, now = Date.now } = options

  /**
   * Replaces an older kind of hash by the present one, which is possible only when the user has just proved the
   * password.
   * @returns the hash that is stored from now on
   */
  const renewed = async (id: number, password: string, kept: StoredPassword): Promise<string> => {
    const renewal = await passwords.renewal(password, kept, reconciler.verifies)
    if (renewal === null) return kept.passwordHash
    const touched = await db.transaction(async (tx) =>
      (await replacePassword(permitOwn(tx, id, 'a password'), id, kept.passwordHash, renewal))
        ? touch(tx, 'user', [id])
        : null,
    )
    // The password was changed meanwhile: then the old one opens no session.
    if (touched === null) return kept.passwordHash
    void reconciler.settle(touched)
    return renewal.passwordHash
  }

  /** null: no such user, a wrong password, a disabled user. Each of them costs one check of a hash. */
  const open = async (username: string, password: string, request: RequestContext) => {
    const [user] = await db
      .select({
        id: users.id,
        username: users.username,
        passwordHash: users.passwordHash,
        directoryPassword: users.directoryPassword,
      })
      .from(users)
      .where(eq(users.usernameKey, usernameKey(username)))
    if (user) request.identify(user.username)
    const proven = await passwords.verify(user?.passwordHash ?? null, password)
    if (!proven || !user?.passwordHash) return null
    const { id, passwordHash, directoryPassword } = user
    const proof = { id, passwordHash: await renewed(id, password, { passwordHash, directoryPassword }) }
    const session = await openSession(db, proof, request, new Date(now()), sessionMax)
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
      const opened: (OpenedSession & { userId: number }) | null = await throttle.run(subject, () =>
        open(username, clear, request),
      )
      if (opened === null) throw reasons.wrong_credentials()
      sessionAlerts.opened({ sessionId: opened.sessionId, address: request.address })
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
      const rotated = await db.transaction(async (tx) => {
        const outcome = await rotateToken(tx, claims, new Date(now()), sessionMax)
        if (outcome !== 'over') await principals.announce(tx, changed)
        return outcome
      })
      principals.drop(changed)
      if (rotated === 'reused') sessionAlerts.reused({ userId: claims.userId, address: request.address })
      if (typeof rotated === 'string') throw reasons.token_invalid()
      request.identify(rotated.username)
      return tokens.issue({ ...claims, tokenId: rotated.tokenId }, rotated.notAfter)
    },
  }
}
