import { eq } from 'drizzle-orm'
import type { Principal } from '../contract/handler.ts'
import type { Db } from '../db/client.ts'
import { secondFactors } from '../db/schema.ts'
import { type PasswordProofOptions, passwordProof } from '../directory/password-proof.ts'
import { only } from '../directory/request-fields.ts'
import { lockUser, requireStronger } from '../directory/seniority.ts'
import { AppError, fieldError } from '../errors.ts'
import type { SecondFactorHandlers } from '../generated/operations.ts'
import type { NoticedChange, NoticeFactor } from '../security/second-factor/notices.ts'
import { qrDataUrl } from '../security/second-factor/qr.ts'
import { issueRecoveryCodes, recoveryCodesLeft } from '../security/second-factor/recovery-codes.ts'
import { markSteppedUp, requireStepUp, stepUpState } from '../security/second-factor/step-up.ts'
import { totpUri } from '../security/second-factor/totp.ts'
import { removeSecondFactor, type TotpFactors } from '../security/second-factor/totp-factors.ts'
import { factorAttempts } from './factor-attempts.ts'

export interface FactorsOptions extends PasswordProofOptions {
  db: Db
  totp: TotpFactors
  noticeFactor: NoticeFactor
}

/** The caller's own authenticator app, and the way out for somebody who has lost his. */
export const factorsHandlers = (options: FactorsOptions): SecondFactorHandlers => {
  const { db, totp, noticeFactor } = options
  const prove = passwordProof(options)
  const attempt = factorAttempts(options)

  return {
    async getSecondFactor({ user }) {
      const [factor] = await db
        .select({ confirmedAt: secondFactors.confirmedAt })
        .from(secondFactors)
        .where(eq(secondFactors.userId, user.userId))
      const { until, methods } = await stepUpState(db, user)
      return {
        totp: factor === undefined ? 'none' : factor.confirmedAt === null ? 'pending' : 'confirmed',
        confirmedAt: factor?.confirmedAt?.toISOString() ?? null,
        recoveryCodesLeft: await recoveryCodesLeft(db, user.userId),
        methods,
        steppedUpUntil: until,
      }
    },

    async enrolTotp({ body: { password }, user, request }) {
      await prove({ user, request }, 'password', password)
      const secret = await totp.enrol(db, user.userId)
      const uri = totpUri(secret, user.username)
      return { secret, uri, qr: qrDataUrl(uri) }
    },

    async confirmTotp({ body: { code }, user, request }) {
      const recoveryCodes = await attempt({ user, request }, () =>
        db.transaction(async (tx) => {
          if (!(await totp.confirm(tx, user.userId, code))) return null
          await markSteppedUp(tx, user)
          await noticeFactor(tx, { user: own(user), event: { kind: 'enrolled' }, from: request.address })
          return issueRecoveryCodes(tx, user.userId)
        }),
      )
      return { recoveryCodes }
    },

    renewRecoveryCodes: ({ user, request }) =>
      db.transaction(async (tx) => {
        await requireStepUp(tx, user)
        if (!(await totp.isConfirmed(tx, user.userId))) throw noApp()
        await noticeFactor(tx, { user: own(user), event: { kind: 'codes renewed' }, from: request.address })
        return { recoveryCodes: await issueRecoveryCodes(tx, user.userId) }
      }),

    disableSecondFactor: ({ user, request }) =>
      db.transaction(async (tx) => {
        await requireStepUp(tx, user)
        if (!(await removeSecondFactor(tx, user.userId))) throw noApp()
        await noticeFactor(tx, { user: own(user), event: { kind: 'disabled' }, from: request.address })
        return null
      }),

    resetSecondFactor: ({ params: { id }, user, request }) =>
      db.transaction(async (tx) => {
        await requireStepUp(tx, user)
        const target = await lockUser(tx, id)
        await requireStronger(tx, user, [target], only('id'))
        if (!(await removeSecondFactor(tx, id)))
          throw fieldError('not_found', 'id', 'this user has no authenticator app')
        await noticeFactor(tx, { user: target, event: { kind: 'reset', by: user.username }, from: request.address })
        return null
      }),
  }
}

const own = ({ userId, username }: Principal): NoticedChange['user'] => ({ id: userId, username })

const noApp = (): AppError => new AppError('not_found', 'no authenticator app is enrolled')
