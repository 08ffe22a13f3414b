import { DnSyntaxError, keyOfAny, parseDn } from '../ldap/dn.ts'
import { domainOf } from '../mirror/entry/active-directory.ts'
import {
  type ActiveDirectorySettings,
  type DirectorySettings,
  directoryKinds,
  type ExternalDirectory,
  type FurtherDirectory,
  nestings,
  type PasswordScheme,
  passwordSchemes,
  type ShownAttributes,
} from '../mirror/entry/directory-settings.ts'
import type { GroupClass } from '../mirror/entry/entry-shape.ts'
import { groupLayouts } from '../mirror/entry/places.ts'
import { readAuthorities } from './certificates.ts'
import { readEmbedded } from './embedded-directory.ts'
import { readPosix, readPosixValues } from './posix.ts'
import { toInteger, type Variables } from './variables.ts'

/** Directories at most. */
const max = 9

/** The name of a setting of a directory: LDAP_URL of the main one, LDAP_2_URL of the second. */
type Named = (setting: string) => string

const namedOf =
  (number: number): Named =>
  (setting) =>
    number === 1 ? `LDAP_${setting}` : `LDAP_${number}_${setting}`

/** Of a directory elsewhere only. */
const externalOnly =
  /^LDAP_(BASE_DN|BIND_DN|BIND_PASSWORD|STARTTLS|CA_FILE|TIMEOUT|RETURN_INTERVAL|TRANSACTIONS)(_FILE)?$/

/** null: there is no such directory. */
const readExternal = (variables: Variables, named: Named): ExternalDirectory | null => {
  const { problems, read, urls, dn, required, flag, duration } = variables
  const [first = '', ...others] = urls(named('URL'), ['ldap:', 'ldaps:'])
  if (read(named('URL')) === null) return null
  const ca = readAuthorities(variables, named('CA_FILE'))
  const startTls = flag(named('STARTTLS'), false)
  if (startTls && [first, ...others].some((url) => url.startsWith('ldaps:')))
    problems.push(`${named('STARTTLS')}: is allowed with ldap:// only, not with ldaps://`)
  const why = `when ${named('URL')} is set`
  return {
    kind: 'external',
    url: first,
    otherUrls: others,
    returnInterval: duration(named('RETURN_INTERVAL'), 30_000, 100),
    baseDn: required(named('BASE_DN'), why) && dn(named('BASE_DN')),
    bindDn: required(named('BIND_DN'), why),
    bindPassword: required(named('BIND_PASSWORD'), why),
    ca,
    startTls,
    timeout: duration(named('TIMEOUT'), 15_000, 100),
    transactions: flag(named('TRANSACTIONS'), true),
  }
}

/** The classes of a group: one that lists members, which is its structural one, and POSIX groups beside it. */
interface Classes {
  groupClass: GroupClass
  posixGroups: boolean
}

const toClasses = (text: string): Classes | undefined => {
  const names = text.toLowerCase().split(/[\s,]+/)
  const [groupClass, ...more] = (['groupOfNames', 'groupOfUniqueNames'] as const).filter((each) =>
    names.includes(each.toLowerCase()),
  )
  const posixGroups = names.includes('posixgroup')
  const known = (groupClass === undefined ? 0 : 1) + Number(posixGroups)
  return groupClass === undefined || more.length > 0 || names.length !== known ? undefined : { groupClass, posixGroups }
}

const readClasses = ({ parse }: Variables, named: Named): Classes =>
  parse<Classes>(
    named('GROUP_CLASS'),
    { groupClass: 'groupOfNames', posixGroups: false },
    toClasses,
    'one of groupOfNames and groupOfUniqueNames (an entry can have only one of them), and posixGroup beside it if wanted',
  )

const isDn = (text: string): boolean => {
  try {
    return parseDn(text).length > 0
  } catch (error) {
    if (error instanceof DnSyntaxError) return false
    throw error
  }
}

