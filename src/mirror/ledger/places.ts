import { type Placeholder, type SQL, sql } from 'drizzle-orm'
import { pick } from '../../collections/pick.ts'
import type { Tx } from '../../db/client.ts'
import { constant } from '../../db/constant.ts'
import { withoutDeadlock } from '../../db/deadlock.ts'
import { anyOfIds, anyOfIdsAt } from '../../db/id-list.ts'
import { inTransaction, lastInOrder } from '../../db/in-order.ts'
import { keptStatement, type Slots } from '../../db/kept-statement.ts'
import { isOf } from '../../db/lease.ts'
import { takeLock, tryLock } from '../../db/locks.ts'
import { matchingKey, parentDn, parseDn } from '../../ldap/dn.ts'
import { listsOf } from '../entry/member-lists.ts'
import { passwordFound } from '../passwords/password-merge.ts'
import { isWithin } from '../scope.ts'
import type { RecordKind, Touched } from '../touch.ts'
import { type Book, belowMoving, type Claim, heldRows, isRowOf, moving, pending } from './claim.ts'

/** A record whose entry is about to be written. */
export interface Intent {
  id: number
  /** The new DN; null: the entry is removed. */
  dn: string | null
  /** The DN at which the entry was searched; null: it was not searched. */
  from: string | null
  fromTarget: string | null
  /** Whether the entry was found there. */
  found: boolean
  /** The entryUUID of the entry that will be renamed, if it is known. */
  uuid: string | null
  /** Digests of the entry that will be added; null: no add. See ownership.ts. */
  digest: string | null
}

/**
 * Whether an entry may be written, and use its new DN if it gets one.
 * - `noted`: it may.
 * - `uncertain`: its DN may have changed since it was searched, or another instance writes it by now.
 * - `taken`: the entry of another record has this DN, or may have it; `leaving`: that entry will be moved itself, and
 *   may wait for this one.
 */
export type Permission = 'noted' | 'taken' | 'leaving' | 'uncertain'

/**
 * Stores the DNs that writes will use (intents), so that the ledger is complete after a crash. From then until its
 * entry has left, a DN belongs to exactly one record in the ledger: after any interruption, the entry found there
 * belongs to that record.
 */
export const intend = async (
  { db, ...book }: Book,
  claim: Claim,
  intents: readonly Intent[],
): Promise<ReadonlyMap<number, Permission>> => {
  if (intents.length === 0) return new Map()
  const note = sql`
    with ${moving(book, claim)}, wanted as (
      select w.*, e.record_id is not null as certain
      from jsonb_to_recordset(${JSON.stringify(intents)}::jsonb)
        as w(id bigint, dn text, "from" text, "fromTarget" text, found boolean, uuid text, digest text)
      left join directory_entries e on ${isRowOf(book, claim.kind)} and e.record_id = w.id
        and e.record_id = ${anyOfIds(intents.map(({ id }) => id))} and ${isOf(sql`e`, claim.owner)}
        and e.dn is not distinct from w."from" and e.target_dn is not distinct from w."fromTarget"
        and (w.found or not (${belowMoving})) and ${inTransaction}
    ), judged as (
      select w.*, (
        select bool_or(${pending} and e.next_at is not null and not e.deleted) from directory_entries e
        where w.certain and (lower(e.dn) = lower(w.dn) or lower(e.target_dn) = lower(w.dn))
          and e.directory = ${book.directory} and not (e.kind = ${claim.kind} and e.record_id = w.id)
      ) as "holderLeaves" from wanted w
    ), noted as (
      update directory_entries e set add_digest = w.digest, entry_uuid = coalesce(w.uuid, e.entry_uuid),
        target_dn = case when w.dn <> coalesce(w."from", '') then w.dn else e.target_dn end
      from judged w
      where ${isRowOf(book, claim.kind)} and e.record_id = w.id and w.certain and w."holderLeaves" is null
        and (w.dn <> coalesce(w."from", '') or w.dn is not null and w.digest is distinct from e.add_digest)
    )
    select id, case when not certain then 'uncertain' when "holderLeaves" is null then 'noted'
      when "holderLeaves" then 'leaving' else 'taken' end as permission
    from judged`
  const rows = await withoutDeadlock(() =>
    db.transaction(async (tx) => {
      // Separate statements, so that the statement that stores the DNs sees what was committed while these waited. They
      // are sent together.
      const [, rows] = await lastInOrder(
        tx,
        () => takeLock(tx, 'directoryPlaces', heldRows(book, claim)),
        () => tx.execute<{ id: string; permission: Permission }>(note),
      )
      return rows
    }),
  )
  const permissions = new Map(rows.map(({ id, permission }) => [Number(id), permission]))
  return new Map(intents.map(({ id }) => [id, permissions.get(id) ?? 'uncertain']))
}

