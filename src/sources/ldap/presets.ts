import { Control } from 'ldapts'
import type { SourceRecord } from '../source.ts'

export type PresetName = 'openldap' | 'posix' | 'ad'

/**
 * How a kind of directory stores people and departments. The primary group of a POSIX account, which it only names by a
 * number, is not followed: its members are listed where they are meant to be.
 */
export interface Preset {
  /** The attribute that keeps its value through every rename and move. */
  identity: 'entryUUID' | 'objectGUID'
  userFilter: string
  groupFilter: string
  /** Attributes that list the people of a department by DN; a value of uniqueMember may end with a number. */
  memberDns: readonly string[]
  /** Attributes that list them by the value of their `uid`, in the same case. */
  memberUids: readonly string[]
  /**
   * The attribute by which a person names their primary group, and that of the number of a group; null: not followed.
   * Active Directory leaves the people whose primary group it is out of the `member` of a group.
   */
  primaryGroup: { named: string; number: string } | null
  /** Attributes of people whose absence the diagnosis reports. */
  fields: readonly string[]
  isActive: (record: SourceRecord) => boolean
  /** Sent with every search. */
  controls: () => Control[]
}

const inetOrgPerson = ['uid', 'cn', 'sn', 'displayName', 'givenName', 'mail', 'mobile', 'employeeNumber', 'title']

/** Active Directory, bit ACCOUNTDISABLE of userAccountControl. */
const accountDisabled = 2

/**
 * Do not refer to the other partitions of the forest: only the domain is read ([MS-ADTS] section 3.1.1.3.4.1.14). Not
 * critical, so that another server ignores it.
 */
const domainScopeOid = '1.2.840.113556.1.4.1339'
class DomainScopeControl extends Control {
  constructor() {
    super(domainScopeOid)
  }
}

export const presets: Readonly<Record<PresetName, Preset>> = {
  openldap: {
    identity: 'entryUUID',
    userFilter: '(objectClass=inetOrgPerson)',
    groupFilter: '(|(objectClass=organizationalUnit)(objectClass=groupOfNames)(objectClass=groupOfUniqueNames))',
    memberDns: ['member', 'uniqueMember'],
    memberUids: [],
    primaryGroup: null,
    fields: [...inetOrgPerson, 'departmentNumber'],
    isActive: () => true,
    controls: () => [],
  },
  /** RFC 2307, and its successor's groups that name their members by DN. */
  posix: {
    identity: 'entryUUID',
    userFilter: '(objectClass=posixAccount)',
    groupFilter: '(|(objectClass=organizationalUnit)(objectClass=posixGroup))',
    memberDns: ['member', 'uniqueMember'],
    memberUids: ['memberUid'],
    primaryGroup: null,
    fields: [...inetOrgPerson, 'uidNumber', 'gidNumber'],
    isActive: () => true,
    controls: () => [],
  },
  ad: {
    identity: 'objectGUID',
    // Accounts of people, not of machines; neither built-in accounts nor built-in groups.
    userFilter: '(&(sAMAccountType=805306368)(!(isCriticalSystemObject=TRUE)))',
    groupFilter: '(&(|(objectClass=organizationalUnit)(objectClass=group))(!(isCriticalSystemObject=TRUE)))',
    memberDns: ['member'],
    memberUids: [],
    primaryGroup: { named: 'primaryGroupID', number: 'primaryGroupToken' },
    fields: [
      ...['sAMAccountName', 'userPrincipalName', 'cn', 'sn', 'displayName', 'givenName', 'mail', 'mobile', 'title'],
      ...['department', 'employeeID', 'userAccountControl'],
    ],
    isActive: ({ userAccountControl }) => (Number(userAccountControl ?? 0) & accountDisabled) === 0,
    controls: () => [new DomainScopeControl()],
  },
}

export const memberAttributes = ({ memberDns, memberUids }: Preset): string[] => [...memberDns, ...memberUids]
