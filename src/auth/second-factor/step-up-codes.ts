import { createHmac, timingSafeEqual } from 'node:crypto'
import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../db/client.ts'
import { sessions, stepUpCodes, users } from '../../db/schema.ts'
import { isMailAddress, mailKey, mailKeyOf } from '../../text/identity-keys.ts'
import { sixDigits } from '../mail-codes.ts'

/** Seconds a code is valid. */
const lifetime = 600
const tries = 5

export interface IssuedStepUpCode {
  /** 6 digits. */
  code: string
  /** The address in the user's record. */
  mail: string
}

export interface StepUpCodes {
  /**
   * A new code for this session, replacing an older one; null: the session has ended, or the user has no mail address.
   */
  issue(sessionId: string): Promise<IssuedStepUpCode | null>
  /**
   * Uses one of the code's five attempts. null: a wrong, used or expired code, or one that was sent elsewhere. Call
   * `spend` inside the transaction that does what the code allows; false: another request was first.
   */
  check(sessionId: string, code: string): Promise<{ spend(tx: Tx): Promise<boolean> } | null>
}

/**
 * Mailed codes, one per session, under a keyed hash: a million possibilities are searched quickly. A code belongs to
 * the address it was sent to, and ends with it (see endMailedCodes).
 */
export const openStepUpCodes = ({ db, key }: { db: Db; key: Buffer }): StepUpCodes => {
  const hashOf = (sessionId: string, code: string): Buffer =>
    createHmac('sha256', key).update(`${sessionId}:${code}`).digest()

  return {
    issue: (sessionId) =>
      db.transaction(async (tx) => {
        // The user is locked until the code is stored: a change that ends codes ends this one too. Not the session:
        // such a change locks the user first and then the sessions.
        const [user] = await tx
          .select({ mail: users.mail })
          .from(sessions)
          .innerJoin(users, eq(users.id, sessions.userId))
          .where(and(eq(sessions.id, sessionId), isNull(sessions.endedAt)))
          .for('share', { of: users })
        if (user === undefined || !isMailAddress(user.mail)) return null
        const code = sixDigits()
        const fresh = {
          mailKey: mailKey(user.mail),
          codeHash: hashOf(sessionId, code).toString('base64url'),
          expiresAt: sql`now() + make_interval(secs => ${lifetime})`,
          triesLeft: tries,
        }
        await tx
          .insert(stepUpCodes)
          .values({ sessionId, ...fresh })
          .onConflictDoUpdate({ target: stepUpCodes.sessionId, set: fresh })
        return { code, mail: user.mail }
      }),

    async check(sessionId, code) {
      const [pending] = await db
        .update(stepUpCodes)
        .set({ triesLeft: sql`${stepUpCodes.triesLeft} - 1` })
        .from(sessions)
        .innerJoin(users, eq(users.id, sessions.userId))
        .where(
          and(
            eq(stepUpCodes.sessionId, sessionId),
            eq(sessions.id, sessionId),
            isNull(sessions.endedAt),
            eq(stepUpCodes.mailKey, mailKeyOf(users.mail)),
            gt(stepUpCodes.triesLeft, 0),
            gt(stepUpCodes.expiresAt, sql`now()`),
          ),
        )
        .returning({ codeHash: stepUpCodes.codeHash })
      if (pending === undefined) return null
      const { codeHash } = pending
      if (!timingSafeEqual(Buffer.from(codeHash, 'base64url'), hashOf(sessionId, code))) return null
      return {
        async spend(tx) {
          const spent = await tx
            .delete(stepUpCodes)
            .where(and(eq(stepUpCodes.sessionId, sessionId), eq(stepUpCodes.codeHash, codeHash)))
            .returning({ sessionId: stepUpCodes.sessionId })
          return spent.length > 0
        },
      }
    },
  }
}
