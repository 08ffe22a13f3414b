import { permitOwn } from '../access/permits/users.ts'
import type { Principals } from '../access/principals.ts'
import type { SessionAlerts } from '../alerts/session-alerts.ts'
import type { Background } from '../concurrency/background.ts'
import { SuccessWithCookie } from '../contract/handler.ts'
import type { Db } from '../db/client.ts'
import type { ConsoleHandlers } from '../generated/operations.ts'
import type { Mail, Message } from '../mail/open-mail.ts'
import { type MirroredOptions, mirroredChange } from '../mirror/mirrored.ts'
import { touch } from '../mirror/touch.ts'
import { currentTime } from '../runtime/clock.ts'
import { addressKey } from '../text/throttle-keys.ts'
import type { ConsoleSessions } from './console-sessions.ts'
import type { MailCodes } from './mail-codes.ts'
import { resetPassword } from './password-writes.ts'
import type { Passwords } from './passwords.ts'
import { reasons } from './reasons.ts'
import { endSession, endSessions } from './sessions.ts'
import type { SignInProof } from './sign-in-proof.ts'
import type { Throttle } from './throttle.ts'

export interface ConsoleOptions extends MirroredOptions {
  db: Db
  signInProof: SignInProof
  consoleSessions: ConsoleSessions
  mailCodes: MailCodes
  passwords: Passwords
  principals: Principals
  throttle: Throttle
  sessionAlerts: SessionAlerts
  mail: Mail
  background: Background
}

/** Signing in to the web console: the session is in a cookie, never in the response. */
export const consoleHandlers = (options: ConsoleOptions): ConsoleHandlers => {
  const { db, signInProof, consoleSessions, mailCodes, passwords, principals, throttle, sessionAlerts } = options
  const { mail, background } = options
  const change = mirroredChange(options)

  return {
    /** What is missing yet, such as a code, is a 401 that says so (sign-in-proof.ts): the whole request is made again with it. */
    async openConsoleSession({ body, request }) {
      const opened = await signInProof.open(body, request, { longest: consoleSessions.longest, console: true })
      const { userId, username, name, notAfter, required, sessionId, administrator } = opened
      sessionAlerts.opened({ sessionId, administrator, address: request.address })
      const session = { endsAt: notAfter.toISOString(), secure: request.secure, required }
      return new SuccessWithCookie(
        { user: { id: userId, username, name }, ...session },
        consoleSessions.cookie(opened, notAfter),
      )
    },

    /** A repeated request, or one without a valid cookie, is not an error: the session has ended either way. */
    async closeConsoleSession({ request }) {
      const claims = consoleSessions.read(request.consoleCookie)
      if (claims !== null) {
        const over = { sessionIds: [claims.sessionId] }
        await db.transaction(async (tx) => {
          const username = await endSession(tx, claims.sessionId, 'logout', new Date(currentTime()))
          if (username !== null) request.identify(username)
          await principals.announce(tx, over)
        })
        principals.drop(over)
      }
      return new SuccessWithCookie(null, null)
    },

    async sendSignInCode({ body, request }) {
      const user = await signInProof.proven(body, request)
      if (user.methods.length === 0) throw reasons.no_code_asked()
      if (!user.methods.includes('mail')) throw reasons.no_mailed_code({ methods: user.methods.join(' or ') })
      const who = { username: user.username, address: request.address }
      // Every code counts, so that the limit protects a mailbox from being flooded.
      await throttle.run({ counted: [`mailed-code:${user.id}`], cleared: [], who }, async () => null)
      const issued = await mailCodes.issueSignIn(user.id)
      if (issued !== null) background.run('mailing a code', () => mail.send(codeMessage(issued)))
      return null
    },

    async setPasswordByLink({ body: { token, newPassword }, request }) {
      // Refused before the link is used: a password that breaks the rules must not cost it.
      passwords.acceptNew('newPassword', newPassword, '')
      const counted = [addressKey(request.address)]
      const redeemable = await throttle.run({ counted, cleared: [], who: { address: request.address } }, () =>
        mailCodes.checkLink(token),
      )
      if (redeemable === null) throw reasons.link_void.at('token')
      const { userId, username } = redeemable
      request.identify(username)
      const sealed = await passwords.seal(passwords.acceptNew('newPassword', newPassword, username))
      return change('a proof', async (tx) => {
        const permit = permitOwn(tx, userId, 'a mailed code')
        if (!(await resetPassword(permit, userId, sealed)) || !(await redeemable.spend(tx))) {
          throw reasons.link_void.at('token')
        }
        await endSessions(permit, [userId], 'password')
        const touched = await touch(tx, 'user', [userId], { withdraws: true })
        return { data: null, touched, callers: { userIds: [userId] } }
      })
    },
  }
}

const codeMessage = ({ mail, username, code }: { mail: string; username: string; code: string }): Message => ({
  to: mail,
  subject: 'Your sign-in code',
  text: `Someone, probably you, signs in as "${username}" with the right password.

The code is ${code}. It is valid for 10 minutes and can be used once.

If it was not you, change your password: someone else knows it.
`,
})
