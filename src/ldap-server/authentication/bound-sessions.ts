import { resultCodes } from '../../ldap/result-code.ts'
import type { DirectoryTree } from '../entries/tree.ts'
import type { BoundEntry } from '../identity.ts'
import { LdapError } from '../result.ts'
import type { Session } from '../session.ts'
import { passwordsOf } from './password.ts'

interface Bound {
  session: Session
  /** The value of the password that it was bound with. */
  stored: string
  /** Changes of that password in progress that came over the connection itself. */
  changes: number
}

const ending = 'the entry it was bound as has changed: bind again'

/**
 * The connections that are bound as an entry. When an entry is removed, moved or renamed, its connections are ended with
 * all their operations; when it loses a password, those that were bound with that one.
 */
export const boundSessions = (tree: DirectoryTree, { ofOneName }: { ofOneName: number }) => {
  const byEntry = new Map<number, Map<Session, Bound>>()
  const mayStay = ({ stored }: Bound, left: readonly string[]): boolean => left.includes(stored)
  tree.onChange((before, after) => {
    const sessions = byEntry.get(before.id)
    if (!sessions) return
    const isThere = after !== null && after.key === before.key
    const left = isThere ? passwordsOf(after) : []
    for (const bound of [...sessions.values()]) {
      // The answer to the change that ends the password comes first.
      const waits = isThere && bound.changes > 0
      if (!waits && !mayStay(bound, left)) bound.session.end(ending)
    }
  })
  return {
    /** @throws LdapError busy where too many connections are bound as that entry */
    add({ id, stored }: Pick<BoundEntry, 'id' | 'stored'>, session: Session): void {
      const sessions = byEntry.get(id) ?? new Map<Session, Bound>()
      if (sessions.size >= ofOneName) {
        throw new LdapError(resultCodes.busy, `${ofOneName} connections are bound as this name already`)
      }
      byEntry.set(id, sessions.set(session, { session, stored, changes: 0 }))
    },
    remove(id: number, session: Session): void {
      const sessions = byEntry.get(id)
      sessions?.delete(session)
      if (sessions?.size === 0) byEntry.delete(id)
    },
    /**
     * Changes the password that a connection is bound with. If the change is made, its answer ends the connection; if it
     * fails, the connection ends where its password has ended meanwhile in another way.
     * @throws LdapError unwillingToPerform where its password has ended, and a change that began before is still in progress
     */
    async changing<T>(id: number, session: Session, change: () => Promise<T>): Promise<T> {
      const bound = byEntry.get(id)?.get(session)
      // Otherwise it could stay by one change after the other, of which one is always in progress.
      if (bound && !mayStay(bound, passwordsOf(tree.byId(id))))
        throw new LdapError(resultCodes.unwillingToPerform, ending)
      if (bound) bound.changes += 1
      try {
        return await change()
      } catch (error) {
        if (bound) bound.changes -= 1
        const isBound = bound !== undefined && byEntry.get(id)?.get(session) === bound
        if (isBound && bound.changes === 0 && !mayStay(bound, passwordsOf(tree.byId(id)))) session.end(ending)
        throw error
      }
    },
  }
}

export type BoundSessions = ReturnType<typeof boundSessions>
