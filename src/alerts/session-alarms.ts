import { eq, sql } from 'drizzle-orm'
import { mayDoEverything } from '../access/seniority.ts'
import type { Db } from '../db/client.ts'
import { sessions, users } from '../db/schema.ts'
import { addressKey } from '../text/throttle-keys.ts'
import type { Alarms } from './open-alarms.ts'

/** Told of what happens to sessions. Never throws, and nobody waits for it. */
export interface SessionAlarms {
  opened(session: { sessionId: string; address: string }): void
  /** A token that was exchanged has come back. */
  reused(session: { userId: number; address: string }): void
}

export const sessionAlarms = ({ db, alarms }: { db: Db; alarms: Pick<Alarms, 'raiseFound'> }): SessionAlarms => ({
  /** Somebody who may do everything comes from where he has not come from in the sessions that are kept (30 days). */
  opened: ({ sessionId, address }) =>
    alarms.raiseFound(async () => {
      const rows = await db.execute<{ username: string; known: string }>(sql`
        select distinct u.username, earlier.address as known
        from ${sessions} s
        join ${users} u on u.id = s.user_id
        join ${sessions} earlier on earlier.user_id = s.user_id
          and (earlier.created_at, earlier.id) < (s.created_at, s.id)
        where s.id = ${sessionId} and ${mayDoEverything(sql`u.id`)}`)
      const from = addressKey(address)
      const [first] = rows
      // Without an earlier session there is nothing to compare with: every address would be a new one.
      if (first === undefined || rows.some(({ known }) => addressKey(known) === from)) return null
      return {
        cause: `new ${from} of ${first.username}`,
        title: 'Administrator at a new address',
        description: `${first.username} has signed in from ${address}, where he has not signed in from before`,
        level: 'warning',
        location: address,
      }
    }),

  reused: ({ userId, address }) =>
    alarms.raiseFound(async () => {
      const [user] = await db.select({ username: users.username }).from(users).where(eq(users.id, userId))
      const username = user?.username ?? `user ${userId}`
      return {
        cause: `token reuse ${username}`,
        title: 'A rotated token came back',
        description: `A token of ${username} came back after it was exchanged, from ${address}: somebody else may have it. The session was ended`,
        level: 'warning',
        location: address,
      }
    }),
})
