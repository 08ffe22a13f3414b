import { createHmac, randomInt, timingSafeEqual } from 'node:crypto'
import { and, eq, gt, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../db/client.ts'
import { stepUpCodes } from '../../db/schema.ts'

/** Seconds a code is valid. */
const lifetime = 600
const tries = 5

export interface StepUpCodes {
  /** A new code of 6 digits for this session, in place of an older one. */
  issue(sessionId: string): Promise<string>
  /**
   * Takes one of the code's five tries. null: a wrong, used or expired code. Whoever calls `spend` first, inside the
   * transaction that does what the code allows, has used it up; false: another request was faster.
   */
  check(sessionId: string, code: string): Promise<{ spend(tx: Tx): Promise<boolean> } | null>
}

/** Mailed codes, one per session, under a keyed hash: a million possibilities are searched in no time. */
export const openStepUpCodes = ({ db, key }: { db: Db; key: Buffer }): StepUpCodes => {
  const hashOf = (sessionId: string, code: string): Buffer =>
    createHmac('sha256', key).update(`${sessionId}:${code}`).digest()

  return {
    async issue(sessionId) {
      const code = String(randomInt(1_000_000)).padStart(6, '0')
      const fresh = {
        codeHash: hashOf(sessionId, code).toString('base64url'),
        expiresAt: sql`now() + make_interval(secs => ${lifetime})`,
        triesLeft: tries,
      }
      await db
        .insert(stepUpCodes)
        .values({ sessionId, ...fresh })
        .onConflictDoUpdate({ target: stepUpCodes.sessionId, set: fresh })
      return code
    },

    async check(sessionId, code) {
      const [pending] = await db
        .update(stepUpCodes)
        .set({ triesLeft: sql`${stepUpCodes.triesLeft} - 1` })
        .where(
          and(
            eq(stepUpCodes.sessionId, sessionId),
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
