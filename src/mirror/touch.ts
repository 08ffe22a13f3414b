import { SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { Queryable } from '../db/client.ts'
import { idList, idListAt } from '../db/id-list.ts'
import { keptStatement, type Slots } from '../db/kept-statement.ts'
import { directListsOf, isNested, listsOf, looksAbove, type MarkedList, withLists } from './entry/member-lists.ts'
import { holdMany, isOutside, type Leaver, scopes } from './leaving.ts'
import { isLeaveNoted, isNoted, withJoin, withJoinAt, withLeaveAt } from './ledger/list-notes.ts'

export type RecordKind = 'user' | 'group'

/** The number of the directory whose state is the state of a record, and which requests wait for. */
export const mainDirectory = 1

/** A record and the version its entry in the main directory has to reach. */
export interface Touched {
  kind: RecordKind
  id: number
  version: number
}

/** What else is known about a change. */
export interface TouchHow {
  /**
   * The change is a withdrawal, such as a replaced password or a membership. Disabling, deleting and leaving the groups
   * of a directory are recognized without it. Ids, or a query of them: it is a withdrawal only for these records. They are still touched together
   * with the others, because rows are locked in one order.
   */
  withdraws?: boolean | readonly number[] | SQL
}

/**
 * Marks records as changed: their entries in all directories are due at once. Call it inside the transaction that changes the rows, so
 * that the change and the mark are committed together.
 */
export const touch = async (
  tx: Queryable,
  kind: RecordKind,
  ids: readonly number[],
  how: TouchHow = {},
): Promise<Touched[]> => (ids.length === 0 ? [] : touchAll(tx, kind, { ids, are: 'records' }, how))

/** The same as `touch`, for the records that a query selects; it must have one column, `id`. */
export const touchSelected = (
  tx: Queryable,
  kind: RecordKind,
  selection: SQL,
  how: TouchHow = {},
): Promise<Touched[]> => touchAll(tx, kind, selection, how)

const touchAll = async (tx: Queryable, kind: RecordKind, selection: Selection, how: TouchHow): Promise<Touched[]> => {
  const rows = await mark(tx, kind, selection, how)
  await holdMany(tx, leaversOf(kind, rows))
  return touchedOf(kind, rows)
}

/** The same as `touch`, for records that are deleted in this transaction: their entries have to be removed. */
export const touchDeleted = async (tx: Queryable, kind: RecordKind, ids: readonly number[]): Promise<Touched[]> =>
  ids.length === 0 ? [] : touchedOf(kind, await mark(tx, kind, { ids, are: 'records' }, { deleted: ids }))

export interface ListsHow {
  /** Which of these groups lose members: all, or these ids. */
  withdraws?: boolean | readonly number[]
  /** The people who join the others, if that is all that changes in their lists. */
  joined?: readonly number[]
  /**
   * The people who leave the former, or whose entries get another place, if that is all that changes in these lists. They
   * were marked before, by the same transaction.
   */
  about?: readonly number[]
}

/**
 * Marks the groups whose entries list members of these groups, ids or a query with one column `id`. The entries of other groups
 * do not change with a membership.
 */
export const touchLists = async (
  tx: Queryable,
  groups: SQL | readonly number[],
  { withdraws = false, joined = [], about = [] }: ListsHow = {},
): Promise<Touched[]> => {
  const taken = typeof withdraws === 'boolean' ? withdraws : listsOf(idList(withdraws))
  let first: Selection | null =
    groups instanceof SQL ? null : { ids: groups, are: looksAbove() ? 'lists and those above' : 'lists' }
  const rows = await withLists(groups instanceof SQL ? groups : idList(groups), async (lists) => {
    const marked = await mark(tx, 'group', first ?? lists(), { withdraws: taken, joined, about })
    first = null
    return marked.filter(({ directory }) => directory === mainDirectory)
  })
  return touchedOf('group', rows)
}

export interface Rearranged {
  /** A query with one column `id`: the groups that got another place, and all below them. */
  subtrees?: SQL
  /** The ids of the groups that the moved and the deleted ones were directly below. */
  formerParents: readonly number[]
  deleted?: readonly number[]
  /** People whose entries change with it. */
  people?: readonly number[]
}

/**
 * Marks groups that got another place, or are deleted in this transaction, together with the groups that were above
 * them: where groups are nested, these lose members. People are marked whose entries show the place.
 * Until the commit no other transaction may move groups.
 */
export const touchRearranged = async (
  tx: Queryable,
  { subtrees = idList([]), formerParents, deleted = [], people = [] }: Rearranged,
): Promise<Touched[]> => {
  // Where groups are nested, their `memberOf` gets the groups above the new place. A directory that does not get all
  // groups may get, or lose, those that moved.
  const members = sql`
    select m.user_id as id from group_members m
    where (exists (select from directories d where d.member_of is not null) and ${isNested}
        or exists (select from directories d where d.shape->'groups' is not null))
      and m.group_id in (${subtrees})`
  const users = await mark(tx, 'user', sql`select x.id from (${idList(people)}) x union ${members}`, {})
  const left = listsOf(idList(formerParents))
  const records = sql`
    select x.id from (${subtrees}) x union ${idList(deleted)}
    union select y.id from (${listsOf(subtrees)}) y where ${isNested}
    union select z.id from (${left}) z where ${isNested}`
  const marked = await mark(tx, 'group', records, { deleted, withdraws: left })
  await holdMany(tx, [...leaversOf('user', users), ...leaversOf('group', marked)])
  return [...touchedOf('user', users), ...touchedOf('group', marked)]
}

/**
 * Whether a DN is that of a parked person: `ou=disabled` is directly above it. The base DN may contain this text too.
 */
const isParked = (dn: SQL): SQL => sql`lower(${dn}) ~ ${'^([^,\\\\]|\\\\.)*,ou=disabled,'}`

/**
 * Whether the change is a withdrawal; `e` is the row of directory_entries before it. From a record without an entry, or
 * a disabled person whose entry is parked, nothing can be withdrawn.
 */
export const isWithdrawn = (otherwise: SQL): SQL => sql`(e.dn is not null or e.target_dn is not null) and (${otherwise}
  or e.kind = 'user' and (e.target_dn is not null or not ${isParked(sql`e.dn`)})
    and exists (select from users u where u.id = e.record_id and u.status = 2))`

/** A row of the ledger as it was marked. */
type Marked = MarkedList & Omit<Leaver, 'kind'> & { version: string; leaves: boolean }

/** Records that a query selects, ids of records, or the groups whose entries list the members of groups with these ids. */
type Selection = SQL | { ids: readonly number[]; are: keyof typeof selections }

interface MarkHow extends TouchHow {
  deleted?: readonly number[]
  joined?: readonly number[]
  about?: readonly number[]
}

/** Whether a directory that does not get all was seen in a database of this process. */
let partsSeen = false

/**
 * Nothing can leave a directory where all directories get all. A statement without what finds that out takes half the
 * time; it marks nothing where one of them does not.
 */
const mark = async (tx: Queryable, kind: RecordKind, selection: Selection, how: MarkHow): Promise<Marked[]> => {
  if (!partsSeen) {
    const marked = await tx.execute<Marked>(marking(kind, selection, how, 'all get all'))
    if (marked.length > 0) return marked
  }
  const marked = await tx.execute<Marked>(marking(kind, selection, how, 'some get a part'))
  partsSeen ||= marked.length > 0
  return marked
}

type Directories = 'all get all' | 'some get a part'

const marking = (kind: RecordKind, selection: Selection, how: MarkHow, directories: Directories): SQLWrapper => {
  const { deleted = [], withdraws = false, joined = [], about = [] } = how
  const noted = { joins: isNoted(joined), leaves: isLeaveNoted(about) }
  if (!(selection instanceof SQL) && deleted.length === 0 && typeof withdraws === 'boolean') {
    const values = {
      ...{ ids: JSON.stringify(selection.ids), joined: JSON.stringify(joined), about: JSON.stringify(about) },
    }
    return markingIds(values, kind, selection.are, withdraws, noted.joins, noted.leaves, directories)
  }
  const taken =
    typeof withdraws === 'boolean'
      ? sql`${withdraws}`
      : sql`e.record_id in (${withdraws instanceof SQL ? withdraws : idList(withdraws)})`
  const query = selection instanceof SQL ? selection : selections[selection.are](idList(selection.ids))
  const notes = notesOf(taken, {
    joins: noted.joins ? withJoin(joined) : null,
    leaves: noted.leaves ? withLeaveAt(JSON.stringify(about)) : null,
  })
  return markingSelected(kind, query, { deleted: idList(deleted), taken, ...notes }, directories)
}

const selections = {
  records: (ids: SQL): SQL => ids,
  lists: directListsOf,
  'lists and those above': listsOf,
}

interface Notes {
  joins: SQL
  leaves: SQL
}

/** What is noted of a change: where it takes something away, that it does. @param null: it is not noted */
const notesOf = (taken: SQL, { joins, leaves }: Record<keyof Notes, SQL | null>): Notes => ({
  joins: joins === null ? sql`e.joins` : sql`case when ${taken} then e.joins else ${joins} end`,
  leaves:
    leaves === null
      ? sql`e.leaves`
      : joins === null
        ? leaves
        : sql`case when ${taken} then ${leaves} else e.leaves end`,
})

const markingIds = keptStatement(
  (
    at: Slots<{ ids: string; joined: string; about: string }>,
    kind: RecordKind,
    are: keyof typeof selections,
    isTaken: boolean,
    notesJoins: boolean,
    notesLeaves: boolean,
    directories: Directories,
  ) => {
    const taken = sql`${isTaken}`
    const notes = notesOf(taken, {
      joins: notesJoins && !isTaken ? withJoinAt(at.joined) : null,
      leaves: notesLeaves && (isTaken || !notesJoins) ? withLeaveAt(at.about) : null,
    })
    const how = { deleted: idList([]), taken, ...notes }
    return markingSelected(kind, selections[are](idListAt(at.ids)), how, directories)
  },
)

const somePart = sql`exists (select from directories d where d.shape->'groups' is not null)`

// Rows are locked in the order of their ids everywhere, so that two transactions that touch the same records cannot
// deadlock. Deleted records stay deleted: a transaction may have read the record before its deletion.
const markingSelected = (
  kind: RecordKind,
  selection: SQL,
  { deleted, taken, joins, leaves }: Notes & Record<'deleted' | 'taken', SQL>,
  directories: Directories,
): SQL => {
  const parts = directories === 'some get a part'
  // Of a held removal, only what was withdrawn from the record itself is not held any longer.
  const isLifted = sql`${taken} and ${kind}::text = 'user' or excluded.deleted or not ${isOutside}
    or exists (select from users u where e.kind = 'user' and u.id = e.record_id and u.status = 2)`
  return sql`
    ${parts ? sql`with recursive ${scopes}` : sql``}
    insert into directory_entries as e (directory, kind, record_id, deleted)
    select d.number, ${kind}, s.id, s.id in (${deleted})
    from (select distinct id from (${selection}) x) s cross join directories d
    where ${parts ? sql`true` : sql`not ${somePart}`} order by s.id, d.number
    on conflict (directory, kind, record_id) do update
    set version = e.version + 1, deleted = e.deleted or excluded.deleted, attempts = 0, next_at = now(),
      withdraws_at = coalesce(e.withdraws_at,
        case when ${isWithdrawn(parts ? sql`excluded.deleted or ${taken} or ${isOutside}` : sql`excluded.deleted or ${taken}`)} then now() end),
      held_among = ${parts ? sql`case when ${isLifted} then null else e.held_among end` : sql`null`},
      joins = ${joins}, leaves = ${leaves}
    returning directory, record_id as id, version, ${isNested} as nested,
      ${parts ? sql`not deleted and held_among is null and ${isOutside}` : sql`false`} as leaves`
}

const leaversOf = (kind: RecordKind, rows: readonly Marked[]): Leaver[] =>
  rows.flatMap(({ directory, id, leaves }) => (leaves ? [{ directory, kind, id }] : []))

const touchedOf = (kind: RecordKind, rows: readonly Marked[]): Touched[] =>
  rows.flatMap(({ directory, id, version }) =>
    directory === mainDirectory ? [{ kind, id: Number(id), version: Number(version) }] : [],
  )
