import { lt } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { mailCodes, sessions, throttles } from '../db/schema.ts'

/** Milliseconds: sessions are kept for a look back, attempts as long as they count. */
const sessionsKept = 30 * 86_400_000
const attemptsKept = 3_600_000

/** Removes what has served its time: sessions long over, attempts that no longer count, codes that have expired. */
export const sweep = async (db: Db, now = new Date()): Promise<void> => {
  const before = (age: number): Date => new Date(now.getTime() - age)
  await db.delete(sessions).where(lt(sessions.lastUsedAt, before(sessionsKept)))
  await db.delete(throttles).where(lt(throttles.lastAttemptAt, before(attemptsKept)))
  await db.delete(mailCodes).where(lt(mailCodes.expiresAt, now))
}
