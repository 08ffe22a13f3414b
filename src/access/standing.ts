import { type SQL, sql } from 'drizzle-orm'
import type { Queryable } from '../db/client.ts'
import { keptStatement, type Slots } from '../db/kept-statement.ts'
import { sqlStateOf } from '../db/sql-state.ts'
import { reasons } from './reasons.ts'
import type { Caller } from './seniority.ts'

/**
 * In whose name a change is made: that of a caller, whose session must not have ended by its commit; of the operator of the
 * host; or of someone without a session, whose proof the change itself uses up or compares.
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

/** invalid_text_representation */
const refused = '22P02'

/** It fails where the session does not stand, because the result of a statement that is sent with the commit comes too late. */
const requiring = keptStatement(
  (at: Slots<{ sessionId: string }>, goesOn: boolean) => sql`
    select (case when ${stands(sql`${at.sessionId}::uuid`, goesOn)} then 'true' else 'the session has ended' end)::boolean`,
)

/**
 * Sends the check that the author's session has not ended. Send it as the last statement before the commit, when no lock is
 * waited for any more: whatever ended the session while this transaction waited has then been committed.
 * @throws AppError (unauthenticated), and the transaction can only be rolled back
 */
export const requireStanding = async (tx: Queryable, author: Author): Promise<void> => {
  if (typeof author === 'string') return
  try {
    await tx.execute(requiring({ sessionId: author.sessionId }, author.goesOn === true))
  } catch (error) {
    throw sqlStateOf(error) === refused ? reasons.session_over({ cause: error }) : error
  }
}

const carriedOut = new WeakSet<Caller>()

/** Notes that a change was committed for this caller while their session stood: its answer is theirs, whatever ends it now. */
export const noteCarriedOut = (author: Author): void => {
  if (typeof author !== 'string') carriedOut.add(author)
}

/** Whether a change was committed for this caller; every request that changes something has one of its own. */
export const wasCarriedOut = (caller: Caller): boolean => carriedOut.has(caller)
