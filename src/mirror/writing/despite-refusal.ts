import { type Directory, DirectoryError, type Write } from '../../ldap/directory.ts'
import { memberLists } from '../entry/entry-shape.ts'
import { secretWritten } from '../plan/account.ts'
import type { Outcome } from '../plan/outcome.ts'
import type { Plan } from '../plan/plan.ts'

/** What decides whether and with which password a person signs in, and which groups they are in. */
const grants: ReadonlySet<string> = new Set(['userPassword', 'userAccountControl', ...memberLists])

/**
 * A value that the directory refuses must not keep a former password valid, an account enabled, or a person in a group:
 * what is about these is written without it.
 * @param left the writes that were not carried out, the refused one first
 * @returns the outcome, with the state of the password @throws DirectoryError if the server has not answered
 */
export const despiteRefusal = async (
  directory: Pick<Directory, 'write'>,
  planned: Plan,
  left: readonly Write[],
  outcome: Outcome,
): Promise<Outcome> => {
  const { dn } = outcome
  const { password, secretWrite } = planned.item
  if (dn === null || planned.found === null || left[0]?.kind !== 'modify') return outcome
  const needed = left.flatMap((write) => {
    const changes = write.kind === 'modify' ? write.changes.filter(({ attribute }) => grants.has(attribute)) : []
    return changes.length === 0 ? [] : [{ kind: 'modify' as const, dn, changes }]
  })
  if (needed.length === 0 && !secretWrite) return outcome
  try {
    for (const write of needed) await directory.write(write)
    if (password === null) return outcome
    const done = await secretWritten(directory, planned, { ...outcome, passwordDigest: password.settled })
    return { ...done, error: outcome.error }
  } catch (error) {
    if (!(error instanceof DirectoryError) || (error.kind === 'unavailable' && !error.answered)) throw error
    return outcome
  }
}
