import { type SQL, sql } from 'drizzle-orm'
import { md4 } from '../../text/md4.ts'
import type { DirectorySchema } from './directory-schema.ts'
import type { UserFacts } from './entry-shape.ts'
import type { ExtraAttribute } from './extra-attributes.ts'

// NT hashes, which PEAP with MSCHAPv2 needs: the MD4 of a password, without a salt. It is as good as the password for
// MSCHAPv2 itself. So it is off unless a directory is set to have it (LDAP_NT_HASH). other-hashes.ts
// makes and stores it.

/** The attribute and class of docs/schema/nt-hash.ldif: those of Samba need a SID, and belong to other tools. */
export const ntHashAttribute = 'stewardNtHash'
const attribute = ntHashAttribute
const objectClass = 'stewardNtAccount'

/** Why the start is refused, for LDAP_NT_HASH. */
export const ntHashLacking = `the directory's schema has no ${attribute} in a class ${objectClass}: load docs/schema/nt-hash.ldif, or set it to off`

/** @param schema null: the server publishes none */
export const lacksNtHash = (schema: DirectorySchema | null): boolean => !schema?.allows(attribute, objectClass)

/** 32 hexadecimal digits ([MS-NLMP] section 3.3.1), the form that FreeRADIUS and Samba read. */
export const ntHashOf = (password: string): string =>
  md4(Buffer.from(password, 'utf16le')).toString('hex').toUpperCase()

/** The sealed hash of user `u` for the directory with the row `dir`; null: it shows none. */
export const sealedNtHash: SQL = sql`
  case when dir.shape->'ntHash' is not null then (select n.sealed from nt_hashes n where n.user_id = u.id) end`

/**
 * The attribute of a person. It is the reconciler's alone: where there is no hash to show, it is removed, also where
 * another program wrote it.
 */
export const shownNtHash = (
  { ntHash, password, status }: Pick<UserFacts, 'ntHash' | 'password' | 'status'>,
  open: (kind: 'nt', sealed: string, value: string) => string | null,
): ExtraAttribute => {
  const shown = status === 1 && ntHash !== null && password !== null ? open('nt', ntHash, password) : null
  return { attribute, objectClass, values: shown === null ? [] : [shown] }
}
