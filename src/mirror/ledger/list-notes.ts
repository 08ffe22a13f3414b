import { type Placeholder, type SQL, sql } from 'drizzle-orm'
import { constant } from '../../db/constant.ts'
import { isOwn } from '../../db/own-row.ts'
import { type ListedIn, nestsIn, peopleListed } from '../entry/member-lists.ts'

// A group of thousands must not be read and compared as a whole because one person joins or leaves it. So a change that only
// lets people join its list is noted in its row of the ledger, with its version, in `joins`. A change after which the list may
// differ in some people alone, because they leave it, or their entries go to another place, is noted in `leaves`, with their DNs
// before it. If every change since the entry was last equal to the record is such a note, the people of the notes are all that
// the entry lacks, and these DNs all that it may have too much. A change that is not noted leaves a gap in the versions, and the
// whole list is compared, as it is after any failure. The former release knows `joins` alone: for it `leaves` are a gap.

/** So few members are compared with no effort, and a list that gets its first ones loses its placeholder. */
const few = 20

/** More notes are not kept: the older ones are dropped, and a change by which more people join is not noted. */
const [maxNotes, maxPeople] = [100, 200]
/** The same of those who may leave: each DN is a write of its own. */
const [maxLeaveNotes, maxLeavers] = [10, 5]

/** Says that this transaction has claimed people for this owner. */
export const noteClaim = (owner: Placeholder): SQL => sql`set_config('steward.claim', ${owner}::text, true)`
const ownClaim = sql.raw(`current_setting('steward.claim', true)`)

const notesIn = (column: 'joins' | 'leaves'): SQL => sql.raw(`jsonb_array_elements(e.${column}) as note`)
/** The DNs `l` of those who may have left. */
const notedDns = sql`${notesIn('leaves')} cross join lateral jsonb_array_elements_text(note->2) as l (dn)`
const isNew = sql`(note->>0)::bigint > e.synced_version`

/** The ids of the people of the notes since the entry of row `e` was equal to it. */
const noted = sql`array(
  select person::bigint from ${notesIn('joins')}, jsonb_array_elements_text(note - 0) as person where ${isNew}
  union all
  select person::bigint from ${notesIn('leaves')}, jsonb_array_elements_text(note->1) as person where ${isNew})`

const newest = (column: 'joins' | 'leaves', max: number): SQL => sql`(
  select coalesce(jsonb_agg(note order by (note->>0)::bigint), '[]') from (
    select note from ${notesIn(column)} where ${isNew} order by (note->>0)::bigint desc limit ${constant(max)}) as n)`

/**
 * `joins` of row `e`, which gets its next version by a change that lets these people join and does nothing else. With
 * fewer than one person or too many it stays: the change is not noted.
 */
export const withJoin = (people: readonly number[]): SQL =>
  isNoted(people) ? withJoinAt(JSON.stringify(people)) : sql`e.joins`

/** Whether a change that lets these people join is noted. */
export const isNoted = (people: readonly number[]): boolean => people.length > 0 && people.length <= maxPeople

/** `withJoin` of people whose ids are noted. @param at the JSON text of their ids, or its place */
export const withJoinAt = (at: string | Placeholder): SQL =>
  sql`${newest('joins', maxNotes)} || jsonb_build_array(jsonb_build_array(e.version + 1) || ${at}::jsonb)`

/** Whether a change is noted after which the list may differ in these people. */
export const isLeaveNoted = (people: readonly number[]): boolean => people.length > 0 && people.length <= maxLeavers

/**
 * `leaves` of row `e`, which gets its next version by a change after which its list may differ in these people alone. Their
 * rows have to be marked before it by the same transaction: their DNs are then those that the list may have, until it ends. A
 * row that is not leaves a gap, and so does one that another holder writes: it may bring a DN to the list that no row has yet.
 * @param at the JSON text of their ids, or its place
 */
export const withLeaveAt = (at: string | Placeholder): SQL => sql`(
  select case when count(*) = jsonb_array_length(${at}::jsonb)
    then ${newest('leaves', maxLeaveNotes)} || jsonb_build_array(jsonb_build_array(e.version + 1, ${at}::jsonb,
      coalesce(jsonb_agg(p.dn) filter (where p.dn is not null), '[]')
        || coalesce(jsonb_agg(p.target_dn) filter (where p.target_dn is not null), '[]')))
    else e.leaves end
  from directory_entries p
  where p.directory = e.directory and p.kind = 'user'
    and p.record_id in (select value::bigint from jsonb_array_elements_text(${at}::jsonb))
    and ${isOwn(sql`p`)} and (p.lease_owner is null or p.lease_owner = ${ownClaim}))`

