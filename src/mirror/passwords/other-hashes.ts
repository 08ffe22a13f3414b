import { type SQL, sql } from 'drizzle-orm'
import type { Queryable } from '../../db/client.ts'
import { constant } from '../../db/constant.ts'
import { seal, unseal } from '../../secrets/sealed-text.ts'
import type { Secrets } from '../../secrets/secrets.ts'
import type { DirectorySettings, PasswordScheme } from '../entry/directory-settings.ts'
import type { UserFacts } from '../entry/entry-shape.ts'
import { ntHashOf } from '../entry/nt-hash.ts'
import { schemeNames } from './password-scheme.ts'
import { hashAs, schemeOf } from './password-values.ts'

// Hashes of a password beside the one in `users`: NT hashes, and those for further directories with a scheme of their own
// (LDAP_2_PASSWORD_SCHEME). None can be computed from another hash, so they are made when the password is known. They are
// sealed in SQL and in no backup. A trigger of `users` deletes them with every change of the password.

/** `nt`: see nt-hash.ts */
export type HashKind = 'nt' | PasswordScheme

/** Sealed hashes of one password. */
export type SealedHashes = Partial<Record<HashKind, string>>

/** By kind; null: the person has no hash of this kind. */
export type StoredHashes = ReadonlyMap<HashKind, string | null>

export interface OtherHashes {
  /** Those that a directory shows. */
  wanted: readonly HashKind[]
  /**
   * The hashes of a password that are wanted beside its value, sealed.
   * @param value what the record holds of the password (see `directoryValueOf`): the hashes open together with it only, so
   *   that no way to change a password leaves a hash of the former one in use
   * @param argon2 the PHC text of the password
   */
  seal(password: string, value: string, argon2: () => Promise<string>): Promise<SealedHashes>
  /** null: it is of another password, or sealed with a key that is not known any more. */
  open(kind: HashKind, sealed: string, value: string): string | null
  /** Whether one of these is not there and belongs beside this value, or is not sealed with the present key for it. */
  lacks(stored: StoredHashes, value: string): boolean
}

type HashSettings = Pick<DirectorySettings, 'ldap' | 'ntHash'> & {
  furtherDirectories: readonly Pick<
    DirectorySettings['furtherDirectories'][number],
    'ntHash' | 'passwordScheme' | 'ownScheme'
  >[]
}

/** What directories show beside the values of records. */
export const wantedHashes = ({ ldap, ntHash, furtherDirectories }: HashSettings): HashKind[] => {
  if (ldap === null) return []
  const schemes = furtherDirectories.flatMap(({ passwordScheme, ownScheme }) => (ownScheme ? [passwordScheme] : []))
  return [...(ntHash || furtherDirectories.some((each) => each.ntHash) ? ['nt' as const] : []), ...new Set(schemes)]
}

const nameOf = (kind: HashKind): string => (kind === 'nt' ? 'NT' : schemeNames[kind])

const hashOf = async (kind: HashKind, password: string, argon2: () => Promise<string>): Promise<string> => {
  if (kind === 'nt') return ntHashOf(password)
  const hash = await hashAs(schemeNames[kind], password, argon2)
  if (hash === null) throw new Error(`nothing makes a value of ${kind}`)
  return hash
}

/** Hashes that are sealed with an earlier key are sealed with the present one at the next sign-in. */
export const otherHashesOf = (
  settings: HashSettings,
  { otherHashKey: key, previousOtherHashKeys: previous }: Pick<Secrets, 'otherHashKey' | 'previousOtherHashKeys'>,
): OtherHashes => {
  const wanted = wantedHashes(settings)
  const context = (kind: HashKind, value: string): string => `${nameOf(kind)} hash of the password ${value}`
  const beside = (value: string): HashKind[] => wanted.filter((kind) => nameOf(kind) !== schemeOf(value))
  return {
    wanted,
    async seal(password, value, argon2) {
      const sealed: SealedHashes = {}
      for (const kind of beside(value)) {
        sealed[kind] = seal(key, await hashOf(kind, password, argon2), context(kind, value))
      }
      return sealed
    },
    open: (kind, sealed, value) => {
      for (const each of [key, ...previous]) {
        const hash = unseal(each, sealed, context(kind, value))
        if (hash !== null) return hash
      }
      return null
    },
    lacks: (stored, value) =>
      beside(value).some((kind) => {
        const sealed = stored.get(kind)
        return sealed === null || (sealed !== undefined && unseal(key, sealed, context(kind, value)) === null)
      }),
  }
}