/**
 * Takes the lock on places for `intendAhead`, if it is free: no row may be locked after that. With an earlier statement, so
 * that the one that stores DNs sees what was committed before the lock was free.
 */
export const tryPlaces = sql`
  set_config('steward.places', case when ${tryLock('directoryPlaces')} then 'on' else 'off' end, true)`
const placesLocked = sql.raw(`current_setting('steward.places', true) = 'on'`)

/**
 * Stores the DNs of people who were never tried, or whose entries are moved, with the last statements of the transaction
 * that has claimed them, and has tried the lock on places with that. It does not wait: while another transaction stores
 * DNs, it stores none.
 * @returns the ids of those whose DNs were stored; the others have to be asked for by `intend`
 */
export const intendAhead = async (
  tx: Tx,
  { directory }: Pick<Book, 'directory'>,
  { owner }: Pick<Claim, 'owner'>,
  intents: readonly Pick<Intent, 'id' | 'dn' | 'digest'>[],
): Promise<ReadonlySet<number>> => {
  const [first] = intents
  const noting =
    first !== undefined && intents.length === 1
      ? notingOne({ ...pick(first, ['id', 'dn', 'digest']), owner }, directory)
      : notingAll(
          { intents: JSON.stringify(intents), ids: JSON.stringify(intents.map(({ id }) => id)), owner },
          directory,
        )
  const rows = await tx.execute<{ id: string }>(noting)
  return new Set(rows.map(({ id }) => Number(id)))
}

/** @param wanted rows of id, dn and digest, as part of `from` */
const noting = (directory: number, owner: Placeholder, { wanted, ids }: { wanted: SQL; ids: SQL }): SQL => sql`
    update directory_entries e set target_dn = w.dn, add_digest = w.digest
    from ${wanted}
    where ${isRowOf({ directory }, 'user')} and e.record_id = w.id and e.record_id = ${ids} and ${isOf(sql`e`, owner)} and ${placesLocked}
      and not exists (
        select from directory_entries h
        where h.directory = ${constant(directory)} and (lower(h.dn) = lower(w.dn) or lower(h.target_dn) = lower(w.dn)))
    returning e.record_id as id`

const notingOne = keptStatement(
  (at: Slots<Pick<Intent, 'id' | 'dn' | 'digest'> & { owner: string }>, directory: number) =>
    noting(directory, at.owner, {
      wanted: sql`(select ${at.id}::bigint as id, ${at.dn}::text as dn, ${at.digest}::text as digest) w`,
      ids: sql`w.id`,
    }),
)

const notingAll = keptStatement((at: Slots<{ intents: string; ids: string; owner: string }>, directory: number) =>
  noting(directory, at.owner, {
    wanted: sql`jsonb_to_recordset(${at.intents}::jsonb) as w(id bigint, dn text, digest text)`,
    ids: anyOfIdsAt(at.ids, false),
  }),
)

/** An entry that was found for a record, or that has the DN the record needs. */
export interface Place {
  id: number
  dn: string
  /** The entryUUID; absent or null: the ledger decides by the DN alone. */
  uuid?: string | null
}

/**
 * Which of these records were found at an entry that belongs or may belong to another record. An entry whose entryUUID
 * differs from that of the other record does not belong to it.
 */
export const heldElsewhere = async (
  { db, directory }: Book,
  kind: RecordKind,
  places: readonly Place[],
): Promise<ReadonlySet<number>> => {
  if (places.length === 0) return new Set()
  const isOther = sql`e.directory = ${directory} and not (e.kind = ${kind} and e.record_id = p.id)
    and (p.uuid is null or e.entry_uuid is null or e.entry_uuid = p.uuid)`
  const rows = await db.execute<{ id: string }>(sql`
    select p.id from jsonb_to_recordset(${JSON.stringify(places)}::jsonb) as p(id bigint, dn text, uuid text)
    where exists (select from directory_entries e where lower(e.dn) = lower(p.dn) and ${isOther})
      or exists (select from directory_entries e where lower(e.target_dn) = lower(p.dn) and ${isOther})`)
  return new Set(rows.map((row) => Number(row.id)))
}

/**
 * Which of these groups have the DN of another one that is on its way there: it waits until they have left it.
 * @param baseDn of the directory
 */
export const wantedElsewhere = async (
  { db, ...book }: Book,
  baseDn: string,
  places: readonly Place[],
): Promise<ReadonlySet<number>> => {
  if (places.length === 0) return new Set()
  const { directory } = book
  const named = places.map(({ id, dn }) => {
    const { type = '', value = '' } = parseDn(dn)[0]?.[0] ?? {}
    return { id, type, key: matchingKey(value), above: parentDn(dn) }
  })
  const rows = await db.execute<{ id: string }>(sql`
    select p.id from jsonb_to_recordset(${JSON.stringify(named)}::jsonb) as p(id bigint, type text, key text, above text)
    where exists (
      select from groups g join directory_entries e on ${isRowOf(book, 'group')} and e.record_id = g.id
      left join directory_entries a on a.directory = e.directory and a.kind = 'group' and a.record_id = g.parent_id
      where g.group_name_key = p.key and g.group_type = p.type and g.id <> p.id and ${pending} and e.next_at is not null
        and ${isWithin(directory, 'group', sql`g.id`)}
        and case when g.parent_id is null or not ${isWithin(directory, 'group', sql`g.parent_id`)} then ${baseDn}::text
          else a.dn end = p.above)`)
  return new Set(rows.map((row) => Number(row.id)))
}

