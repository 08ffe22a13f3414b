import { type Column, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { pick } from '../../collections/pick.ts'
import { anyOfIds } from '../../db/id-list.ts'
import { jsonObject, written } from '../../db/json-record.ts'
import { groups, users } from '../../db/schema.ts'
import { mirroredGroupFields, mirroredUserFields } from '../../db/tables/fields.ts'
import type { Directory } from '../../ldap/directory.ts'
import type { GroupFacts, UserFacts } from '../entry/entry-shape.ts'
import { isCurrentName } from '../entry/flat-names.ts'
import { listedMembers } from '../entry/member-lists.ts'
import { groupsListing } from '../entry/member-of.ts'
import { sealedNtHash } from '../entry/nt-hash.ts'
import { type GroupLayout, groupsDn, peopleDn } from '../entry/places.ts'
import { sealedOwnHash } from '../passwords/other-hashes.ts'
import type { ListChanges } from '../plan/list-changes.ts'
import type { BatchPlan } from '../plan/plan-batch.ts'
import { isWithin } from '../scope.ts'
import type { RecordKind } from '../touch.ts'
import { type Book, type Claim, isRowOf, pending, waitsForPlace } from './claim.ts'
import { areLeaversGone, isNotedOnly, joinedMembers, leftMembers } from './list-notes.ts'
import type { Intent } from './places.ts'

/** The row of the ledger for the entry of a record, when it was read. */
export interface Row<Facts> {
  id: number
  version: number
  /** Whether the row changed since its entry was last made equal to it. */
  changed: boolean
  deleted: boolean
  /** The DN of the entry (null: never written), and the DN to which an interrupted write may have moved it. */
  dn: string | null
  targetDn: string | null
  /** The entryUUID; null: the entry was not read since it was added. */
  entryUuid: string | null
  /** Digests of an add that was in progress; see ownership.ts. */
  addDigest: string | null
  /** Whether foreign attributes are stored for it. */
  hasKept: boolean
  /** Whether the removal of its entry is held, while this directory does not get it. */
  held: boolean
  attempts: number
  /** Whether these were for a place that another record has, so that the server was not asked. */
  waitedForPlace: boolean
  /** Whether nothing was ever tried for it, so that the directory has no entry that Steward wrote for it. */
  untried: boolean
  /** Whether it waits for a retry; `nextAt` null: it is parked. */
  due: boolean
  /** The last state of its password; see password-merge.ts. */
  passwordDigest: string | null
  /** Which password that was of; null: not known, or not changed for a long time. */
  passwordId: string | null
  /** Digests of the values that its entry was given before; null: none. */
  formerPasswords: readonly string[] | null
  /** The last repair, and how often in a row it was made; see repairs.ts. */
  repairDigest: string | null
  repairs: number
  /** The layout of groups that is in effect in the directory. */
  layout: GroupLayout
  /** null: the record was deleted, or is being deleted, or this directory does not get it; its entry has to be removed. */
  facts: Facts | null
}

export type UserRow = Row<UserFacts>
/**
 * `parentDn` is null while the parent group has no entry; `entryName`, until the group has got one. `notedOnly`:
 * `members` are those that its entry may lack, and not all of them, and `left` those that it may have too much.
 */
export type PlacedGroup = Omit<GroupFacts, 'entryName'> & {
  parentDn: string | null
  entryName: string | null
  notedOnly: boolean
  left: readonly string[]
  /** Whether these may be missing, because the people are deleted. */
  mayMiss: boolean
}
export type GroupRow = Row<PlacedGroup> & {
  /** Which of the people that were claimed with it are its members. */
  among?: readonly number[]
}

// In readings `dir` is the row of the directory.

const ledgerColumns =
  written(sql`e.record_id as id, e.version, ${pending} as changed, e.deleted, e.dn, e.target_dn as "targetDn",
  e.entry_uuid as "entryUuid", e.add_digest as "addDigest", e.kept is not null as "hasKept", e.held_among is not null as held, e.attempts,
  ${waitsForPlace(sql`e`)} as "waitedForPlace",
  coalesce(e.dn, e.target_dn, e.add_digest, e.entry_uuid) is null and e.tried_at is null as untried,
  e.next_at is not null as due, e.password_digest as "passwordDigest", e.password_id as "passwordId",
  e.former_passwords as "formerPasswords",
  e.repair_digest as "repairDigest", e.repairs,
  coalesce(dir.group_layout, 'nested') as layout`)

const joinDirectory = sql`left join directories dir on dir.number = e.directory`
const isFlat = sql`dir.group_layout = 'flat'`

const u = alias(users, 'u')
const g = alias(groups, 'g')

/** The declared attributes that a record has or had a value of, as the directory shows them. */
const declaredOf = (kind: RecordKind, values: Column): SQL => sql`case when ${values} = '{}' then '[]' else (
  select coalesce(jsonb_agg(jsonb_build_object(
    'attribute', d.ldap_attribute, 'objectClass', d.object_class, 'type', d.type, 'syntax', d.ldap_syntax,
    'values', ${values}->d.name) order by d.id), '[]')
  from declared_attributes d
  where d.kind = ${sql.raw(`'${kind}'`)} and d.ldap_attribute <> '' and ${values} ? d.name) end`

const posixOf = (
  kind: RecordKind,
  id: Column,
  switchedOn: SQL,
): SQL => sql`json_build_object('switchedOn', ${switchedOn},
  'number', (select n.number from posix_numbers n where n.kind = ${sql.raw(`'${kind}'`)} and n.record_id = ${id}))`

const userFacts = (directory: number): SQL =>
  written(
    jsonObject<UserFacts>({
      ...pick(u, mirroredUserFields),
      status: u.status,
      password: sql`coalesce(${u.directoryPassword}, '{ARGON2}' || ${u.passwordHash})`,
      passwordId: u.passwordId,
      departments: sql`coalesce(their.departments, '[]')`,
      extras: declaredOf('user', u.attributes),
      sshKeys: u.sshKeys,
      ntHash: sealedNtHash,
      ownHash: sealedOwnHash,
      memberOf: groupsListing(directory),
      posix: posixOf('user', u.id, sql`coalesce(their.posix, false)`),
    }),
  )

/** What user `u` has of their groups. `offset` sees to it that each is looked up by its key, and not all groups are read. */
const groupsOfUser = (directory: number): SQL => sql`
  select json_agg(g.group_name order by g.group_name, g.id) as departments,
    bool_or(g.posix and g.group_type = 'cn') as posix
  from group_members m cross join lateral (select * from groups g where g.id = m.group_id offset 0) g
  where m.user_id = u.id and ${isWithin(directory, 'group', sql`g.id`)}`

/** What is selected of a record and its row `e` of the ledger, and what has to be joined for it. */
export interface Reading {
  columns: SQL
  joins: SQL
}

const usersReading = ({ directory }: Pick<Book, 'directory'>): Reading => ({
  columns: sql`${ledgerColumns}, case when u.id is not null then ${userFacts(directory)} end as facts`,
  joins: written(sql`${joinDirectory}
    left join users u on u.id = e.record_id and ${isWithin(directory, 'user', sql`u.id`)}
    left join lateral (${groupsOfUser(directory)}) their on true`),
})

/**
 * @param how `mayBeNoted`: whether a group that people have only joined is read with these alone; `areFlat`: whether lists are
 *   known not to be nested. Default: neither
 */
const groupsReading = (
  { directory }: Pick<Book, 'directory'>,
  baseDn: string,
  { mayBeNoted = false, areFlat = false }: { mayBeNoted?: boolean; areFlat?: boolean } = {},
): Reading => {
  const where = { directory, peopleSuffix: `,${peopleDn(baseDn)}`, areFlat }
  const facts = jsonObject<PlacedGroup>({
    ...pick(g, mirroredGroupFields),
    groupName: g.groupName,
    groupType: g.groupType,
    parentDn: sql`case when ${isFlat} then ${groupsDn(baseDn)}::text
      when g.parent_id is null or not ${isWithin(directory, 'group', sql`g.parent_id`)} then ${baseDn}::text
      else p.dn end`,
    entryName: sql`case when ${isFlat}
      then (select f.name from flat_group_names f where f.group_id = g.id and ${isCurrentName}) else g.group_name end`,
    notedOnly: mayBeNoted ? sql`noted.only` : sql`false`,
    members: sql`case when g.group_type = 'ou' then '[]'
      ${mayBeNoted ? sql`when noted.only then ${joinedMembers(where)}` : sql``} else ${listedMembers(where)} end`,
    left: mayBeNoted
      ? sql`case when noted.only and g.group_type <> 'ou' then ${leftMembers(where)} else '[]' end`
      : sql`'[]'::json`,
    mayMiss: mayBeNoted ? sql`noted.only and ${areLeaversGone(where)}` : sql`false`,
    extras: declaredOf('group', g.attributes),
    posix: posixOf('group', g.id, sql`${g.posix}`),
  })
  return {
    columns: written(sql`${ledgerColumns}, case when g.id is not null then ${facts} end as facts`.inlineParams()),
    joins: written(
      sql`${joinDirectory} left join groups g on g.id = e.record_id and ${isWithin(directory, 'group', sql`g.id`)}
      left join directory_entries p on p.directory = e.directory and p.kind = 'group' and p.record_id = g.parent_id
      ${mayBeNoted ? sql`left join lateral (select ${isNotedOnly(where)} as only offset 0) noted on true` : sql``}`.inlineParams(),
    ),
  }
}

export interface Readings {
  user: Reading
  group: Reading
  /** Of pending groups that are claimed: those that people have only joined may be read with these alone. */
  claimedGroup: Reading
  /** The same where lists are known not to be nested. */
  claimedFlat: Reading
}

/** How the records of this directory are read. */
export const readingsOf = (book: Pick<Book, 'directory' | 'wholeLists'>, baseDn: string): Readings => ({
  user: usersReading(book),
  group: groupsReading(book, baseDn),
  claimedGroup: groupsReading(book, baseDn, { mayBeNoted: book.wholeLists !== true }),
  claimedFlat: groupsReading(book, baseDn, { mayBeNoted: book.wholeLists !== true, areFlat: true }),
})

/** What was found out before the transaction that claimed the records ended. */
export interface PlannedAhead {
  /** null: the entries have to be read first. */
  plan: BatchPlan | null
  /** Those that it stores, or has stored. */
  intents: readonly Intent[]
}

/** Records, and the rows that were read when they were claimed; none: they have to be read. */
export type Taken = {
  ids: number[]
  /** Knows the entries that have been read ahead; see plan-ahead.ts. Default: none have been. */
  read?: Directory['read']
} & (
  | { kind: 'user'; rows?: UserRow[] | null; ahead?: PlannedAhead }
  | { kind: 'group'; rows?: GroupRow[] | null; changes?: ListChanges }
)
export type Claimed = Claim & Taken

/** The entries that these records should have, and their rows in the ledger. */
export const readRecords = async <Facts>(
  { db, ...book }: Book,
  { columns, joins }: Reading,
  { kind, ids }: { kind: RecordKind; ids: readonly number[] },
): Promise<Row<Facts>[]> => {
  const rows = await db.execute<RawRow<Facts>>(sql`
    select ${columns} from directory_entries e ${joins}
    where ${isRowOf(book, kind)} and e.record_id = ${anyOfIds(ids)}`)
  return rows.map(toRow)
}

/** As the database returns it: 64-bit numbers as text. */
export type RawRow<Facts> = Omit<Row<Facts>, 'id' | 'version'> & { id: string; version: string }

export const toRow = <Facts>({ id, version, facts, ...row }: RawRow<Facts>): Row<Facts> => ({
  id: Number(id),
  version: Number(version),
  facts: row.deleted ? null : facts,
  ...row,
})
