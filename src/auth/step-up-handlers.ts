import { changeFor } from '../access/committed.ts'
import { holdSession, markSteppedUp, type StepUpMethod, stepUpState } from '../access/step-up.ts'
import type { Background } from '../concurrency/background.ts'
import type { Principal } from '../contract/handler.ts'
import type { Db, Tx } from '../db/client.ts'
import type { StepUpHandlers } from '../generated/operations.ts'
import type { Mail, Message } from '../mail/open-mail.ts'
import { type Caller, factorAttempts } from './factor-attempts.ts'
import { reasons } from './reasons.ts'
import type { NoticeFactor } from './second-factor/notices.ts'
import { recoveryCodesLeft, spendRecoveryCode } from './second-factor/recovery-codes.ts'
import type { StepUpCodes } from './second-factor/step-up-codes.ts'
import type { TotpFactors } from './second-factor/totp-factors.ts'
import type { Throttle } from './throttle.ts'

export interface StepUpOptions {
  db: Db
  throttle: Throttle
  totp: TotpFactors
  stepUpCodes: StepUpCodes
  noticeFactor: NoticeFactor
  mail: Mail
  background: Background
}

/** Uses a proof inside a transaction; false: it is not valid, or no longer. */
type Proof = (tx: Tx) => Promise<boolean>

/** Proof of the second factor in a session. */
export const stepUpHandlers = (options: StepUpOptions): StepUpHandlers => {
  const { db, throttle, totp, stepUpCodes, noticeFactor, mail, background } = options
  const attempt = factorAttempts(options)

  const requireMethod = async (user: Principal, method: StepUpMethod): Promise<void> => {
    const { methods } = await stepUpState(db, user)
    if (methods.includes(method)) return
    if (methods.length === 0) throw reasons.no_step_up_method({ method })
    throw reasons.other_step_up_method({ method, methods: methods.join(' or ') })
  }

  const noticeUsed = async (tx: Tx, { user: { userId, username }, request }: Caller): Promise<void> => {
    const left = await recoveryCodesLeft(tx, userId)
    const user = { id: userId, username }
    await noticeFactor(tx, { user, event: { kind: 'code used', left }, from: request.address })
  }

  const proofs: Readonly<Record<StepUpMethod, (user: Principal, code: string) => Promise<Proof>>> = {
    totp:
      async ({ userId }, code) =>
      (tx) =>
        totp.take(tx, userId, code),
    recovery:
      async ({ userId }, code) =>
      (tx) =>
        spendRecoveryCode(tx, userId, code),
    async mail({ sessionId }, code) {
      const redeemable = await stepUpCodes.check(sessionId, code)
      return async (tx) => redeemable?.spend(tx) ?? false
    },
  }

  return {
    async stepUp({ body: { method, code }, user, request }) {
      await requireMethod(user, method)
      await attempt({ user, request }, async () => {
        const use = await proofs[method](user, code)
        return changeFor(db, user, async (tx) => {
          await holdSession(tx, user)
          if (!(await use(tx))) return null
          await markSteppedUp(tx, user)
          if (method === 'recovery') await noticeUsed(tx, { user, request })
          return true
        })
      })
      const { until } = await stepUpState(db, user)
      if (until === null) throw new Error('A session that was just stepped up is not')
      return { steppedUpUntil: until }
    },

    async sendStepUpCode({ user, request }) {
      await requireMethod(user, 'mail')
      const who = { username: user.username, address: request.address }
      // Every code counts, so that the limit protects a mailbox from being flooded.
      await throttle.run({ counted: [`mailed-code:${user.userId}`], cleared: [], who }, async () => null)
      const issued = await stepUpCodes.issue(user.sessionId)
      if (issued !== null) {
        background.run('mailing a code', () => mail.send(codeMessage(issued.mail, user.username, issued.code)))
      }
      return null
    },
  }
}

const codeMessage = (to: string, username: string, code: string): Message => ({
  to,
  subject: 'Your confirmation code',
  text: `Someone signed in as "${username}", probably you, wants to do something important.

The code is ${code}. It is valid for 10 minutes and can be used once.

If it was not you, change your password: that ends all sign-ins.
`,
})
