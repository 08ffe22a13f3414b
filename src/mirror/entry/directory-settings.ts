import type { GroupClass } from './entry-shape.ts'
import type { GroupLayout } from './places.ts'
import type { PosixSettings } from './posix.ts'

/** LDAP_PASSWORD_SCHEME */
export const passwordSchemes = ['argon2', 'pbkdf2-sha512', 'ssha512'] as const
export type PasswordScheme = (typeof passwordSchemes)[number]

/**
 * LDAP_NESTED_GROUPS; `members`: the entry of a group also lists the people of all groups below it. Groups are a tree, so
 * no group is below itself.
 */
export const nestings = ['off', 'members'] as const
export type NestedGroups = (typeof nestings)[number]

/** LDAP_KIND */
export const directoryKinds = ['generic', 'active-directory'] as const

/** What Active Directory needs to know beside the rest. */
export interface ActiveDirectorySettings {
  /** LDAP_UPN_SUFFIX: what follows the @ in `userPrincipalName`. */
  upnSuffix: string
}

/**
 * LDAP_ATTRIBUTES: the attributes of people that the directory gets, besides those without which an entry is no account.
 * null: all of them, unless it got some only until now.
 */
export type ShownAttributes = readonly string[] | 'all' | null

export interface ExternalDirectory {
  kind: 'external'
  /** ldap:// or ldaps:// */
  url: string
  /** Those of servers with the same content, which are used in this order while `url` cannot be. */
  otherUrls: readonly string[]
  /** LDAP_RETURN_INTERVAL, milliseconds between attempts to return to `url` while another server is used. */
  returnInterval: number
  baseDn: string
  bindDn: string
  bindPassword: string
  /** The content of LDAP_CA_FILE, as it is now. */
  ca: (() => string) | null
  startTls: boolean
  /** LDAP_TIMEOUT, milliseconds for one operation. */
  timeout: number
  /** LDAP_TRANSACTIONS: whether bulk writes may use transactions (RFC 5805) where the server offers them. */
  transactions: boolean
}

export interface EmbeddedPlace {
  kind: 'embedded'
  /** EMBEDDED_LDAP_HOST; beyond loopback only with TLS. */
  host: string
  /** EMBEDDED_LDAP_PORT; 0 takes any free one. */
  port: number
  /** EMBEDDED_LDAPS_PORT; 0 takes any free one, null: off. */
  ldapsPort: number | null
  /** null: EMBEDDED_LDAP_TLS=off. */
  tls: {
    /** EMBEDDED_LDAP_CERT_FILE and EMBEDDED_LDAP_KEY_FILE; null: a certificate is made and kept. */
    own: { certFile: string; keyFile: string } | null
    /** EMBEDDED_LDAP_NAMES */
    names: string[]
  } | null
  /** EMBEDDED_LDAP_SIZE_LIMIT: entries that a search answers without paging. */
  sizeLimit: number
  baseDn: string
}

/**
 * A directory and what its entries look like. The settings of further directories have a number: LDAP_2_GROUP_CLASS.
 * @template Place null: no directory
 */
export interface DirectoryProfile<Place = ExternalDirectory | EmbeddedPlace> {
  ldap: Place
  /** LDAP_KIND and LDAP_UPN_SUFFIX; null: any other kind of directory. */
  activeDirectory: ActiveDirectorySettings | null
  /** LDAP_GROUP_CLASS */
  groupClass: GroupClass
  /** null: POSIX_ACCOUNTS=off, or LDAP_2_POSIX_ACCOUNTS=off. */
  posix: PosixSettings | null
  /** LDAP_NESTED_GROUPS */
  nestedGroups: NestedGroups
  /** LDAP_GROUP_LAYOUT; a directory with groups gets it by a migration. */
  groupLayout: GroupLayout
  /** LDAP_MEMBER_OF: whether entries of people show their groups in `memberOf`, where the server does not do it itself. */
  memberOf: boolean
  /** LDAP_NT_HASH: whether entries of people show NT hashes of their passwords. */
  ntHash: boolean
  attributes: ShownAttributes
  /** LDAP_PASSWORD_SCHEME; of a further directory by default that of the main one. */
  passwordScheme: PasswordScheme
}

/** A directory that follows the records beside the main one. */
export interface FurtherDirectory extends DirectoryProfile<ExternalDirectory> {
  /** From 2 to 9, as in the names of its settings. */
  number: number
  /**
   * Whether LDAP_2_PASSWORD_SCHEME is set: then it gets hashes in this scheme alone. Otherwise it gets what records hold,
   * as the main directory does.
   */
  ownScheme: boolean
  /**
   * LDAP_2_GROUPS: the ids of the groups that it gets, with all below them and their people. null: it gets everything, unless
   * it got some groups only until now.
   */
  groups: readonly number[] | 'all' | null
  /** LDAP_2_MAX_REMOVALS: how many entries a change of `groups`, or one change of records, may remove. */
  maxRemovals: number
}

/** The main directory, and the others. */
export interface DirectorySettings extends DirectoryProfile<ExternalDirectory | EmbeddedPlace | null> {
  /** In the order of their numbers. */
  furtherDirectories: readonly FurtherDirectory[]
  /** DIRECTORY_WAIT, milliseconds that a change waits for the main directory. */
  directoryWait: number
  /** DATA_DIR */
  dataDir: string
}
