import { sql } from 'drizzle-orm'
import type { Db } from '../../db/client.ts'
import { type SshKey, type SshKeys, users } from '../../db/schema.ts'
import type { Directory } from '../../ldap/directory.ts'
import { readSshKey } from '../../text/ssh-key.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { UserRow } from '../ledger/record-rows.ts'
import type { UserFacts } from './entry-shape.ts'
import type { ExtraAttribute } from './extra-attributes.ts'

/** The attribute and class of openssh-lpk, which sshd's AuthorizedKeysCommand and SSSD look for. */
export const sshKeyAttribute = 'sshPublicKey'
const attribute = sshKeyAttribute
const objectClass = 'ldapPublicKey'

/** The keys of one person; the contract's limit. */
export const maxKeys = 20

/** Without the name: it is for people, and may be in any script. */
export const shownKeys = ({ sshKeys }: Pick<UserFacts, 'sshKeys'>): ExtraAttribute[] =>
  sshKeys === null ? [] : [{ attribute, objectClass, values: sshKeys.keys.map(({ type, blob }) => `${type} ${blob}`) }]

/**
 * The keys that these entries have, by the ids of their people. A value that cannot be used is left out: it does not
 * come back, and no application could use it either.
 * @throws DirectoryError
 */
export const takeOverKeys = async (
  { directory, ledger }: { directory: Pick<Directory, 'read'>; ledger: Pick<Ledger, 'kept'> },
  rows: readonly Pick<UserRow, 'id' | 'dn' | 'hasKept'>[],
): Promise<Map<number, SshKey[]>> => {
  const addedAt = new Date().toISOString()
  const taken = new Map<number, SshKey[]>()
  for (const { id, dn, hasKept } of rows) {
    const entry = dn === null ? null : await directory.read(dn, [attribute])
    // Those of a disabled person were removed from the entry and stored.
    const kept = hasKept ? await ledger.kept(id) : null
    const stored = Object.entries(kept?.attributes ?? {}).filter(
      ([name]) => name.toLowerCase() === attribute.toLowerCase(),
    )
    const texts = stored.flatMap(([, values]) => values.map((value) => Buffer.from(value, 'base64').toString('utf8')))
    const keys = [...(entry?.attributes[attribute] ?? []), ...texts].flatMap((text) => {
      const key = readSshKey(text)
      return typeof key === 'string' ? [] : [{ name: key.fingerprint.slice(7, 19), ...key, addedAt }]
    })
    taken.set(id, keys)
  }
  return taken
}

/** The keys of a person with those that were taken over. */
export const keysWith = (keys: readonly SshKey[], taken: readonly SshKey[]): SshKey[] => [
  ...keys,
  ...taken.filter(({ fingerprint }) => !keys.some((each) => each.fingerprint === fingerprint)),
]

/** Adds the keys to those of their people, unless this was done meanwhile. @returns what people have now */
export const storeTakenKeys = async (
  db: Db,
  taken: ReadonlyMap<number, readonly SshKey[]>,
): Promise<Map<number, SshKeys>> => {
  const rows = await db.execute<{ id: string; keys: SshKeys }>(sql`
    with taken as materialized (
      select t.id, t.keys from jsonb_to_recordset(${JSON.stringify([...taken].map(([id, keys]) => ({ id, keys })))}::jsonb)
        as t (id bigint, keys jsonb)
      join ${users} u on u.id = t.id order by t.id for no key update of u
    )
    update ${users} u set ssh_keys = jsonb_build_object('keys', (u.ssh_keys->'keys') || (
      select coalesce(jsonb_agg(k order by place), '[]') from jsonb_array_elements(t.keys) with ordinality as k (k, place)
      where not exists (select from jsonb_array_elements(u.ssh_keys->'keys') h where h->>'fingerprint' = k->>'fingerprint')))
    from taken t where u.id = t.id and u.ssh_keys->'takesOver' is not null
    returning u.id, u.ssh_keys as keys`)
  return new Map(rows.map(({ id, keys }) => [Number(id), keys]))
}
