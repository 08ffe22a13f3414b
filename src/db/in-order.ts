import { sql } from 'drizzle-orm'
import { allDone } from '../concurrency/all-done.ts'
import type { Queryable, Tx } from './client.ts'
import { keptStatement, type Slots } from './kept-statement.ts'

/** What sends a statement when it is called, or a function that sends one or several before it waits for anything else. */
type Send<T> = () => PromiseLike<T>

type Sent<T> = { -readonly [K in keyof T]: T[K] extends Send<infer R> ? R : never }

/**
 * Sends statements of one transaction together, in this order, which takes one round trip for all. A statement sees what
 * was committed before it began, also while one before it waited for a lock.
 *
 * As elements of `Promise.all` they could be sent in another order: the query builder sends a query when it is awaited,
 * and what an async function awaits is awaited before the elements are.
 * @throws what the first that failed, in this order, threw; all of them have ended by then
 */
export const inOrder = async <T extends readonly Send<unknown>[]>(...statements: T): Promise<Sent<T>> => {
  const values = await allDone(statements.map(async (send) => await send()))
  return values as Sent<T>
}

/** Ends the transaction; see transaction-scope.ts. */
export const commit = 'commit'

/**
 * Sends the last statements of a transaction and its commit together. Nothing may follow but the return of what the
 * transaction comes to: if these statements fail, nothing is committed, but their results cannot prevent it any more.
 */
export const lastInOrder = async <T extends readonly Send<unknown>[]>(tx: Tx, ...statements: T): Promise<Sent<T>> => {
  const sent = await inOrder(...statements, () => tx.execute(sql.raw(commit)))
  return sent.slice(0, statements.length) as Sent<T>
}

/**
 * Until the transaction ends, statements run with the plan that PostgreSQL keeps for all values of their parameters.
 * Otherwise it plans a statement anew, for some forty executions on each connection after its tables have grown, to find
 * that the values make no difference. With many joins this takes three times as long as the statement.
 */
export const withKeptPlans = sql.raw(`set_config('plan_cache_mode', 'force_generic_plan', true)`)
const withMark = sql.raw(`set_config('steward.transaction', 'on', true)`)

/** It has a parameter, because a statement without any is planned each time. */
const keepingPlans = keptStatement(
  (at: Slots<{ mode: string }>, marks: boolean) =>
    sql`select ${marks ? sql`${withMark}, ` : sql``}set_config('plan_cache_mode', ${at.mode}, true)`,
)
const mode = 'force_generic_plan'

const keepPlans = new WeakSet<object>()

/** Call it when a statement of the transaction that is sent selects `withKeptPlans`. */
export const plansAreKept = (tx: Queryable): void => void keepPlans.add(tx)

/** Sends that statement, unless one was sent. */
export const sendKeptPlans = async (tx: Queryable): Promise<void> => {
  if (keepPlans.has(tx)) return
  plansAreKept(tx)
  await tx.execute(keepingPlans({ mode }, false))
}

/**
 * Makes `inTransaction` true until the transaction ends, and keeps plans. A statement of a transaction is sent before its
 * `begin` was answered only if it reads, or holds this condition: if `begin` has failed, it changes nothing.
 */
export const markTransaction = sql`${withMark}, ${withKeptPlans}`
export const inTransactionText = `current_setting('steward.transaction', true) = 'on'`
export const inTransaction = sql.raw(inTransactionText)

/** Sends `markTransaction` as a statement of its own. */
export const beginMarked = async (tx: Queryable): Promise<void> => {
  await tx.execute(keepingPlans({ mode }, true))
}
