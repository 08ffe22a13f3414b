import type { Db, Tx } from '../db/client.ts'
import { withoutDeadlock } from '../db/deadlock.ts'
import type { PrincipalScope, Principals } from './principals.ts'

export interface CommittedOptions {
  db: Db
  principals: Pick<Principals, 'announce' | 'drop'>
}

/**
 * Makes a change in one transaction; from its commit on nobody acts on rights, a name or a session that it altered.
 * The change may be made more than once before it counts: it does nothing but through its transaction.
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