/** @param ldap null: it is not an Active Directory */
const readActiveDirectory = (
  { problems, read, parse }: Variables,
  named: Named,
  ldap: ExternalDirectory | null,
): ActiveDirectorySettings | null => {
  if (ldap === null) {
    if (read(named('UPN_SUFFIX')) !== null)
      problems.push(`${named('UPN_SUFFIX')}: is allowed only when ${named('KIND')} is active-directory`)
    return null
  }
  if (!ldap.startTls && [ldap.url, ...ldap.otherUrls].some((url) => !url.startsWith('ldaps:')))
    problems.push(
      `${named('URL')}: expected ldaps://, or ${named('STARTTLS')}=on: Active Directory takes passwords over TLS only`,
    )
  const parts = ldap.baseDn === '' ? [] : parseDn(ldap.baseDn).map(([ava]) => ava?.type.toLowerCase())
  if (ldap.baseDn !== '' && (parts[0] !== 'ou' || parts.at(-1) !== 'dc'))
    problems.push(
      `${named('BASE_DN')}: expected an organizational unit of its own in an Active Directory, such as ou=Steward,dc=example,dc=org`,
    )
  // By its DN it is known among the entries, and never written.
  if (ldap.bindDn !== '' && !isDn(ldap.bindDn))
    problems.push(`${named('BIND_DN')}: expected a DN, not another name of the account`)
  const domain = ldap.baseDn === '' ? '' : domainOf(ldap.baseDn)
  const toSuffix = (value: string): string | undefined => (/^[\p{L}\d.-]+$/u.test(value) ? value : undefined)
  return { upnSuffix: parse(named('UPN_SUFFIX'), domain, toSuffix, 'what follows the @ in userPrincipalName') }
}

const toAttributes = (value: string): string[] | 'all' | undefined => {
  if (value.toLowerCase() === 'all') return 'all'
  const names = value.split(/[\s,]+/).map((name) => name.toLowerCase())
  return names.every((name) => /^[a-z][a-z0-9-]*$/.test(name)) ? [...new Set(names)].sort() : undefined
}

const readAttributes = ({ parse }: Variables, named: Named): ShownAttributes =>
  parse<ShownAttributes>(
    named('ATTRIBUTES'),
    null,
    toAttributes,
    'all, or names of attributes of people, separated by spaces or commas',
  )

/** What the entries of a directory look like. */
const readShape = (
  variables: Variables,
  named: Named,
  ldap: ExternalDirectory | null,
  posixAccounts: string,
  posixValues: ReturnType<typeof readPosixValues>,
) => {
  const { groupClass, posixGroups } = readClasses(variables, named)
  const isActiveDirectory = variables.oneOf(named('KIND'), directoryKinds, 'generic') === 'active-directory'
  const shape = {
    groupClass,
    posix: readPosix(variables, posixAccounts, posixValues, posixGroups),
    nestedGroups: variables.oneOf(named('NESTED_GROUPS'), nestings, 'off'),
    memberOf: variables.flag(named('MEMBER_OF'), false),
    ntHash: variables.flag(named('NT_HASH'), false),
    groupLayout: variables.oneOf(named('GROUP_LAYOUT'), groupLayouts, isActiveDirectory ? 'flat' : 'nested'),
    attributes: readAttributes(variables, named),
  }
  const activeDirectory = readActiveDirectory(variables, named, isActiveDirectory ? ldap : null)
  if (isActiveDirectory) {
    const { problems, read } = variables
    const why = `when ${named('KIND')} is active-directory`
    if (ldap === null) problems.push(`${named('URL')}: required ${why}`)
    if (read(named('GROUP_CLASS')) !== null) problems.push(`${named('GROUP_CLASS')}: is not allowed ${why}`)
    if (shape.posix !== null) problems.push(`${posixAccounts}: is not allowed ${why}`)
    if (shape.memberOf)
      problems.push(`${named('MEMBER_OF')}: is not allowed ${why}, because the server keeps memberOf itself`)
    if (shape.ntHash) problems.push(`${named('NT_HASH')}: is not allowed ${why}, because the server makes its own`)
    if (shape.groupLayout === 'nested')
      problems.push(`${named('GROUP_LAYOUT')}: expected flat ${why}, because a group cannot be below another there`)
  }
  return { ...shape, activeDirectory }
}

const toIds = (value: string): number[] | 'all' | undefined => {
  if (value.toLowerCase() === 'all') return 'all'
  const ids = value.split(/[\s,]+/).map((text) => toInteger(text, 1, Number.MAX_SAFE_INTEGER))
  return ids.every((id) => id !== undefined) ? [...new Set(ids)].sort((a, b) => a - b) : undefined
}

