import { permitOwn } from '../access/permits/users.ts'
import type { Principals } from '../access/principals.ts'
import { demandsFactor, type SecondFactorPolicy } from '../access/second-factor-policy.ts'
import { holdUserToChange, type StepUpMethod } from '../access/step-up.ts'
import type { RequestContext } from '../contract/handler.ts'
import type { Db, Tx } from '../db/client.ts'
import type { Reconciler } from '../mirror/reconciler.ts'
import { type Touched, touch } from '../mirror/touch.ts'
import { currentTime } from '../runtime/clock.ts'
import { isMailAddress, usernameKey } from '../text/identity-keys.ts'
import { accountKey, addressKey } from '../text/throttle-keys.ts'
import { type AttemptEnd, successSteps } from './attempt-counter.ts'
import type { MailCodes, Redeemable } from './mail-codes.ts'
import { renewHashes, replacePassword } from './password-writes.ts'
import { directoryValueOf, type Passwords, type StoredPassword } from './passwords.ts'
import type { ProvenPasswords } from './proven-passwords.ts'
import { reasons } from './reasons.ts'
import type { NoticeFactor } from './second-factor/notices.ts'
import { recoveryCodesLeft, spendRecoveryCode } from './second-factor/recovery-codes.ts'
import type { TotpFactors } from './second-factor/totp-factors.ts'
import {
  endSessions,
  isStored,
  newSession,
  type OpenedSession,
  openSession,
  type SessionKind,
  sessionOpening,
} from './sessions.ts'
import { type FoundUser, type ProvenUser, userByName } from './sign-in-user.ts'
import type { Ongoing, Subject, Throttle } from './throttle.ts'

export interface SignInProofOptions {
  db: Db
  reconciler: Pick<Reconciler, 'earlyClaim' | 'settle' | 'verifies' | 'passwordUsed'>
  passwords: Passwords
  provenPasswords: Pick<ProvenPasswords, 'signedIn'>
  throttle: Throttle
  principals: Pick<Principals, 'announce' | 'drop'>
  totp: TotpFactors
  mailCodes: MailCodes
  noticeFactor: NoticeFactor
  /** SECOND_FACTOR */
  secondFactor: SecondFactorPolicy
  now?: () => number
}

/** What a caller shows to sign in. */
export interface SignInCredentials {
  username: string
  password: string
  code?: string
  newPassword?: string
}

export interface SignedIn extends OpenedSession {
  userId: number
  username: string
  name: string
  /** Set where the session may do nothing else before an authenticator app is enrolled. */
  required: 'enrolment' | null
  administrator: boolean
}

/** Where and how a session is to be opened. */
interface Opening {
  request: RequestContext
  kind: Pick<SessionKind, 'longest' | 'console'>
  ongoing: Ongoing
}

export interface SignInProof {
  /** Opens a session. @throws AppError that says what is wrong, or missing beside the right password */
  open(
    credentials: SignInCredentials,
    request: RequestContext,
    kind: Pick<SessionKind, 'longest' | 'console'>,
  ): Promise<SignedIn>
  /** The user of this name and password. @throws AppError wrong_credentials, limited */
  proven(credentials: Pick<SignInCredentials, 'username' | 'password'>, request: RequestContext): Promise<ProvenUser>
}

/**
 * The one way to sign in: the password, then a new password where it must be changed, then the second factor of a user
 * who has one. Whatever is missing is asked for without counting as a failure; whatever is wrong counts.
 */
