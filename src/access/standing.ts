import { type SQL, sql } from 'drizzle-orm'
import type { Queryable, Tx } from '../db/client.ts'
import { keptStatement, type Slots } from '../db/kept-statement.ts'
import { apiEntries, roleApis, roles, userRoles } from '../db/schema.ts'
import { sqlStateOf } from '../db/sql-state.ts'
import { AppError } from '../failures/errors.ts'
import { grantsEverything } from './administrator-role.ts'
import { reasons } from './reasons.ts'
import { requiredOf } from './required.ts'
import { type Caller, highestRank, rankOfUser } from './seniority.ts'
import { stands } from './stands.ts'
import { stepUpAge } from './step-up.ts'

/**
 * In whose name a change is made: that of a caller, whose session must not have ended by its commit, and whose roles must
 * still grant the operation; of the operator of the host; or of someone without a session, whose proof the change itself uses up or
 * compares.
 */
export type Author = Caller | 'operator' | 'a proof'

/** invalid_text_representation and others: what the columns below fail with */
const sessionOver = '22P02'
const grantOver = '22007'
const rankOver = '22003'
const stepUpOver = '22012'

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

/** Whether a session has a step-up, however long ago: only its time may run out while its caller waits. */
const isSteppedUp = (sessionId: SQL): SQL => sql`exists (
  select from sessions proven where proven.id = ${sessionId} and proven.stepped_up_at is not null)`

interface Asked {
  sessionId: string
  userId: number
  method: string
  path: string
}

/**
 * It fails where the session does not stand, or where its user no longer has what the operation takes, because the result of a
 * statement that is sent with the commit comes too late.
 */
const requiring = keptStatement(
  (at: Slots<Asked>, goesOn: boolean, asksGrant: boolean, asksRank: boolean, asksStepUp: boolean) => {
    const sessionId = sql`${at.sessionId}::uuid`
    const columns = [
      sql`(case when ${stands(sessionId, goesOn)} then 'true' else 'the session has ended' end)::boolean`,
      asksGrant &&
        sql`(case when ${granted(sessionId, sql`${at.method}::text`, sql`${at.path}::text`)}
          then '2000-01-01' else 'not granted' end)::date`,
      asksRank && sql`(case when ${rankOfUser(at.userId)} = ${highestRank}::int then 1 else 3000000000 end)::int`,
      asksStepUp && sql`1 / (case when ${isSteppedUp(sessionId)} then 1 else 0 end)`,
    ]
    return sql`select ${sql.join(
      columns.filter((column) => column !== false),
      sql`, `,
    )}`
  },
)

/**
 * Sends the check that the author's session has not ended, that their roles still grant the operation that they called, and that
 * they still have what was required of them beside that. Send it as the last statement before the commit, when no lock is waited
 * for any more: whatever has taken it away while this transaction waited has then been committed.
 * @throws AppError (unauthenticated, forbidden), and the transaction can only be rolled back
 */
export const requireStanding = async (tx: Queryable, author: Author): Promise<void> => {
  if (typeof author === 'string') return
  const { sessionId, userId, operation, goesOn = false } = author
  const beside = requiredOf(author)
  const isHeld = holding.has(tx)
  const { method = '', path = '' } = operation ?? {}
  const asksGrant = operation !== undefined && !isHeld
  // A restore has compared it while it was held, and may have given the caller another one.
  const asksRank = beside.has('the highest rank') && !isHeld
  const asksStepUp = beside.has('a step-up')
  try {
    await tx.execute(requiring({ sessionId, userId, method, path }, goesOn, asksGrant, asksRank, asksStepUp))
  } catch (error) {
    throw refusals[sqlStateOf(error) ?? '']?.(error) ?? error
  }
}

const refusals: Readonly<Record<string, (cause: unknown) => AppError>> = {
  [sessionOver]: (cause) => reasons.session_over({ cause }),
  [grantOver]: (cause) => reasons.not_granted({ cause }),
  [rankOver]: (cause) => reasons.strongest_only({ sort: highestRank }, { cause }),
  [stepUpOver]: (cause) =>
    reasons.step_up({ cause, challenge: { required: 'second_factor', methods: [], maxAge: stepUpAge } }),
}

/** Transactions that hold what grants the operation of their author. */
const holding = new WeakSet<object>()

const isRefused = (error: unknown, state: string): boolean =>
  error instanceof AppError && sqlStateOf(error.cause) === state

/** Whether a transaction was refused by `requireStanding` for its grant. */
export const isGrantOver = (error: unknown): boolean => isRefused(error, grantOver)

/** The same for a step-up that was taken away meanwhile; the refusal does not say yet how to make another one. */
export const isStepUpOver = (error: unknown): boolean => isRefused(error, stepUpOver)

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
