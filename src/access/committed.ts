import type { Db, Tx } from '../db/client.ts'
import { withoutDeadlock } from '../db/deadlock.ts'
import type { PrincipalScope, Principals } from './principals.ts'

export interface CommittedOptions {
  db: Db
  principals: Pick<Principals, 'announce' | 'drop'>
}

/**
 * Makes a change in one transaction. From its commit on, no request uses the rights, names or sessions from before it.
 * The change may be retried: it may have no effect other than its transaction.
 */
export const committedChange =
  ({ db, principals }: CommittedOptions) =>
  async <T extends { callers?: PrincipalScope }>(change: (tx: Tx) => Promise<T>): Promise<T> => {
    const attempt = (): Promise<T> =>
      db.transaction(async (tx) => {
        const made = await change(tx)
        if (made.callers) await principals.announce(tx, made.callers)
        return made
      })
    const changed = await withoutDeadlock(attempt)
    if (changed.callers) principals.drop(changed.callers)
    return changed
  }