export const openSignInProof = (options: SignInProofOptions): SignInProof => {
  const { db, reconciler, passwords, throttle, principals, totp, mailCodes, noticeFactor, secondFactor } = options
  const { now = currentTime } = options
  const attemptOn = throttle.reading<FoundUser>(userByName)
  const openCounted = sessionOpening(db, successSteps)

  /**
   * Replaces an older kind of hash by the present one, which is possible only when the user has just proved the
   * password.
   * @returns the hash that is stored from now on
   */
  const renewed = async (id: number, password: string, kept: StoredPassword): Promise<string> => {
    const renewal = await passwords.renewal(password, kept, reconciler.verifies)
    if (renewal === null) return kept.passwordHash
    const touched = await db.transaction(async (tx) =>
      (await renewHashes(permitOwn(tx, id, 'a password'), id, kept.passwordHash, renewal))
        ? touch(tx, 'user', [id])
        : null,
    )
    // The password was changed meanwhile: then the old one opens no session.
    if (touched === null) return kept.passwordHash
    void reconciler.settle(touched)
    return renewal.passwordHash
  }

  /** null: no such user, a wrong password, a disabled user. Each of them costs one check of a hash. */
  const prove = async (
    user: FoundUser | null,
    password: string,
    request: RequestContext,
  ): Promise<ProvenUser | null> => {
    if (user) request.identify(user.username)
    const isRight = await passwords.verify(user?.passwordHash ?? null, password)
    if (!isRight || !user?.passwordHash || user.status !== 1) return null
    const {
      id,
      username,
      name,
      mail,
      mustChangePassword,
      administrator,
      hasApp,
      hasRecoveryCodes,
      passwordHash: stored,
    } = user
    const kept = { passwordHash: stored, directoryPassword: user.directoryPassword }
    const passwordHash = await renewed(id, password, kept)
    const mustEnrol = !hasApp && demandsFactor(secondFactor, { administrator })
    const mailed: StepUpMethod[] = mustEnrol && isMailAddress(mail) ? ['mail'] : []
    return {
      id,
      username,
      name,
      mail,
      mustChangePassword,
      administrator,
      passwordHash,
      kept: passwordHash === stored ? kept : null,
      methods: hasApp ? ['totp', ...(hasRecoveryCodes ? (['recovery'] as const) : [])] : mailed,
      mustEnrol,
    }
  }

  /** @throws AppError that asks for what is missing; an error counts neither as a failure nor as a success */
  const requireAll = ({ mustChangePassword, methods }: ProvenUser, { code, newPassword }: SignInCredentials): void => {
    if (mustChangePassword && !newPassword) {
      throw reasons.new_password_required({ data: { required: 'new_password', methods: [] } })
    }
    if (methods.length > 0 && !code) {
      throw reasons.second_factor_required({ data: { required: 'second_factor', methods } })
    }
  }

  const redeemCode = async (tx: Tx, user: ProvenUser, code: string, mailed: Redeemable | null, from: string) => {
    if (user.methods.includes('mail')) return (await mailed?.spend(tx)) ?? false
    if (/^\d{6}$/.test(code)) return totp.take(tx, user.id, code)
    if (!(await spendRecoveryCode(tx, user.id, code))) return false
    const left = await recoveryCodesLeft(tx, user.id)
    await noticeFactor(tx, { user, event: { kind: 'code used', left }, from })
    return true
  }

  /** All of it or nothing: a code is used up only by the sign-in that it opens. null: the code is wrong. */
  const openProven = async (
    user: ProvenUser,
    credentials: SignInCredentials,
    { request, kind, ongoing }: Opening,
  ): Promise<{ session: OpenedSession | null; touched: Touched[] } | null> => {
    const { code = '', newPassword = '' } = credentials
    const sealed = user.mustChangePassword ? await passwords.seal(newPassword) : null
    const mailed = user.methods.includes('mail') ? await mailCodes.checkSignIn(user.id, code) : null
    const changed = { userIds: [user.id] }
    const sessionFor = (passwordHash: string) =>
      newSession({ id: user.id, passwordHash }, request, {
        longest: kind.longest,
        console: kind.console,
        now: new Date(now()),
        steppedUp: user.methods.length > 0,
      })
    // Most sign-ins: nothing is used up or changed beside it.
    if (sealed === null && user.methods.length === 0) {
      const { opened, stored } = sessionFor(user.passwordHash)
      const open = async (end: AttemptEnd) => ((await openCounted(stored, end)) ? opened : null)
      return { session: await ongoing.succeed(open, () => isStored(opened)), touched: [] }
    }
    const opened = await db.transaction(async (tx) => {
      let touched: Touched[] = []
      let { passwordHash } = user
      await holdUserToChange(tx, { userId: user.id })
      if (user.methods.length > 0 && !(await redeemCode(tx, user, code, mailed, request.address))) return null
      if (sealed !== null) {
        const permit = permitOwn(tx, user.id, 'a password')
        if (!(await replacePassword(permit, user.id, passwordHash, sealed))) return { session: null, touched }
        await endSessions(permit, [user.id], 'password', new Date(now()))
        touched = await touch(tx, 'user', [user.id], { withdraws: true })
        await principals.announce(tx, changed)
        passwordHash = sealed.passwordHash
      }
      const { opened, stored } = sessionFor(passwordHash)
      return { session: (await openSession(tx, stored)) ? opened : null, touched }
    })
    if (sealed !== null) principals.drop(changed)
    return opened
  }

  /** @param clears whether a success clears the failures of the account */
  const subjectOf = (username: string, { address }: RequestContext, clears: boolean): Subject => {
    const account = accountKey(username)
    return {
      counted: [account, addressKey(address)],
      cleared: clears ? [account] : [],
      who: { username, address },
    }
  }

  return {
    async open(credentials, request, kind) {
      const password = passwords.accept('password', credentials.password)
      const { username } = credentials
      let wrongCode = false
      const subject = subjectOf(username, request, true)
      const byName = { usernameKey: usernameKey(username) }
      const opened = await attemptOn(subject, byName, async (found, ongoing) => {
        const user = await prove(found, password, request)
        if (user === null) return null
        requireAll(user, credentials)
        const newPassword = user.mustChangePassword
          ? acceptReplacement(passwords, credentials, user.username, password)
          : ''
        const attempt = () => openProven(user, { ...credentials, newPassword }, { request, kind, ongoing })
        const key = `second-factor:${user.id}`
        const result =
          user.methods.length === 0
            ? await attempt()
            : await throttle.run({ counted: [key], cleared: [key], who: subject.who }, attempt)
        wrongCode = result === null
        // Without a session the user was disabled or got another password meanwhile.
        return result?.session ? { session: result.session, user, touched: result.touched } : null
      })
      if (opened === null) throw wrongCode ? reasons.wrong_factor_code.at('code') : reasons.wrong_credentials()
      const { user, touched, session } = opened
      if (touched.length > 0) await reconciler.settle(touched)
      const { id: userId, name, administrator, kept } = user
      const { sessionId, tokenId, notAfter } = session
      // Not before the second factor, and not a password that has just been replaced.
      if (kept !== null && !user.mustChangePassword) {
        await passwords.used(password, kept)
        await reconciler.passwordUsed(userId, directoryValueOf(kept))
        options.provenPasswords.signedIn(userId, password, kept)
      }
      const required = user.mustEnrol ? 'enrolment' : null
      return { sessionId, tokenId, notAfter, userId, username: user.username, name, administrator, required }
    },

    async proven(credentials, request) {
      const password = passwords.accept('password', credentials.password)
      // Nothing is cleared: a caller who knows the password could otherwise clear the count of wrong codes.
      const subject = subjectOf(credentials.username, request, false)
      const byName = { usernameKey: usernameKey(credentials.username) }
      const user = await attemptOn(subject, byName, (found) => prove(found, password, request))
      if (user === null) throw reasons.wrong_credentials()
      return user
    },
  }
}

/** @throws AppError (invalid) naming `newPassword` */
const acceptReplacement = (
  passwords: Passwords,
  { newPassword = '' }: SignInCredentials,
  username: string,
  password: string,
): string => {
  const accepted = passwords.acceptNew('newPassword', newPassword, username)
  if (accepted === password) throw reasons.same_password.at('newPassword')
  return accepted
}
