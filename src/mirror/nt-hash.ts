import { type SQL, sql } from 'drizzle-orm'
import type { Queryable } from '../db/client.ts'
import { seal, unseal } from '../sealed-text.ts'
import type { Secrets } from '../secrets.ts'
import { md4 } from '../text/md4.ts'
import type { DirectorySchema } from './directory-schema.ts'
import type { DirectorySettings } from './directory-settings.ts'
import type { UserFacts } from './entry-shape.ts'
import type { ExtraAttribute } from './extra-attributes.ts'

// NT hashes, which PEAP with MSCHAPv2 needs: the MD4 of a password, without a salt. It is as good as the password for
// MSCHAPv2 itself. So it is off unless a directory is set to have it (LDAP_NT_HASH), sealed in SQL, and in no backup.

/** The attribute and class of docs/schema/nt-hash.ldif: those of Samba need a SID, and belong to other tools. */
export const ntHashAttribute = 'stewardNtHash'
const attribute = ntHashAttribute
const objectClass = 'stewardNtAccount'

/** Why the start is refused, for LDAP_NT_HASH. */
export const ntHashLacking = `the directory's schema has no ${attribute} in a class ${objectClass}: load docs/schema/nt-hash.ldif, or set it to off`

/** @param schema null: the server publishes none */
export const lacksNtHash = (schema: DirectorySchema | null): boolean => !schema?.allows(attribute, objectClass)

/** 32 hexadecimal digits ([MS-NLMP] section 3.3.1), the form that FreeRADIUS and Samba read. */
const ntHashOf = (password: string): string => md4(Buffer.from(password, 'utf16le')).toString('hex').toUpperCase()

export interface NtHashes {
  /** Whether a directory has them. */
  wanted: boolean
  /**
   * The sealed NT hash of a password; null: no directory has NT hashes.
   * @param value what the record holds of the password (see `directoryValueOf`): the hash opens together with it only, so
   *   that no way to change a password leaves the hash of the former one in use
   */
  seal(password: string, value: string): string | null
  /** null: it is of another password, or sealed with a key that is not known any more. */
  open(sealed: string, value: string): string | null
  /** Whether it is of this password, and sealed with the present key. */
  isPresent(sealed: string, value: string): boolean
}

type NtHashSettings = Pick<DirectorySettings, 'ldap' | 'ntHash'> & {
  furtherDirectories: readonly Pick<DirectorySettings, 'ntHash'>[]
}

/** Whether a directory shows NT hashes. */
export const hasNtHashes = ({ ldap, ntHash, furtherDirectories }: NtHashSettings): boolean =>
  ldap !== null && (ntHash || furtherDirectories.some((each) => each.ntHash))

/** Hashes that are sealed with an earlier key are sealed with the present one at the next sign-in. */
export const ntHashesOf = (
  settings: NtHashSettings,
  { ntHashKey: key, previousNtHashKeys: previous }: Pick<Secrets, 'ntHashKey' | 'previousNtHashKeys'>,
): NtHashes => {
  const wanted = hasNtHashes(settings)
  const context = (value: string): string => `NT hash of the password ${value}`
  return {
    wanted,
    seal: (password, value) => (wanted ? seal(key, ntHashOf(password), context(value)) : null),
    open: (sealed, value) => {
      for (const each of [key, ...previous]) {
        const hash = unseal(each, sealed, context(value))
        if (hash !== null) return hash
      }
      return null
    },
    isPresent: (sealed, value) => unseal(key, sealed, context(value)) !== null,
  }
}

/** Whether a directory has them, as the instance that was started last says. */
const areWanted = sql`exists (select from directories where shape->'ntHash' is not null)`

/** The sealed hash of user `u` for the directory of their row `e`; null: it shows none. */
export const sealedNtHash: SQL = sql`
  case when (select d.shape->'ntHash' is not null from directories d where d.number = e.directory)
    then (select n.sealed from nt_hashes n where n.user_id = u.id) end`

/** Stores hashes after their passwords. Without one, nothing is left: the trigger has deleted the former. */
export const storeNtHashes = async (
  tx: Queryable,
  hashes: readonly { id: number; ntHash: string | null }[],
): Promise<void> => {
  const given = hashes.filter(({ ntHash }) => ntHash !== null)
  if (given.length === 0) return
  await tx.execute(sql`
    insert into nt_hashes (user_id, sealed)
    select p.id, p."ntHash" from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as p (id bigint, "ntHash" text)
    join users u on u.id = p.id and u.status = 1
    where ${areWanted} order by p.id
    on conflict (user_id) do update set sealed = excluded.sealed`)
}

/** Whether a proven password of an enabled user has no hash that can be opened, and would get one. */
export const lackNtHash = async (
  db: Queryable,
  userId: number,
  isOpen: (sealed: string) => boolean,
): Promise<boolean> => {
  const [row] = await db.execute<{ sealed: string | null }>(sql`
    select (select sealed from nt_hashes where user_id = ${userId}) as sealed where ${areWanted}`)
  return row !== undefined && (row.sealed === null || !isOpen(row.sealed))
}

/** Deletes all of them, because no directory has them any more. */
export const dropNtHashes = async (db: Queryable): Promise<void> => {
  await db.execute(sql`delete from nt_hashes`)
}

/**
 * The attribute of a person. It is the reconciler's alone: where there is no hash to show, it is removed, also where
 * another program wrote it.
 */
export const shownNtHash = (
  { ntHash, password, status }: Pick<UserFacts, 'ntHash' | 'password' | 'status'>,
  open: NtHashes['open'],
): ExtraAttribute => {
  const shown = status === 1 && ntHash !== null && password !== null ? open(ntHash, password) : null
  return { attribute, objectClass, values: shown === null ? [] : [shown] }
}
