import type { Db, Tx } from '../db/client.ts'
import { withoutDeadlock } from '../db/deadlock.ts'
import { lastInOrder } from '../db/in-order.ts'
import type { PrincipalScope, Principals } from './principals.ts'

export interface CommittedOptions {
  db: Db
  principals: Pick<Principals, 'announce' | 'drop'>
}

/** Says whose rights, names or sessions the change concerns, from its commit on. It sends one statement. */
export type Announce = (callers: PrincipalScope) => Promise<void>

/**
 * Makes a change in one transaction. From its commit on, no request uses the rights, names or sessions from before it:
 * of those that the change announces, and of those that it returns.
 * The change may be retried: it may have no effect other than its transaction.
 * @returns makes a change; `ending` is called when it is made, and what it returns sends the last statements of the
 *   transaction. Default: none
 */
export const committedChange =
  ({ db, principals }: CommittedOptions) =>
  async <T extends { callers?: PrincipalScope }>(
    change: (tx: Tx, announce: Announce) => Promise<T>,
    ending: (tx: Tx, made: T) => Promise<() => Promise<void>> = async () => async () => {},
  ): Promise<T> => {
    const attempt = (): Promise<{ made: T; told: PrincipalScope[] }> =>
      db.transaction(async (tx) => {
        const told: PrincipalScope[] = []
        const announce: Announce = async (callers) => {
          told.push(callers)
          await principals.announce(tx, callers)
        }
        const made = await change(tx, announce)
        const last = await ending(tx, made)
        await lastInOrder(tx, async () => made.callers && announce(made.callers), last)
        return { made, told }
      })
    const { made, told } = await withoutDeadlock(attempt)
    for (const callers of told) principals.drop(callers)
    return made
  }