/** What a further directory gets. */
const readScope = ({ parse, integer }: Variables, named: Named): Pick<FurtherDirectory, 'groups' | 'maxRemovals'> => ({
  groups: parse<FurtherDirectory['groups']>(
    named('GROUPS'),
    null,
    toIds,
    'all, or ids of groups, separated by spaces or commas',
  ),
  maxRemovals: integer(named('MAX_REMOVALS'), 20, 0, 100_000_000),
})

/** null: what records hold is written, in the scheme of the main directory. */
const readOwnScheme = (
  { problems, read, oneOf }: Variables,
  named: Named,
  isActiveDirectory: boolean,
): PasswordScheme | null => {
  const name = named('PASSWORD_SCHEME')
  if (read(name) === null) return null
  if (isActiveDirectory)
    problems.push(
      `${name}: is not allowed when ${named('KIND')} is active-directory, because the server takes passwords and no hashes`,
    )
  return oneOf(name, passwordSchemes, 'argon2')
}

/** The directories that people and groups are mirrored into. */
export const readDirectories = (variables: Variables): Omit<DirectorySettings, 'dataDir'> => {
  const { problems, unread } = variables
  const posixValues = readPosixValues(variables)
  const embedded = readEmbedded(variables)
  const external = readExternal(variables, namedOf(1))
  const main = {
    ldap: external ?? embedded,
    ...readShape(variables, namedOf(1), external, 'POSIX_ACCOUNTS', posixValues),
    passwordScheme: variables.oneOf('LDAP_PASSWORD_SCHEME', passwordSchemes, 'argon2'),
  }
  const numbers = Array.from({ length: max - 1 }, (_, index) => index + 2)
  const furtherDirectories = numbers.flatMap((number): FurtherDirectory[] => {
    const named = namedOf(number)
    const ldap = readExternal(variables, named)
    if (ldap === null) return []
    const shape = readShape(variables, named, ldap, named('POSIX_ACCOUNTS'), posixValues)
    const scheme = readOwnScheme(variables, named, shape.activeDirectory !== null)
    const own = { passwordScheme: scheme ?? main.passwordScheme, ownScheme: scheme !== null }
    return [{ number, ldap, ...shape, ...readScope(variables, named), ...own }]
  })
  if (furtherDirectories.length > 0 && main.ldap === null)
    problems.push('LDAP_URL: required when there are further directories')
  // Otherwise a name that is misspelled, or a URL that is forgotten, would start the embedded directory.
  for (const name of unread(externalOnly)) problems.push(`LDAP_URL: required when ${name} is set`)
  for (const name of unread(/^LDAP_\d/)) {
    const [, number = ''] = /^LDAP_(\d+)/.exec(name) ?? []
    const isMissing = furtherDirectories.every((each) => String(each.number) !== number)
    const isNumber = numbers.includes(Number(number)) && number.length === 1
    problems.push(
      isMissing && isNumber
        ? `LDAP_${number}_URL: required when ${name} is set`
        : `${name}: is not a setting of a directory; those of further directories begin with LDAP_2_ to LDAP_${max}_`,
    )
  }
  problems.push(...overlaps(main.ldap, furtherDirectories))
  return { ...main, furtherDirectories, directoryWait: variables.duration('DIRECTORY_WAIT', 2000, 100) }
}

/** Directories on one server would write each other's entries. */
const overlaps = (main: DirectorySettings['ldap'], further: readonly FurtherDirectory[]): string[] => {
  const all = [...(main?.kind === 'external' ? [{ number: 1, ldap: main }] : []), ...further]
  const urlsOf = ({ ldap }: (typeof all)[number]): string[] =>
    [ldap.url, ...ldap.otherUrls].map((url) => new URL(url).host.toLowerCase())
  return further.flatMap((one) =>
    all
      .filter(({ number }) => number < one.number)
      .filter((other) => urlsOf(one).some((url) => urlsOf(other).includes(url)))
      .filter(({ ldap }) => within(ldap.baseDn, one.ldap.baseDn) || within(one.ldap.baseDn, ldap.baseDn))
      .map(
        (other) =>
          `${namedOf(one.number)('BASE_DN')}: overlaps with ${namedOf(other.number)('BASE_DN')} on the same server`,
      ),
  )
}

const within = (dn: string, base: string): boolean => `,${keyOfAny(dn)}`.endsWith(`,${keyOfAny(base)}`)
