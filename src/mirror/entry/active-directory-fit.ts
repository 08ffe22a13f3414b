import { capabilities } from '../../ldap/active-directory.ts'
import type { Directory } from '../../ldap/directory.ts'
import { keyOfAny, parentDn } from '../../ldap/dn.ts'
import { systemAttribute } from './protected-places.ts'

/** The forest level from which a group may have any number of members: Windows Server 2003. */
const lowestLevel = 2

const below = (dn: string, base: string): boolean => keyOfAny(dn).endsWith(`,${keyOfAny(base)}`)

/**
 * Whether the server is what the settings say, and can do what Steward needs. Both kinds are asked: an Active Directory
 * that is taken for another server refuses each record by itself.
 * @returns a sentence that says what is wrong, to follow the name of the setting; null: it fits
 * @throws DirectoryError
 */
export const misfitOf = async (directory: Directory): Promise<string | null> => {
  const { baseDn, isActiveDirectory = false, read } = directory
  const root = await read('', [
    ...['supportedCapabilities', 'defaultNamingContext', 'forestFunctionality', 'isSynchronized'],
  ])
  const { supportedCapabilities = [], defaultNamingContext = [], forestFunctionality = [] } = root?.attributes ?? {}
  const isOne = supportedCapabilities.includes(capabilities.activeDirectory)
  if (isOne !== isActiveDirectory) {
    return isOne
      ? 'LDAP_KIND: the server is an Active Directory; set LDAP_KIND=active-directory'
      : 'LDAP_KIND: the server is not an Active Directory; leave LDAP_KIND out'
  }
  if (!isOne) return null
  if (supportedCapabilities.includes(capabilities.readOnly))
    return 'LDAP_URL: the server is a read-only domain controller; name one that accepts changes'
  const [domain = ''] = defaultNamingContext
  if (!below(baseDn, domain)) return `LDAP_BASE_DN: expected an organizational unit within the domain ${domain}`
  if (Number(forestFunctionality[0] ?? 0) < lowestLevel)
    return 'LDAP_URL: the functional level of the forest is older than Windows Server 2003; raise it'
  return misfitOfBase(directory)
}

const misfitOfBase = async ({ baseDn, read }: Directory): Promise<string | null> => {
  const wanted = ['objectClass', 'allowedChildClassesEffective', systemAttribute]
  const base = await read(baseDn, wanted)
  const { objectClass = [], [systemAttribute]: system = [] } = base?.attributes ?? {}
  if (base !== null && (system[0] === 'TRUE' || !objectClass.includes('organizationalUnit')))
    return `LDAP_BASE_DN: ${baseDn} belongs to the directory itself; name an organizational unit of its own`
  const place = base === null ? parentDn(baseDn) : baseDn
  const { allowedChildClassesEffective: allowed = [] } = (base ?? (await read(place, wanted)))?.attributes ?? {}
  const missing = ['organizationalUnit', ...(base === null ? [] : ['user', 'group'])].filter(
    (name) => !allowed.includes(name),
  )
  return missing.length === 0 ? null : `LDAP_BIND_DN: may not add ${missing.join(', ')} below ${place}`
}