/** Which of these groups have entries of groups below them that are on their way. */
export const aboveMoving = async ({ db, ...book }: Book, places: readonly Place[]): Promise<ReadonlySet<number>> => {
  if (places.length === 0) return new Set()
  const rows = await db.execute<{ id: string }>(sql`
    select p.id from jsonb_to_recordset(${JSON.stringify(places)}::jsonb) as p(id bigint, dn text)
    where exists (select from directory_entries e
      where ${isRowOf(book, 'group')} and ${pending} and e.next_at is not null and right(e.dn, length(p.dn) + 1) = ',' || p.dn)`)
  return new Set(rows.map((row) => Number(row.id)))
}

/** Which of these entries belong to other records, at any DN in the ledger. */
export const knownElsewhere = async (
  { db, directory }: Book,
  kind: RecordKind,
  entries: readonly { id: number; uuid: string }[],
): Promise<ReadonlySet<number>> => {
  if (entries.length === 0) return new Set()
  const rows = await db.execute<{ id: string }>(sql`
    select p.id from jsonb_to_recordset(${JSON.stringify(entries)}::jsonb) as p(id bigint, uuid text)
    join directory_entries e on e.entry_uuid = p.uuid and e.directory = ${directory} and not (e.kind = ${kind} and e.record_id = p.id)`)
  return new Set(rows.map((row) => Number(row.id)))
}

/** An entry that a record adopts. */
export interface Adoption {
  kind: RecordKind
  id: number
  dn: string
  /** The entryUUID; null: the server does not support it. */
  uuid: string | null
}

/**
 * Stores that these entries belong to records that had none, and makes due what waits for that: the records, the groups
 * of people, the groups below a group.
 * @param directory its number
 * @returns the records that got their entry, without records that have one by now, or whose DN belongs to another
 *   record
 */
export const adoptPlaces = async (tx: Tx, directory: number, adoptions: readonly Adoption[]): Promise<Touched[]> => {
  if (adoptions.length === 0) return []
  const groupsDue = sql`
    select 'group' as kind, l.id from (${listsOf(sql`select m.group_id from group_members m
      join ${adoptionRows(adoptions)} on a.kind = 'user' and m.user_id = a.id`)}) l
    union select 'group', g.id from groups g join ${adoptionRows(adoptions)} on a.kind = 'group' and g.parent_id = a.id`
  // All rows before the lock on places: a transaction that waits for that lock holds rows.
  await tx.execute(sql`
    select from directory_entries e
    where e.directory = ${directory} and (e.kind, e.record_id) in (select a.kind, a.id from ${adoptionRows(adoptions)} union ${groupsDue})
    order by e.kind desc, e.record_id for update`)
  await takeLock(tx, 'directoryPlaces')
  const rows = await tx.execute<{ kind: RecordKind; id: string; version: string }>(sql`
    update directory_entries e set dn = a.dn, entry_uuid = a.uuid, entry_csn = null, target_dn = null,
      add_digest = null, error = '', stated = null, attempts = 0, next_at = now(), version = e.version + 1,
      password_digest = case when e.kind = 'user' then ${passwordFound}::text end
    from ${adoptionRows(adoptions)}
    where e.directory = ${directory} and e.kind = a.kind and e.record_id = a.id and e.dn is null and e.target_dn is null and not e.deleted
      and not exists (select from directory_entries h where h.directory = ${directory} and lower(h.dn) = lower(a.dn))
      and not exists (select from directory_entries h where h.directory = ${directory} and lower(h.target_dn) = lower(a.dn))
    returning e.kind, e.record_id as id, e.version`)
  await tx.execute(sql`
    with due as (
      select e.record_id from directory_entries e
      where e.directory = ${directory} and (e.kind, e.record_id) in (${groupsDue})
      order by e.record_id for update)
    update directory_entries e set version = e.version + 1, attempts = 0, next_at = now()
    from due where e.directory = ${directory} and e.kind = 'group' and e.record_id = due.record_id`)
  return rows.map(({ kind, id, version }) => ({ kind, id: Number(id), version: Number(version) }))
}

const adoptionRows = (adoptions: readonly Adoption[]): SQL =>
  sql`jsonb_to_recordset(${JSON.stringify(adoptions)}::jsonb) as a(kind text, id bigint, dn text, uuid text)`
