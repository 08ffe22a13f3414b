import { resultCodes } from '../ldap/result-code.ts'
import type { Session } from './directory.ts'
import type { StoredEntry } from './entry.ts'
import { LdapError } from './result.ts'
import type { DirectoryTree } from './tree.ts'

const passwordKeys = (entry: StoredEntry): string =>
  [...(entry.attributes.get('userpassword')?.values.keys() ?? [])].sort().join('\n')

/** Whether a connection that is bound as the entry has to bind again. */
const isAnother = (before: StoredEntry, after: StoredEntry | null): boolean =>
  after === null || after.key !== before.key || passwordKeys(after) !== passwordKeys(before)

/**
 * The connections that are bound as an entry. When an entry is removed, moved, renamed or gets another password, its
 * connections are ended with all their operations.
 */
export const boundSessions = (tree: DirectoryTree, { ofOneName }: { ofOneName: number }) => {
  const byEntry = new Map<number, Set<Session>>()
  tree.onChange((before, after) => {
    const sessions = byEntry.get(before.id)
    if (!sessions || !isAnother(before, after)) return
    for (const session of [...sessions]) session.end('the entry it was bound as has changed: bind again')
  })
  return {
    /** @throws LdapError busy where too many connections are bound as that entry */
    add(id: number, session: Session): void {
      const sessions = byEntry.get(id) ?? new Set()
      if (sessions.size >= ofOneName) {
        throw new LdapError(resultCodes.busy, `${ofOneName} connections are bound as this name already`)
      }
      byEntry.set(id, sessions.add(session))
    },
    remove(id: number, session: Session): void {
      const sessions = byEntry.get(id)
      sessions?.delete(session)
      if (sessions?.size === 0) byEntry.delete(id)
    },
  }
}

export type BoundSessions = ReturnType<typeof boundSessions>
