import { and, desc, eq, gt, isNull } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { sessions } from '../db/schema.ts'
import { committedChange } from '../directory/committed.ts'
import type { Principals } from '../directory/principals.ts'
import { only } from '../directory/request-fields.ts'
import { lockUser, rankedUsers, requireStronger } from '../directory/seniority.ts'
import { endSessionOf, sessionLifetime } from '../directory/sessions.ts'
import { fieldError } from '../errors.ts'
import type { SessionsHandlers } from '../generated/operations.ts'
import type { components } from '../generated/operations.types.ts'
import { steppedUpUntil, timestamp } from '../security/second-factor/step-up.ts'

/** Sessions that one answer lists. */
const most = 1000

export interface SessionsOptions {
  db: Db
  principals: Principals
}

/** Where somebody is signed in, and the end of it. */
export const sessionsHandlers = (options: SessionsOptions): SessionsHandlers => {
  const { db } = options
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
      .where(
        and(
          eq(sessions.userId, userId),
          isNull(sessions.endedAt),
          gt(sessions.lastUsedAt, new Date(Date.now() - sessionLifetime)),
        ),
      )
      .orderBy(desc(sessions.lastUsedAt), desc(sessions.createdAt), sessions.id)
      .limit(most)
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
      await change(async (tx) => {
        if (!(await endSessionOf(tx, user.userId, sessionId))) throw noSession()
        return { callers: { sessionIds: [sessionId] } }
      })
      return null
    },

    async listUserSessions({ params: { id }, user }) {
      await requireStronger(db, user, await rankedUsers(db, [id], only('id')), only('id'))
      return list(id, user.sessionId)
    },

    async endUserSession({ params: { id, sessionId }, user }) {
      await change(async (tx) => {
        await requireStronger(tx, user, [await lockUser(tx, id)], only('id'))
        if (!(await endSessionOf(tx, id, sessionId))) throw noSession()
        return { callers: { sessionIds: [sessionId] } }
      })
      return null
    },
  }
}

const noSession = () => fieldError('not_found', 'sessionId', 'there is no such session, or it has ended')
