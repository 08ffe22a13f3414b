import type { Db, Tx } from '../db/client.ts'
import { isDeadlock } from '../db/deadlock.ts'
import type { PrincipalScope, Principals } from './principals.ts'

export interface CommittedOptions {
  db: Db
  principals: Pick<Principals, 'announce' | 'drop'>
}

/** How often a change is made, when the server gives it up for others that it was entangled with. */
const tries = 4

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

const withoutDeadlock = async <T>(attempt: () => Promise<T>): Promise<T> => {
  for (let left = tries - 1; ; left--) {
    try {
      return await attempt()
    } catch (error) {
      if (left === 0 || !isDeadlock(error)) throw error
    }
  }
}
