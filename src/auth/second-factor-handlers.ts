import { eq } from 'drizzle-orm'
import qrcode from 'qrcode-generator'
import { type CommittedOptions, changeFor, committedChange } from '../access/committed.ts'
import { permitOwn, permitUser } from '../access/permits/users.ts'
import { holdUser, requirePresentFactor, requireStepUp, stepUpState } from '../access/step-up.ts'
import type { Principal } from '../contract/handler.ts'
import type { Db } from '../db/client.ts'
import { secondFactors } from '../db/schema.ts'
import type { SecondFactorHandlers } from '../generated/operations.ts'
import { factorAttempts } from './factor-attempts.ts'
import { endStepUpCodes } from './mail-codes.ts'
import { type PasswordProofOptions, passwordProof } from './password-proof.ts'
import { reasons } from './reasons.ts'
import type { NoticedChange, NoticeFactor } from './second-factor/notices.ts'
import { issueRecoveryCodes, recoveryCodesLeft } from './second-factor/recovery-codes.ts'
import { totpUri } from './second-factor/totp.ts'
import { removeSecondFactor, type TotpFactors } from './second-factor/totp-factors.ts'

/** Modules around the code that stay white (ISO/IEC 18004). */
const margin = 4

/** A text as a QR code: an SVG picture in a data URL, in the smallest size that holds it. */
const qrDataUrl = (text: string): string => {
  const code = qrcode(0, 'M')
  code.addData(text)
  code.make()
  const svg = code.createSvgTag({ cellSize: 1, margin, scalable: true })
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`
}

export interface FactorsOptions extends PasswordProofOptions, CommittedOptions {
  db: Db
  totp: TotpFactors
  noticeFactor: NoticeFactor
}

/** The caller's own authenticator app, and the removal of another user's who has lost it. */
export const factorsHandlers = (options: FactorsOptions): SecondFactorHandlers => {
  const { db, totp, noticeFactor } = options
  const prove = passwordProof(options)
  const attempt = factorAttempts(options)
  // Whether an app is enrolled decides what the sessions of the user may do (SECOND_FACTOR).
  const change = committedChange(options)

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
      await requirePresentFactor(db, user)
      await prove({ user, request }, 'password', password)
      const secret = await changeFor(db, user, (tx) => totp.enrol(tx, user.userId))
      const uri = totpUri(secret, user.username)
      return { secret, uri, qr: qrDataUrl(uri) }
    },

    async confirmTotp({ body: { code }, user, request }) {
      const recoveryCodes = await attempt({ user, request }, async () => {
        const made = await change(user, async (tx) => {
          await holdUser(tx, user)
          // Read again: the user may have a mail address now that they did not have when the app was enrolled.
          await requirePresentFactor(tx, user)
          if (!(await totp.confirm(tx, user.userId, code))) return { recoveryCodes: null }
          await endStepUpCodes(tx, [user.userId])
          await noticeFactor(tx, { user: own(user), event: { kind: 'enrolled' }, from: request.address })
          return { recoveryCodes: await issueRecoveryCodes(tx, user.userId), callers: { userIds: [user.userId] } }
        })
        return made.recoveryCodes
      })
      return { recoveryCodes }
    },

    renewRecoveryCodes: ({ user, request }) =>
      changeFor(db, user, async (tx) => {
        await holdUser(tx, user)
        await requireStepUp(tx, user)
        if (!(await totp.isConfirmed(tx, user.userId))) throw reasons.app_not_found()
        await noticeFactor(tx, { user: own(user), event: { kind: 'codes renewed' }, from: request.address })
        return { recoveryCodes: await issueRecoveryCodes(tx, user.userId) }
      }),

    async disableSecondFactor({ user, request }) {
      await change(user, async (tx) => {
        await holdUser(tx, user)
        await requireStepUp(tx, user)
        if (!(await removeSecondFactor(permitOwn(tx, user.userId, 'a session'), user.userId, user)))
          throw reasons.app_not_found()
        await noticeFactor(tx, { user: own(user), event: { kind: 'disabled' }, from: request.address })
        return { callers: { userIds: [user.userId] } }
      })
      return null
    },

    async resetSecondFactor({ params: { id }, user, request }) {
      await change(user, async (tx) => {
        await requireStepUp(tx, user)
        const permit = await permitUser(tx, user, id)
        const target = permit.user
        if (!(await removeSecondFactor(permit, id, user))) throw reasons.user_without_app.at('id')
        await noticeFactor(tx, { user: target, event: { kind: 'reset', by: user.username }, from: request.address })
        return { callers: { userIds: [id] } }
      })
      return null
    },
  }
}

const own = ({ userId, username }: Principal): NoticedChange['user'] => ({ id: userId, username })
