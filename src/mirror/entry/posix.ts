import type { Statement } from '../../failures/statement.ts'
import { parseDn } from '../../ldap/dn.ts'
import { statements } from '../statements.ts'
import type { GroupFacts, UserFacts } from './entry-shape.ts'
import type { ExtraAttribute } from './extra-attributes.ts'

/** The settings POSIX_…; accounts and groups of RFC 2307. */
export interface PosixSettings {
  /** POSIX_ACCOUNTS: every person and group, the groups that are switched on and their members, or no person. */
  accounts: 'all' | 'groups' | 'none'
  /** Every group is a POSIX group, because LDAP_GROUP_CLASS names the class. */
  everyGroup?: true
  /** POSIX_NUMBERS */
  numbers: { from: number; to: number }
  /** POSIX_PRIMARY_GID; null: a person's own number. */
  primaryGid: number | null
  /** POSIX_HOME, POSIX_SHELL, POSIX_GECOS */
  home: string
  shell: string
  gecos: string
  /** POSIX_MEMBER_UID */
  memberUid: boolean
}

/** What is known of the POSIX account or group of a record. */
export interface PosixFacts {
  /** Whether it is in a group that is switched on, or is one. */
  switchedOn: boolean
  /** null: it never had a number. */
  number: number | null
}

export const isWanted = (settings: PosixSettings | null, { switchedOn }: PosixFacts): boolean =>
  settings?.accounts === 'all' || (settings?.accounts === 'groups' && switchedOn)

/** The same for a group of type `cn`. */
export const isGroupWanted = (settings: PosixSettings | null, facts: PosixFacts): boolean =>
  settings?.everyGroup === true || isWanted(settings, facts)

/** What useradd accepts; homeDirectory and memberUid are ASCII. */
export const isAccountName = (name: string): boolean => /^[a-z_][a-z0-9_.-]{0,31}$/i.test(name)

/** Why the start is refused, for LDAP_GROUP_CLASS. */
export const posixGroupStructural =
  "the directory's schema has posixGroup as a structural class (RFC 2307), which an entry cannot have beside another: load the schema rfc2307bis, or leave posixGroup out"

const accountClass = 'posixAccount'
const groupClassName = 'posixGroup'

/** Printable ASCII without `:`, which separates fields, and `,`, which separates the parts of gecos. */
const ascii = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[^ -~]|[:,]/g, '')
    .trim()

/** The values of an account. */
export const accountOf = (
  { primaryGid, home, shell, gecos }: PosixSettings,
  { username, nickname }: Pick<UserFacts, 'username' | 'nickname'>,
  number: number,
) => {
  const filled = (template: string): string =>
    template.replace(/\{(username|name|number)\}/g, (_, name: string) =>
      name === 'username' ? username : name === 'name' ? ascii(nickname) : String(number),
    )
  return {
    uidNumber: String(number),
    gidNumber: String(primaryGid ?? number),
    homeDirectory: filled(home),
    loginShell: shell,
    gecos: ascii(filled(gecos)),
  }
}

/** The attributes of accounts and of groups for POSIX. */
export const posixAttributeNames = ['uidNumber', 'gidNumber', 'homeDirectory', 'loginShell', 'gecos', 'memberUid']

const none = { uidNumber: '', gidNumber: '', homeDirectory: '', loginShell: '', gecos: '' }

const extrasOf = (objectClass: string, values: Readonly<Record<string, string | string[]>>): ExtraAttribute[] =>
  Object.entries(values).map(([attribute, value]) => ({
    attribute,
    objectClass,
    values: [value].flat().filter((each) => each !== ''),
  }))

/** The attributes of a record for POSIX, and what is missing, for `syncError`. */
interface Shown {
  extras: ExtraAttribute[]
  note: Statement | null
}

const nothing: Shown = { extras: [], note: null }

export const posixOfUser = (settings: PosixSettings | null, facts: UserFacts): Shown => {
  const { posix, username } = facts
  const wanted = isWanted(settings, posix)
  if (posix.number === null) return { ...nothing, note: wanted ? statements.no_posix_number() : null }
  if (settings === null || !wanted) return { extras: extrasOf(accountClass, none), note: null }
  if (!isAccountName(username)) {
    return { extras: extrasOf(accountClass, none), note: statements.no_posix_name() }
  }
  return { extras: extrasOf(accountClass, accountOf(settings, facts, posix.number)), note: null }
}

type GroupPart = Pick<GroupFacts, 'posix' | 'groupType' | 'members'>

export const posixOfGroup = (settings: PosixSettings | null, facts: GroupPart): Shown => {
  const { posix, groupType, members } = facts
  const wanted = groupType === 'cn' && isGroupWanted(settings, posix)
  if (posix.number === null) return { ...nothing, note: wanted ? statements.no_posix_number() : null }
  const gidNumber = wanted ? String(posix.number) : ''
  const memberUid = wanted && settings?.memberUid ? members.map(usernameIn).filter(isAccountName) : []
  return { extras: extrasOf(groupClassName, { gidNumber, memberUid }), note: null }
}

const usernameIn = (dn: string): string => parseDn(dn)[0]?.[0]?.value ?? ''
