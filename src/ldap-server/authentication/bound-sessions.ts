import { resultCodes } from '../../ldap/result-code.ts'
import type { DirectoryTree } from '../entries/tree.ts'
import type { BoundEntry } from '../identity.ts'
import { LdapError } from '../result.ts'
import type { Session } from '../session.ts'
import { passwordsOf } from './password.ts'

/**
 * The connections that are bound as an entry. When an entry is removed, moved or renamed, its connections are ended with
 * all their operations; when it loses a password, those that were bound with that one.
 */
export const boundSessions = (tree: DirectoryTree, { ofOneName }: { ofOneName: number }) => {
  const byEntry = new Map<number, Map<Session, string>>()
  tree.onChange((before, after) => {
    const sessions = byEntry.get(before.id)
    if (!sessions) return
    const left = after === null || after.key !== before.key ? [] : passwordsOf(after)
    for (const [session, stored] of [...sessions]) {
      if (!left.includes(stored)) session.end('the entry it was bound as has changed: bind again')
    }
  })
  return {
    /** @throws LdapError busy where too many connections are bound as that entry */
    add({ id, stored }: Pick<BoundEntry, 'id' | 'stored'>, session: Session): void {
      const sessions = byEntry.get(id) ?? new Map()
      if (sessions.size >= ofOneName) {
        throw new LdapError(resultCodes.busy, `${ofOneName} connections are bound as this name already`)
      }
      byEntry.set(id, sessions.set(session, stored))
    },
    remove(id: number, session: Session): void {
      const sessions = byEntry.get(id)
      sessions?.delete(session)
      if (sessions?.size === 0) byEntry.delete(id)
    },
  }
}

export type BoundSessions = ReturnType<typeof boundSessions>
