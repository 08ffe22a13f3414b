import type { Attributes, Directory } from '../../ldap/directory.ts'
import { DirectoryError } from '../../ldap/directory-error.ts'
import { type Ava, parseDn } from '../../ldap/dn.ts'
import { resultCodes } from '../../ldap/result-code.ts'
import { statements } from '../statements.ts'
import { disabledDn, type GroupLayout, groupsDn, peopleDn, serviceAccountsDn } from './places.ts'

/**
 * Creates the base entry and the units below it, if they are missing. Existing entries are not changed. Another
 * instance may do the same at the same time.
 * @throws DirectoryError
 */
export const ensureLayout = async (directory: Directory, groupLayout: GroupLayout = 'nested'): Promise<void> => {
  const { baseDn } = directory
  await ensureEntry(directory, baseDn, () => baseAttributes(baseDn))
  await ensureEntry(directory, peopleDn(baseDn), () => unitAttributes('people'))
  await ensureEntry(directory, disabledDn(baseDn), () => unitAttributes('disabled'))
  if (groupLayout === 'flat') await ensureEntry(directory, groupsDn(baseDn), () => unitAttributes('groups'))
}

/** The unit of service accounts is created with the first of them. @throws DirectoryError */
export const ensureServiceAccountsUnit = (directory: Directory): Promise<void> => {
  const dn = serviceAccountsDn(directory.baseDn)
  return ensureEntry(directory, dn, () => unitAttributes(parseDn(dn)[0]?.[0]?.value ?? ''))
}

const ensureEntry = async (directory: Directory, dn: string, attributes: () => Attributes): Promise<void> => {
  if (await directory.read(dn, [])) return
  try {
    await directory.write({ kind: 'add', dn, attributes: attributes() })
  } catch (error) {
    if (!(error instanceof DirectoryError) || error.code !== resultCodes.entryAlreadyExists) throw error
  }
}

const unitAttributes = (unit: string): Attributes => ({ objectClass: ['top', 'organizationalUnit'], ou: [unit] })

/** By the naming attribute of the base, the classes that the core schema has for it (RFC 2247, RFC 4519). */
const baseKinds: Readonly<Record<string, (value: string) => Attributes>> = {
  dc: (value) => ({ objectClass: ['top', 'dcObject', 'organization'], dc: [value], o: [value] }),
  o: (value) => ({ objectClass: ['top', 'organization'], o: [value] }),
  ou: unitAttributes,
}

const baseAttributes = (baseDn: string): Attributes => {
  const [first = []] = parseDn(baseDn)
  const [ava, ...others]: Ava[] = first
  const kind = ava && others.length === 0 ? baseKinds[ava.type.toLowerCase()] : undefined
  if (!ava || !kind) {
    throw new DirectoryError('refused', statements.base_missing({ dn: baseDn }))
  }
  return kind(ava.value)
}
