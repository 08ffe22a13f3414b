import { eq, sql } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { sessions, users } from '../db/schema.ts'
import { addressKey } from '../text/throttle-keys.ts'
import { alertOf } from './alert.ts'
import type { AlertQueue } from './alert-queue.ts'

/** Called for events of sessions. Never throws, and no caller waits for it. */
export interface SessionAlerts {
  /** @param session `administrator`: whether its user is one */
  opened(session: { sessionId: string; address: string; administrator: boolean }): void
  /** A token was presented that had been exchanged before. */
  reused(session: { userId: number; address: string }): void
}

export const sessionAlerts = ({ db, alerts }: { db: Db; alerts: Pick<AlertQueue, 'raiseFound'> }): SessionAlerts => ({
  /** An administrator signs in from an address that none of their sessions had (kept for 30 days). */
  opened({ sessionId, address, administrator }) {
    if (!administrator) return
    alerts.raiseFound(async () => {
      const rows = await db.execute<{ username: string; known: string }>(sql`
        select distinct u.username, earlier.address as known
        from ${sessions} s
        join ${users} u on u.id = s.user_id
        join ${sessions} earlier on earlier.user_id = s.user_id
          and (earlier.created_at, earlier.id) < (s.created_at, s.id)
        where s.id = ${sessionId}`)
      const from = addressKey(address)
      const [first] = rows
      // Without an earlier session there is no comparison: every address would be new.
      if (first === undefined || rows.some(({ known }) => addressKey(known) === from)) return null
      return alertOf('newAddress', { from, username: first.username, address })
    })
  },

  reused: ({ userId, address }) =>
    alerts.raiseFound(async () => {
      const [user] = await db.select({ username: users.username }).from(users).where(eq(users.id, userId))
      return alertOf('tokenReused', { username: user?.username ?? `user ${userId}`, address })
    }),
})
