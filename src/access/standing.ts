import { type SQL, sql } from 'drizzle-orm'
import type { Queryable, Tx } from '../db/client.ts'
import { keptStatement, type Slots } from '../db/kept-statement.ts'
import { apiEntries, roleApis, roles, userRoles } from '../db/schema.ts'
import { sqlStateOf } from '../db/sql-state.ts'
import { AppError } from '../failures/errors.ts'
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

/** Whether the transaction has written a row itself. */
const isWrittenHere = (row: SQL): SQL => sql`${row}.xmin is not distinct from pg_current_xact_id_if_assigned()::xid`

/**
 * Whether the enabled roles of a session's user grant an operation. What the transaction has written itself does not count: it
 * could give its caller the grant that another one has taken away. Where nothing else grants it, see `holdGrant`.
 */
const granted = (sessionId: SQL, method: SQL, path: SQL): SQL => sql`exists (
  select from sessions asking
    join ${userRoles} on ${userRoles.userId} = asking.user_id and not ${isWrittenHere(sql`${userRoles}`)}
    join ${roles} on ${roles.id} = ${userRoles.roleId} and ${roles.status} = 1 and not ${isWrittenHere(sql`${roles}`)}
  where asking.id = ${sessionId} and (${grantsEverything} or exists (
    select from ${roleApis} join ${apiEntries} on ${apiEntries.id} = ${roleApis.apiId}
    where ${roleApis.roleId} = ${roles.id} and ${apiEntries.path} = ${path}
      and upper(${apiEntries.method}) = ${method}
      and not ${isWrittenHere(sql`${roleApis}`)} and not ${isWrittenHere(sql`${apiEntries}`)})))`

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
 * @throws AppError (unauthenticated, forbidden), and the transaction can only be rolled back
 */
export const requireStanding = async (tx: Queryable, author: Author): Promise<void> => {
  if (typeof author === 'string') return
  const { sessionId, operation, goesOn = false } = author
  const asked = holding.has(tx) ? undefined : operation
  try {
    const { method = '', path = '' } = asked ?? {}
    await tx.execute(requiring({ sessionId, method, path }, goesOn, asked !== undefined))
  } catch (error) {
    const state = sqlStateOf(error)
    if (state === sessionOver) throw reasons.session_over({ cause: error })
    throw state === grantOver ? reasons.not_granted({ cause: error }) : error
  }
}

/** Transactions that hold what grants the operation of their author. */
const holding = new WeakSet<object>()

/** Whether a transaction was refused by `requireStanding` for its grant. */
export const isGrantOver = (error: unknown): boolean =>
  error instanceof AppError && sqlStateOf(error.cause) === grantOver

/**
 * Takes what grants the author's operation, so that no other transaction can take the grant away before this one ends: if it
 * is gone by then, this one has taken it away. Call it first in the transaction.
 * @throws AppError (unauthenticated, forbidden) when the session or the grant has ended
 */
export const holdGrant = async (tx: Tx, author: Author): Promise<void> => {
  if (typeof author === 'string' || author.operation === undefined) return
  const { userId, operation } = author
  await tx.execute(sql`select from users where id = ${userId} for no key update`)
  // Changes of the grants of a role take its row first.
  await tx.execute(sql`
    select from ${userRoles} join ${roles} on ${roles.id} = ${userRoles.roleId}
    where ${userRoles.userId} = ${userId} order by ${roles.id} for no key update`)
  await tx.execute(sql`
    select from ${roleApis} join ${apiEntries} on ${apiEntries.id} = ${roleApis.apiId}
    where ${apiEntries.path} = ${operation.path} and upper(${apiEntries.method}) = ${operation.method}
      and ${roleApis.roleId} in (select role_id from user_roles where user_id = ${userId})
    order by ${apiEntries.id}, ${roleApis.roleId} for key share`)
  await requireStanding(tx, author)
  holding.add(tx)
}

const carriedOut = new WeakSet<Caller>()

/** Notes that a change was committed for this caller while their session stood: its answer is theirs, whatever ends it now. */
export const noteCarriedOut = (author: Author): void => {
  if (typeof author !== 'string') carriedOut.add(author)
}

/** Whether a change was committed for this caller; every request that changes something has one of its own. */
export const wasCarriedOut = (caller: Caller): boolean => carriedOut.has(caller)