/** The scheme that a directory has of its own; null: none. */
export const ownScheme = (directory: number): SQL =>
  sql`(select d.shape->>'ownScheme' from directories d where d.number = ${constant(directory)})`

/** The sealed hash of user `u` in the scheme of the directory with the row `dir`; null: it gets what the record holds. */
export const sealedOwnHash: SQL = sql`
  case when dir.shape->>'ownScheme' is not null then json_build_object('scheme', dir.shape->>'ownScheme', 'sealed', (
    select s.sealed from scheme_hashes s where s.user_id = u.id and s.scheme = dir.shape->>'ownScheme')) end`

const schemeOfRecord = sql`upper(substring(
  coalesce(u.directory_password, case when u.password_hash is not null then '{ARGON2}' end) from '^\\{([^{}]+)\\}'))`

/** The scheme of what `passwordShown` returns for user `u`; null: it has none. */
export const schemeShown = (directory: number): SQL => sql`
  case when ${ownScheme(directory)} is null or ${schemeOfRecord} = upper(${ownScheme(directory)}) then ${schemeOfRecord}
    when exists (select from scheme_hashes s where s.user_id = u.id and s.scheme = ${ownScheme(directory)})
    then upper(${ownScheme(directory)}) end`

/**
 * What the directory gets of the password of a person: where it has a scheme of its own, the hash in this scheme alone.
 * `lacks` names the scheme where no hash of this password was made yet.
 */
export const passwordShown = (
  { password, ownHash }: Pick<UserFacts, 'password' | 'ownHash'>,
  open: OtherHashes['open'],
): { password: string | null; lacks: string | null } => {
  if (ownHash === null || password === null) return { password, lacks: null }
  const scheme = schemeNames[ownHash.scheme]
  if (schemeOf(password) === scheme) return { password, lacks: null }
  const hash = ownHash.sealed === null ? null : open(ownHash.scheme, ownHash.sealed, password)
  return { password: hash, lacks: hash === null ? scheme : null }
}

/** Whether a directory shows hashes of the kind `kind`, as the instance that was started last says. */
const isShown = sql`exists (
  select from directories where case when kind = 'nt' then shape->'ntHash' is not null else shape->>'ownScheme' = kind end)`

/** Stores hashes after their passwords. Without one, nothing is left: the trigger has deleted the former. */
export const storeHashes = async (
  tx: Queryable,
  people: readonly { id: number; hashes: SealedHashes }[],
): Promise<void> => {
  const given = people.flatMap(({ id, hashes }) =>
    Object.entries(hashes).map(([kind, sealed]) => ({ id, kind, sealed })),
  )
  if (given.length === 0) return
  await tx.execute(sql`
    with given as (
      select p.* from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as p (id bigint, kind text, sealed text)
      join users u on u.id = p.id and u.status = 1
      where ${isShown} order by p.id),
    nt as (
      insert into nt_hashes (user_id, sealed) select id, sealed from given where kind = 'nt'
      on conflict (user_id) do update set sealed = excluded.sealed)
    insert into scheme_hashes (user_id, scheme, sealed) select id, kind, sealed from given where kind <> 'nt'
    on conflict (user_id, scheme) do update set sealed = excluded.sealed`)
}

/** What is stored for a person of the kinds that a directory shows; null: nothing. */
export const storedHashes = async (
  db: Queryable,
  userId: number,
  kinds: readonly HashKind[],
): Promise<StoredHashes> => {
  const rows = await db.execute<{ kind: HashKind; sealed: string | null }>(sql`
    select kind, coalesce(n.sealed, s.sealed) as sealed
    from jsonb_array_elements_text(${JSON.stringify(kinds)}::jsonb) as k (kind)
    left join nt_hashes n on kind = 'nt' and n.user_id = ${userId}
    left join scheme_hashes s on s.scheme = kind and s.user_id = ${userId}
    where ${isShown}`)
  return new Map(rows.map(({ kind, sealed }) => [kind, sealed]))
}

/** Deletes those of people that no directory shows any more. Those of service accounts could not be made again. */
export const dropHashes = async (db: Queryable, wanted: readonly HashKind[]): Promise<void> => {
  if (!wanted.includes('nt')) await db.execute(sql`delete from nt_hashes`)
  await db.execute(sql`
    delete from scheme_hashes
    where scheme not in (select jsonb_array_elements_text(${JSON.stringify(wanted)}::jsonb))`)
}
