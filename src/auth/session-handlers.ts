import { and, desc, eq } from 'drizzle-orm'
import { committedChange } from '../access/committed.ts'
import { permitOwn, permitUser } from '../access/permits/users.ts'
import type { Principals } from '../access/principals.ts'
import { rankedUsers, rankOf, requireHigherRank } from '../access/seniority.ts'
import { steppedUpUntil, timestamp } from '../access/step-up.ts'
import type { Db } from '../db/client.ts'
import { only } from '../db/request-fields.ts'
import { sessions } from '../db/schema.ts'
import type { SessionsHandlers } from '../generated/operations.ts'
import type { components } from '../generated/operations.types.ts'
import { currentTime } from '../runtime/clock.ts'
import { reasons } from './reasons.ts'
import { endSessionOf, isOpen } from './sessions.ts'

/** The most sessions in one response. */
const max = 1000

export interface SessionsOptions {
  db: Db
  principals: Principals
  /** SESSION_MAX, milliseconds. */
  sessionMax: number
}

/** The list of sessions, and their end. */
export const sessionsHandlers = (options: SessionsOptions): SessionsHandlers => {
  const { db, sessionMax } = options
  const change = committedChange(options)

  const list = async (userId: number, asking: string): Promise<components['schemas']['Session'][]> => {
    const rows = await db
      .select({
        id: sessions.id,
        createdAt: sessions.createdAt,
        lastUsedAt: sessions.lastUsedAt,
        address: sessions.address,
        userAgent: sessions.userAgent,
        until: steppedUpUntil,
      })
      .from(sessions)
      .where(and(eq(sessions.userId, userId), isOpen(new Date(currentTime()), sessionMax)))
      .orderBy(desc(sessions.lastUsedAt), desc(sessions.createdAt), sessions.id)
      .limit(max)
    return rows.map(({ until, createdAt, lastUsedAt, ...session }) => ({
      ...session,
      createdAt: createdAt.toISOString(),
      lastUsedAt: lastUsedAt.toISOString(),
      current: session.id === asking,
      steppedUpUntil: timestamp(until),
    }))
  }

  return {
    listOwnSessions: ({ user }) => list(user.userId, user.sessionId),

    async endOwnSession({ params: { sessionId }, user }) {
      await change(user, async (tx) => {
        if (!(await endSessionOf(permitOwn(tx, user.userId, 'a session'), user.userId, sessionId))) throw noSession()
        return { callers: { sessionIds: [sessionId] } }
      })
      return null
    },

    async listUserSessions({ params: { id }, user }) {
      requireHigherRank(await rankOf(db, user), await rankedUsers(db, [id], only('id')), only('id'))
      return list(id, user.sessionId)
    },

    async endUserSession({ params: { id, sessionId }, user }) {
      await change(user, async (tx) => {
        const permit = await permitUser(tx, user, id)
        if (!(await endSessionOf(permit, id, sessionId))) throw noSession()
        return { callers: { sessionIds: [sessionId] } }
      })
      return null
    },
  }
}

const noSession = () => reasons.session_not_found.at('sessionId')
