import { randomBytes } from 'node:crypto'
import type { Attributes, Directory } from '../ldap/directory.ts'
import { DirectoryError } from '../ldap/directory-error.ts'
import { parseDn, rdn } from '../ldap/dn.ts'
import { startsWith } from '../ldap/filter.ts'
import { isServerRefusal, resultCodes } from '../ldap/result-code.ts'
import { peopleDn } from './places.ts'

/**
 * Entries that are made to see what the server does with them, and are gone at once. The name carries the time it was
 * made, so that one left by a crash is told from one under way; it is shorter than the 64 characters that X.520 (and
 * Active Directory) allow a common name.
 */
const probeName = 'steward-password-probe-'
const abandonedAfter = 600_000

/** Whether this is the entry of a probe, here for a moment. */
export const isProbe = (dn: string): boolean => dn.startsWith(`cn=${probeName}`)

/** A new probe, not written yet. */
export const probeEntry = (baseDn: string): { dn: string; attributes: Attributes } => {
  const name = `${probeName}${Date.now()}-${randomBytes(6).toString('hex')}`
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
      if (madeAt < Date.now() - abandonedAfter) await removeProbe(directory, dn)
    }
  }
}

/**
 * Whether the server takes writes at all: adds a probe and removes it.
 * @returns why it does not, or null; also null where it has something against the probe alone
 * @throws DirectoryError `unavailable` when it cannot be asked
 */
export const refusalOfWrites = async (directory: Directory): Promise<DirectoryError | null> => {
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
