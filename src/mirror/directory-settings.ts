import type { GroupClass } from './entry-shape.ts'

/** LDAP_PASSWORD_SCHEME */
export const passwordSchemes = ['argon2', 'pbkdf2-sha512', 'ssha512'] as const
export type PasswordScheme = (typeof passwordSchemes)[number]

export interface ExternalDirectory {
  kind: 'external'
  /** ldap:// or ldaps:// */
  url: string
  baseDn: string
  bindDn: string
  bindPassword: string
  /** The content of LDAP_CA_FILE. */
  ca: string | null
  startTls: boolean
  /** LDAP_TIMEOUT, milliseconds for one operation. */
  timeout: number
  /** LDAP_TRANSACTIONS: whether bulk writes may use transactions (RFC 5805) where the server offers them. */
  transactions: boolean
}

export interface EmbeddedPlace {
  kind: 'embedded'
  /** EMBEDDED_LDAP_PORT on 127.0.0.1; 0 takes any free one. */
  port: number
  baseDn: string
}

/** The settings of the directory. */
export interface DirectorySettings {
  /** null: no directory. */
  ldap: ExternalDirectory | EmbeddedPlace | null
  /** LDAP_GROUP_CLASS */
  groupClass: GroupClass
  /** LDAP_PASSWORD_SCHEME */
  passwordScheme: PasswordScheme
  /** DATA_DIR */
  dataDir: string
}
