import { and, eq } from 'drizzle-orm'
import type { Mark } from '../db/replica.ts'
import { operationLogHead, operationLogs } from '../db/schema.ts'
import { emptyHead } from './chain.ts'

/**
 * The newest entry of the operation log. Every request that was answered has an entry, which is written after what it
 * changed; and an entry's hash depends on all entries before. So a server that has this very entry has all that happened
 * before it, and not the history of another server.
 */
export const newestEntry: Mark<{ seq: number; hash: string }> = {
  async read(db) {
    const { seq, hash } = operationLogHead
    const [head] = await db.select({ seq, hash }).from(operationLogHead)
    return head ?? emptyHead
  },
  async isIn(db, { seq, hash }) {
    if (seq === 0) return true
    const { seq: place, hash: own } = operationLogs
    const found = await db
      .select({ place })
      .from(operationLogs)
      .where(and(eq(place, seq), eq(own, hash)))
    return found.length > 0
  },
}
