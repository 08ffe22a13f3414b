import { type Directory, DirectoryError } from '../ldap/directory.ts'
import { resultCodes } from '../ldap/result-code.ts'
import type { Converged } from './planned.ts'

/**
 * With the name that the server gave an entry which was just added (entryUUID). It is asked for at once: until it is known,
 * the ledger knows the entry by its place alone, and whatever stands there is taken for it.
 * @throws DirectoryError; noSuchObject where the entry is gone already
 */
export const named = async ({ read }: Pick<Directory, 'read'>, done: Converged): Promise<Converged> => {
  if (done.action !== 'added' || done.dn === null) return done
  const entry = await read(done.dn, ['entryUUID'])
  if (entry === null) {
    throw new DirectoryError('refused', `${done.dn} was added and is gone`, { code: resultCodes.noSuchObject })
  }
  return { ...done, entryUuid: entry.attributes.entryUUID?.[0]?.toLowerCase() ?? null }
}
