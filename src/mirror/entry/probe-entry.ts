import { randomBytes } from 'node:crypto'
import { type Attributes, type Directory, type DirectoryOptions, openDirectory } from '../../ldap/directory.ts'
import { DirectoryError } from '../../ldap/directory-error.ts'
import { parseDn, rdn } from '../../ldap/dn.ts'
import { startsWith } from '../../ldap/filter.ts'
import { isServerRefusal, resultCodes } from '../../ldap/result-code.ts'
import { currentTime } from '../../runtime/clock.ts'
import { statements } from '../statements.ts'
import { peopleDn } from './places.ts'

/**
 * Temporary entries that test how the server behaves. The name contains the time of creation, so that one left by a
 * crash can be told from one in use; it is shorter than the 64 characters that X.520 (and Active Directory) allow for a
 * common name.
 */
const probeName = 'steward-password-probe-'
const abandonedAfter = 600_000

/** Whether this is the entry of a probe. */
export const isProbe = (dn: string): boolean => dn.startsWith(`cn=${probeName}`)

/** A new probe, not written yet. */
export const probeEntry = (baseDn: string): { dn: string; attributes: Attributes } => {
  const name = `${probeName}${currentTime()}-${randomBytes(6).toString('hex')}`
  return {
    dn: `${rdn('cn', name)},${peopleDn(baseDn)}`,
    attributes: { objectClass: ['top', 'person'], cn: [name], sn: ['probe'] },
  }
}

export const removeProbe = (directory: Directory, dn: string): Promise<void> =>
  directory.write({ kind: 'delete', dn }).catch((error: unknown) => {
    if (!(error instanceof DirectoryError) || error.code !== resultCodes.noSuchObject) throw error
  })

/** Removes probes that a crash has left. */
export const sweepProbes = async (directory: Directory): Promise<void> => {
  const options = { scope: 'one', filter: startsWith('cn', probeName), attributes: [] } as const
  for await (const page of directory.search(peopleDn(directory.baseDn), { ...options, attributes: [] })) {
    for (const { dn } of page) {
      const madeAt = Number.parseInt(parseDn(dn)[0]?.[0]?.value.slice(probeName.length) ?? '', 10)
      if (madeAt < currentTime() - abandonedAfter) await removeProbe(directory, dn)
    }
  }
}

/** Whether a server can be reached and accepts writes, on connections of its own. */
export const acceptsWrites = async (options: DirectoryOptions): Promise<boolean> => {
  const directory = openDirectory(options)
  try {
    return (await refusalOfWrites(directory)) === null
  } catch {
    return false
  } finally {
    await directory.close()
  }
}

/**
 * Whether the server accepts writes at all: adds a probe and removes it.
 * @returns why it does not, or null; also null where it refuses only the probe
 * @throws DirectoryError `unavailable` when it cannot be reached
 */
export const refusalOfWrites = async (directory: Directory): Promise<DirectoryError | null> => {
  if (directory.isActiveDirectory) return refusalOfAccounts(directory)
  const probe = probeEntry(directory.baseDn)
  try {
    await directory.write({ kind: 'add', ...probe })
    await removeProbe(directory, probe.dn)
    return null
  } catch (error) {
    if (!(error instanceof DirectoryError) || !error.answered) throw error
    return isServerRefusal(error) ? error : null
  }
}

/** Active Directory says which classes we may add: a probe would use up one of its numbers for accounts each time. */
const refusalOfAccounts = async ({ baseDn, read }: Directory): Promise<DirectoryError | null> => {
  const place = peopleDn(baseDn)
  const entry = await read(place, [allowedClasses])
  if (entry?.attributes[allowedClasses]?.includes('user')) return null
  return new DirectoryError('refused', statements.may_not_add({ dn: place }), {
    code: resultCodes.insufficientAccessRights,
  })
}

/** [MS-ADTS] section 3.1.1.4.5.18 */
const allowedClasses = 'allowedChildClassesEffective'
