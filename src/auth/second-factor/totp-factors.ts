import { and, eq, isNotNull, isNull, lt, sql } from 'drizzle-orm'
import { type OwnPermit, requirePermitted, type UsersPermit } from '../../access/permits/permit.ts'
import { endStepUps } from '../../access/step-up.ts'
import type { Principal } from '../../contract/handler.ts'
import type { Queryable, Tx } from '../../db/client.ts'
import { recoveryCodes, secondFactors } from '../../db/schema.ts'
import { seal, unseal } from '../../secrets/sealed-text.ts'
import { reasons } from '../reasons.ts'
import { newTotpSecret, stepOfCode } from './totp.ts'

export interface TotpFactors {
  /**
   * A new secret for the user's app, in base32, replacing one that was never confirmed.
   * @throws AppError (conflict) when their app is confirmed already
   */
  enrol(db: Queryable, userId: number): Promise<string>
  /**
   * Confirms the app by its first code. false: the code is wrong.
   * @throws AppError (conflict) when there is nothing to confirm
   */
  confirm(tx: Tx, userId: number, code: string): Promise<boolean>
  /**
   * Uses a code of the confirmed app: neither it nor an earlier one is accepted again, and of two requests with one
   * code exactly one gets true.
   * @throws AppError (conflict) when no app is confirmed
   */
  take(tx: Tx, userId: number, code: string): Promise<boolean>
  /** Whether the user has a confirmed app; it is locked until the transaction ends. */
  isConfirmed(tx: Tx, userId: number): Promise<boolean>
}

/**
 * Authenticator apps. Secrets are encrypted for their user. The clock is the database's, so that all instances agree.
 * @param key 32 bytes
 * @param previous earlier keys; a secret is sealed with the present one when a code of it is used
 */
export const totpFactors = (key: Buffer, previous: readonly Buffer[] = []): TotpFactors => {
  const context = (userId: number): string => `second factor of user ${userId}`

  const open = (userId: number, sealed: string): string => {
    for (const each of [key, ...previous]) {
      const secret = unseal(each, sealed, context(userId))
      if (secret !== null) return secret
    }
    throw reasons.app_key_changed()
  }

  /** Advances to the code's time step; only a later code can do that again. */
  const use = async (tx: Tx, userId: number, code: string, confirmed: boolean): Promise<boolean> => {
    const state = confirmed ? isNotNull(secondFactors.confirmedAt) : isNull(secondFactors.confirmedAt)
    const [factor] = await tx
      .select({
        secret: secondFactors.secret,
        now: sql<number>`extract(epoch from clock_timestamp())::float8 * 1000`,
      })
      .from(secondFactors)
      .where(and(eq(secondFactors.userId, userId), state))
    if (factor === undefined) {
      throw confirmed ? reasons.no_app_enrolled() : reasons.no_app_to_confirm()
    }
    const secret = open(userId, factor.secret)
    const step = stepOfCode(secret, code, factor.now)
    if (step === null) return false
    const used = await tx
      .update(secondFactors)
      .set({
        secret: seal(key, secret, context(userId)),
        lastStep: step,
        confirmedAt: sql`coalesce(${secondFactors.confirmedAt}, now())`,
      })
      .where(
        and(
          eq(secondFactors.userId, userId),
          eq(secondFactors.secret, factor.secret),
          state,
          lt(secondFactors.lastStep, step),
        ),
      )
      .returning({ userId: secondFactors.userId })
    return used.length > 0
  }

  return {
    async enrol(db, userId) {
      const secret = newTotpSecret()
      const fresh = { secret: seal(key, secret, context(userId)), lastStep: 0 }
      const enrolled = await db
        .insert(secondFactors)
        .values({ userId, ...fresh })
        .onConflictDoUpdate({
          target: secondFactors.userId,
          set: { ...fresh, createdAt: sql`now()` },
          setWhere: isNull(secondFactors.confirmedAt),
        })
        .returning({ userId: secondFactors.userId })
      if (enrolled.length === 0) {
        throw reasons.app_enrolled()
      }
      return secret
    },

    confirm: (tx, userId, code) => use(tx, userId, code, false),
    take: (tx, userId, code) => use(tx, userId, code, true),

    async isConfirmed(tx, userId) {
      const found = await tx
        .select({ userId: secondFactors.userId })
        .from(secondFactors)
        .where(and(eq(secondFactors.userId, userId), isNotNull(secondFactors.confirmedAt)))
        .for('share')
      return found.length > 0
    },
  }
}

/**
 * Removes the app and its recovery codes, and the step-ups that were made by them. false: there was no app.
 * @param by the session that asks: its own step-up stays
 */
export const removeSecondFactor = async (
  permit: UsersPermit | OwnPermit,
  userId: number,
  by: Pick<Principal, 'sessionId'>,
): Promise<boolean> => {
  requirePermitted(permit, [userId])
  const { tx } = permit
  const removed = await tx
    .delete(secondFactors)
    .where(eq(secondFactors.userId, userId))
    .returning({ userId: secondFactors.userId })
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))
  await endStepUps(tx, [userId], by.sessionId)
  return removed.length > 0
}
