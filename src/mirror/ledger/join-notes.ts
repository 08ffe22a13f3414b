import { type Placeholder, type SQL, sql } from 'drizzle-orm'
import { constant } from '../../db/constant.ts'
import { type ListedIn, peopleListed } from '../entry/member-lists.ts'

// A group of thousands must not be read and compared as a whole because one person joins it. So a change that only lets
// people join its list is noted in its row of the ledger, with its version. If every change since the entry was last
// equal to the record is such a note, the people of the notes are all that the entry lacks. A change that is not noted
// leaves a gap in the versions, and the whole list is compared, as it is after any failure.

/** So few members are compared with no effort, and a list that gets its first ones loses its placeholder. */
const few = 20

/** More notes are not kept: the older ones are dropped, and a change by which more people join is not noted. */
const [maxNotes, maxPeople] = [100, 200]

const noted = sql`jsonb_array_elements(e.joins) as note`
const isNew = sql`(note->>0)::bigint > e.synced_version`

/** The ids of the people who have joined the list of row `e` since its entry was equal to it. */
const joined = sql`array(
  select person::bigint from ${noted}, jsonb_array_elements_text(note - 0) as person where ${isNew})`

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
  sql`(
  select coalesce(jsonb_agg(note order by (note->>0)::bigint), '[]') from (
    select note from ${noted} where ${isNew} order by (note->>0)::bigint desc limit ${maxNotes}) as n
  ) || jsonb_build_array(jsonb_build_array(e.version + 1) || ${at}::jsonb)`

/** Whether every change since then is noted. */
const isAllNoted = sql`
  (select count(distinct note->0) from ${noted} where ${isNew}) = e.version - e.synced_version`

/** More members are not read while a transaction of a request is open. */
const maxWhole = 1000

/** Whether few people are read of group \`e\`, when it is claimed. */
export const readsFew = sql`(e.joins <> '[]' and ${isAllNoted} or (
  select count(*) from (select from group_members m where m.group_id = e.record_id limit ${constant(maxWhole + 1)}) m
) <= ${constant(maxWhole)})`

/** Whether row \`e\` waits for others only to join its list: what it shows of these people, a query, is in the directory. */
export const isForOthers = (people: SQL): SQL => sql`(
  e.joins <> '[]' and ${isAllNoted} and not exists (select from (${people}) p where p.id = any (${joined})))`

/** Whether nothing else has changed since, and the entry is known. `g` is the group. */
export const isJoinedOnly = (where: ListedIn): SQL => sql`(
  e.joins <> '[]' and e.synced_version > 0 and e.attempts = 0 and not e.deleted and e.dn is not null
  and e.target_dn is null and e.add_digest is null
  and ${isAllNoted} and ${listsMany(where)})`

/**
 * Whether it lists others than those who have joined, and not only a few. Where lists are not nested, its members are
 * counted together with one who joins, and it lists one of the others at least: to look each of them up would take as long
 * as all else that is read of it.
 */
const listsMany = (where: ListedIn): SQL => {
  const others = peopleListed({ ...where, among: sql`gm.user_id <> all (${joined})` })
  return where.areFlat
    ? sql`(select count(*) from (select from group_members m where m.group_id = g.id limit ${constant(few + 2)}) m) > ${constant(few + 1)}
      and exists (${others})`
    : sql`(select count(*) from (${others} limit ${constant(few + 1)}) as m) > ${constant(few)}`
}

/** The DNs of those who have joined, as a JSON array. */
export const joinedMembers = (where: ListedIn): SQL => sql`(
  select coalesce(json_agg(distinct dn), '[]')
  from (${peopleListed({ ...where, among: sql`gm.user_id = any (${joined})` })}) as m)`
