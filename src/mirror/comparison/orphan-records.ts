import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { Queryable } from '../../db/client.ts'
import { DnSyntaxError, keyOfAny, parseDn } from '../../ldap/dn.ts'
import { matchingKey } from '../../text/matching-key.ts'
import { isCurrentName } from '../entry/flat-names.ts'
import { groupLayoutIn } from '../entry/group-layout.ts'
import { disabledDn, groupPlace, groupsDn, peopleDn, userPlace } from '../entry/places.ts'
import type { RecordKind } from '../touch.ts'

/** A directory in the ledger. */
interface Shelf {
  db: Queryable
  directory: number
}

/** A record whose entry would be at the DN of an orphan. */
export interface Claimant {
  kind: RecordKind
  id: number
  name: string
  groupType: 'ou' | 'cn' | null
  /** Its DN in Steward's own spelling. */
  place: string
  /** The DN of its own entry; null: it has no entry. */
  dn: string | null
}

/**
 * Finds the records whose entries would have these DNs. SQL searches by name only, with one statement for each kind.
 */
export const claimantsOf = async (
  book: Shelf,
  baseDn: string,
  dns: readonly string[],
  naming: 'uid' | 'cn' = 'uid',
): Promise<(dn: string) => Claimant | null> => {
  const names = dns.flatMap((dn) => nameIn(dn) ?? [])
  const keysOf = (isUser: boolean): string =>
    JSON.stringify([
      ...new Set(names.filter(({ type }) => (isUser ? type === naming : type !== 'uid')).map(({ key }) => key)),
    ])
  const claimants = new Map<string, Claimant>()
  const note = (claimant: Omit<Claimant, 'place'>, placeOf: () => string | null): void => {
    const place = orNone(placeOf)
    if (place !== null) claimants.set(keyOfAny(place), { ...claimant, place })
  }
  for (const user of await usersNamed(book, keysOf(true))) {
    const { username: name, status, dn } = user
    note({ kind: 'user', id: Number(user.id), name, groupType: null, dn }, () =>
      userPlace(baseDn, name, status, naming),
    )
  }
  const groups = new Map((await groupsNamed(book, keysOf(false))).map((group) => [Number(group.id), group]))
  const isFlat = (await groupLayoutIn(book)) === 'flat'
  const placeOf = (id: number): string | null => {
    const group = groups.get(id)
    if (group === undefined) return null
    if (isFlat) return groupPlace(groupsDn(baseDn), group.groupType, group.entryName)
    const parent = group.parentId === null ? baseDn : placeAbove(Number(group.parentId))
    return parent === null ? null : groupPlace(parent, group.groupType, group.groupName)
  }
  // If a group has its own entry, groups below it go below that entry; otherwise below the DN that the group waits for.
  const placeAbove = (id: number): string | null => groups.get(id)?.dn ?? placeOf(id)
  for (const [id, { groupName: name, groupType, dn, named }] of groups) {
    if (named) note({ kind: 'group', id, name, groupType, dn }, () => placeOf(id))
  }
  return (dn) => claimants.get(keyOfAny(dn)) ?? null
}

/** The kind of entry at a DN. */
export const kindAt = (baseDn: string) => {
  const containers = [peopleDn(baseDn), disabledDn(baseDn)].map(keyOfAny)
  return (dn: string): RecordKind => {
    const key = keyOfAny(dn)
    return containers.includes(key.slice(key.indexOf(',') + 1)) ? 'user' : 'group'
  }
}

const nameIn = (dn: string): { type: string; key: string } | null => {
  const [first = []] = orNone(() => parseDn(dn)) ?? []
  const [ava, ...others] = first
  if (ava === undefined || others.length > 0) return null
  const [type = ''] = keyOfAny(`${ava.type}=x`).split('=')
  return { type, key: matchingKey(ava.value) }
}

const orNone = <T>(task: () => T): T | null => {
  try {
    return task()
  } catch (error) {
    if (error instanceof DnSyntaxError) return null
    throw error
  }
}

const usersNamed = ({ db, directory }: Shelf, keys: string) =>
  db.execute<{ id: string; username: string; status: number; dn: string | null }>(sql`
    select u.id, u.username, u.status, e.dn
    from users u
    join directory_entries e on e.directory = ${directory} and e.kind = 'user' and e.record_id = u.id and not e.deleted
    where u.username_key = any (array(select jsonb_array_elements_text(${keys}::jsonb)))`)

interface NamedGroup extends Record<string, unknown> {
  id: string
  parentId: string | null
  groupName: string
  /** In the flat layout; it has no other name before its entry was tried. */
  entryName: string
  groupType: 'ou' | 'cn'
  dn: string | null
  /** Whether it has one of the names; the other rows are the groups above such a group. */
  named: boolean
}

const groupsNamed = ({ db, directory }: Shelf, keys: string) =>
  db.execute<NamedGroup>(sql`
    with recursive named as (
      select id from groups where group_name_key = any (array(select jsonb_array_elements_text(${keys}::jsonb)))
      union select group_id from flat_group_names where name_key = any (array(select jsonb_array_elements_text(${keys}::jsonb)))
    ), line as (
      select id, parent_id from groups where id in (select id from named)
      union select g.id, g.parent_id from groups g join line l on g.id = l.parent_id
    )
    select g.id, g.parent_id as "parentId", g.group_name as "groupName", coalesce(f.name, g.group_name) as "entryName",
      g.group_type as "groupType", e.dn,
      g.id in (select id from named) as named
    from groups g join (select distinct id from line) l on l.id = g.id
    left join flat_group_names f on f.group_id = g.id and ${isCurrentName}
    join directory_entries e on e.directory = ${directory} and e.kind = 'group' and e.record_id = g.id and not e.deleted`)

/** The key of a DN, which is the same for all spellings. */
export const dnHash = (dn: string): string => createHash('sha256').update(keyOfAny(dn)).digest('hex')

/** Which of these entries an administrator ignores. */
export const ignoredAmong = async ({ db, directory }: Shelf, dns: readonly string[]): Promise<ReadonlySet<string>> => {
  if (dns.length === 0) return new Set()
  const hashes = JSON.stringify(dns.map(dnHash))
  const rows = await db.execute<{ hash: string }>(sql`
    select dn_hash as hash from ignored_entries
    where directory = ${directory} and dn_hash = any (array(select jsonb_array_elements_text(${hashes}::jsonb)))`)
  const ignored = new Set(rows.map(({ hash }) => hash))
  return ignored.size === 0 ? new Set() : new Set(dns.filter((dn) => ignored.has(dnHash(dn))))
}
