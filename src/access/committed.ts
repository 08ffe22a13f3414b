import type { Db, Tx } from '../db/client.ts'
import { withoutDeadlock } from '../db/deadlock.ts'
import { lastInOrder } from '../db/in-order.ts'
import type { PrincipalScope, Principals } from './principals.ts'
import { type Author, holdGrant, isGrantOver, isStepUpOver, noteCarriedOut, requireStanding } from './standing.ts'
import { requireStepUp } from './step-up.ts'

export interface CommittedOptions {
  db: Db
  principals: Pick<Principals, 'announce' | 'drop'>
}

/** Says whose rights, names or sessions the change concerns, from its commit on. It sends one statement. */
export type Announce = (callers: PrincipalScope) => Promise<void>

/** Lets a refusal for a step-up that was taken away say how to make another one. */
const challenging = async <T>(db: Db, author: Author, made: Promise<T>): Promise<T> => {
  try {
    return await made
  } catch (error) {
    if (isStepUpOver(error) && typeof author !== 'string') await requireStepUp(db, author)
    throw error
  }
}

/**
 * Makes a change in one transaction, for an author whose session and grant stand when it is committed. All that a request
 * changes is changed by this or by `committedChange`.
 * @throws AppError (unauthenticated, forbidden) when the session or the grant has ended meanwhile: nothing is changed
 */
export const changeFor = async <T>(db: Db, author: Author, change: (tx: Tx) => Promise<T>): Promise<T> => {
  const transaction = db.transaction(async (tx) => {
    const made = await change(tx)
    await lastInOrder(tx, () => requireStanding(tx, author))
    return made
  })
  const made = await challenging(db, author, transaction)
  noteCarriedOut(author)
  return made
}

/**
 * Begins work for a caller that takes more than one transaction: a run, a backup, a mail. It goes on even if their session ends
 * afterwards, and they get its answer.
 * @throws AppError (unauthenticated, forbidden) when the session or the grant has ended
 */
export const beginFor = async (db: Db, author: Author): Promise<void> => {
  await challenging(db, author, requireStanding(db, author))
  noteCarriedOut(author)
}

/**
 * Makes a change as `changeFor` does. From its commit on, no request uses the rights, names or sessions from before it:
 * of those that the change announces, and of those that it returns.
 * The change may be retried: it may have no effect other than its transaction.
 * @returns makes a change; `ending` is called when it is made, and what it returns sends the last statements of the
 *   transaction. Default: none
 */
export const committedChange =
  ({ db, principals }: CommittedOptions) =>
  async <T extends { callers?: PrincipalScope }>(
    author: Author,
    change: (tx: Tx, announce: Announce) => Promise<T>,
    ending: (tx: Tx, made: T) => Promise<() => Promise<void>> = async () => async () => {},
  ): Promise<T> => {
    const attempt = (holds: boolean): Promise<{ made: T; changedCallers: PrincipalScope[] }> =>
      db.transaction(async (tx) => {
        if (holds) await holdGrant(tx, author)
        const changedCallers: PrincipalScope[] = []
        const announce: Announce = async (callers) => {
          changedCallers.push(callers)
          await principals.announce(tx, callers)
        }
        const made = await change(tx, announce)
        const last = await ending(tx, made)
        await lastInOrder(
          tx,
          async () => made.callers && announce(made.callers),
          last,
          () => requireStanding(tx, author),
        )
        return { made, changedCallers }
      })
    const transaction = withoutDeadlock(() => attempt(false)).catch((error: unknown) => {
      // This change or another one has taken the grant away: only the former is still possible while the grant is held.
      if (!isGrantOver(error)) throw error
      return withoutDeadlock(() => attempt(true))
    })
    const { made, changedCallers } = await challenging(db, author, transaction)
    noteCarriedOut(author)
    for (const callers of changedCallers) principals.drop(callers)
    return made
  }
