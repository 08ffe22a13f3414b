import { type SQL, sql } from 'drizzle-orm'
import type { Queryable } from '../db/client.ts'
import { keptStatement, type Slots } from '../db/kept-statement.ts'
import { apiEntries, roleApis, roles, userRoles } from '../db/schema.ts'
import { sqlStateOf } from '../db/sql-state.ts'
import { grantsEverything } from './administrator-role.ts'
import { reasons } from './reasons.ts'
import type { Caller } from './seniority.ts'

/**
 * In whose name a change is made: that of a caller, whose session must not have ended by its commit, and whose roles must
 * still grant the operation; of the operator of the host; or of someone without a session, whose proof the change itself uses up or
 * compares.
 */
export type Author = Caller | 'operator' | 'a proof'

/**
 * Whether a session stands: it has not ended, or the transaction itself ends it. What has begun goes on after a sign-out,
 * but not after a restore, from which on the ids mean others.
 */
export const stands = (sessionId: SQL, goesOn: boolean): SQL => sql`exists (
  select from sessions standing where standing.id = ${sessionId} and (standing.ended_at is null
    ${goesOn ? sql`or standing.end_reason <> 'restore'` : sql``}
    or standing.xmin = pg_current_xact_id_if_assigned()::xid))`

/** invalid_text_representation, invalid_datetime_format: what the two columns below fail with */
const sessionOver = '22P02'
const grantOver = '22007'

/**
 * Whether the enabled roles of a session's user grant an operation. A transaction that itself ends the session (a restore, after
 * which the ids of users and roles mean others) has had its grant.
 */
const granted = (sessionId: SQL, method: SQL, path: SQL): SQL => sql`exists (
  select from sessions asking where asking.id = ${sessionId} and (asking.ended_at is not null or exists (
    select from ${userRoles} join ${roles} on ${roles.id} = ${userRoles.roleId} and ${roles.status} = 1
    where ${userRoles.userId} = asking.user_id and (${grantsEverything} or exists (
      select from ${roleApis} join ${apiEntries} on ${apiEntries.id} = ${roleApis.apiId}
      where ${roleApis.roleId} = ${roles.id} and ${apiEntries.path} = ${path}
        and upper(${apiEntries.method}) = ${method})))))`

/**
 * It fails where the session does not stand, or where its user's roles no longer grant the operation, because the result of a
 * statement that is sent with the commit comes too late.
 */
const requiring = keptStatement(
  (at: Slots<{ sessionId: string; method: string; path: string }>, goesOn: boolean, asksGrant: boolean) => {
    const sessionId = sql`${at.sessionId}::uuid`
    const standing = sql`
      select (case when ${stands(sessionId, goesOn)} then 'true' else 'the session has ended' end)::boolean`
    if (!asksGrant) return standing
    const grant = granted(sessionId, sql`${at.method}::text`, sql`${at.path}::text`)
    return sql`${standing}, (case when ${grant} then '2000-01-01' else 'not granted' end)::date`
  },
)

/**
 * Sends the check that the author's session has not ended, and that their roles still grant the operation that they called. Send
 * it as the last statement before the commit, when no lock is waited for any more: whatever ended the session or took the grant
 * away while this transaction waited has then been committed.
 * @param changesOwn whether the transaction changes the author's own roles or grants: it may take the grant away itself
 * @throws AppError (unauthenticated, forbidden), and the transaction can only be rolled back
 */
export const requireStanding = async (tx: Queryable, author: Author, changesOwn = false): Promise<void> => {
  if (typeof author === 'string') return
  const { sessionId, operation, goesOn = false } = author
  const asked = changesOwn ? undefined : operation
  try {
    const { method = '', path = '' } = asked ?? {}
    await tx.execute(requiring({ sessionId, method, path }, goesOn, asked !== undefined))
  } catch (error) {
    const state = sqlStateOf(error)
    if (state === sessionOver) throw reasons.session_over({ cause: error })
    throw state === grantOver ? reasons.not_granted({ cause: error }) : error
  }
}

const carriedOut = new WeakSet<Caller>()

/** Notes that a change was committed for this caller while their session stood: its answer is theirs, whatever ends it now. */
export const noteCarriedOut = (author: Author): void => {
  if (typeof author !== 'string') carriedOut.add(author)
}

/** Whether a change was committed for this caller; every request that changes something has one of its own. */
export const wasCarriedOut = (caller: Caller): boolean => carriedOut.has(caller)