/** The same where the DNs that the list may have are known. @param dns JSON text, or its place */
export const withLeaveFrom = (at: string | Placeholder, dns: string | Placeholder): SQL =>
  sql`${newest('leaves', maxLeaveNotes)} || jsonb_build_array(jsonb_build_array(e.version + 1, ${at}::jsonb, ${dns}::jsonb))`

/** Whether every change since then is noted as one that lets people join. */
const areJoins = sql`
  (select count(distinct note->0) from ${notesIn('joins')} where ${isNew}) = e.version - e.synced_version`

/** Whether every change since then is noted, if lists are not nested. */
const areNoted = sql`
  (select count(distinct note->0) from (
    select note from ${notesIn('joins')} where ${isNew} union all select note from ${notesIn('leaves')} where ${isNew}) as n
  ) = e.version - e.synced_version`

/** More members are not read while a transaction of a request is open. */
const maxWhole = 1000

const hasNotes = sql`(e.joins <> '[]' or e.leaves <> '[]')`

/** Whether few people are read of group `e`, when it is claimed, where lists are not nested. */
export const readsFew = sql`(${hasNotes} and ${areNoted} or (
  select count(*) from (select from group_members m where m.group_id = e.record_id limit ${constant(maxWhole + 1)}) m
) <= ${constant(maxWhole)})`

/** Whether row `e` waits for others only to join its list: what it shows of these people, a query, is in the directory. */
export const isForOthers = (people: SQL): SQL => sql`(
  e.joins <> '[]' and ${areJoins} and not exists (select from (${people}) p where p.id = any (${noted})))`

/**
 * Whether nothing else has changed since, and the entry is known. `g` is the group. In nested lists someone who leaves a group
 * may be listed for another one: then only those who join are looked at alone.
 */
export const isNotedOnly = (where: ListedIn): SQL => sql`(
  ${hasNotes} and e.synced_version > 0 and e.attempts = 0 and not e.deleted and e.dn is not null
  and e.target_dn is null and e.add_digest is null
  and ${where.areFlat ? areNoted : sql`case when ${nestsIn(where.directory)} then ${areJoins} else ${areNoted} end`}
  and not ${cameBack(where)} and ${listsMany(where)})`

/**
 * Whether it lists one of the DNs of those who may have left: whether its entry has this value is not known, and it cannot be
 * added where it is.
 */
const cameBack = ({ directory }: Pick<ListedIn, 'directory'>): SQL => sql`exists (
  select from ${notedDns}
  join directory_entries p on p.directory = ${constant(directory)} and p.kind = 'user' and lower(p.dn) = lower(l.dn)
  join users u on u.id = p.record_id and u.status = 1
  join group_members gm on gm.group_id = g.id and gm.user_id = p.record_id
  where ${isNew})`

/**
 * Whether it lists others than those of the notes, and not only a few. Where lists are not nested, its members are
 * counted together with one who joins, and it lists one of the others at least: to look each of them up would take as long
 * as all else that is read of it.
 */
const listsMany = (where: ListedIn): SQL => {
  const others = peopleListed({ ...where, among: sql`gm.user_id <> all (${noted})` })
  return where.areFlat
    ? sql`(select count(*) from (select from group_members m where m.group_id = g.id limit ${constant(few + 2)}) m) > ${constant(few + 1)}
      and exists (${others})`
    : sql`(select count(*) from (${others} limit ${constant(few + 1)}) as m) > ${constant(few)}`
}

/** The DNs of those people of the notes whom it lists, as a JSON array. */
export const joinedMembers = (where: ListedIn): SQL => sql`(
  select coalesce(json_agg(distinct dn), '[]')
  from (${peopleListed({ ...where, among: sql`gm.user_id = any (${noted})` })}) as m)`

/** The DNs of the notes that it may have too much, as a JSON array. */
export const leftMembers = ({ peopleSuffix }: ListedIn): SQL => sql`(
  select coalesce(json_agg(distinct l.dn), '[]') from ${notedDns}
  where ${isNew} and right(l.dn, length(${peopleSuffix}::text)) = ${peopleSuffix})`

/**
 * Whether all people who may leave are deleted: then a value may be gone before it is removed, as some servers remove
 * references together with the entry. Of anyone else they let it follow the entry to another place.
 */
export const areLeaversGone = ({ directory }: Pick<ListedIn, 'directory'>): SQL => sql`not exists (
  select from ${notesIn('leaves')}, jsonb_array_elements_text(note->1) as person, directory_entries p
  where ${isNew} and p.directory = ${constant(directory)} and p.kind = 'user' and p.record_id = person::bigint
    and not p.deleted)`
