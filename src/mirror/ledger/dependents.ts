import { type Placeholder, type SQL, sql } from 'drizzle-orm'
import type { Tx } from '../../db/client.ts'
import { anyOfIds, anyOfIdsAt, idList, idsValue } from '../../db/id-list.ts'
import { inOrder, inTransaction } from '../../db/in-order.ts'
import { keptStatement, type Slots } from '../../db/kept-statement.ts'
import { isOf } from '../../db/lease.ts'
import { directListsOf, isNested, type MarkedList, withLists } from '../entry/member-lists.ts'
import { listedIn } from '../entry/member-of.ts'
import type { Outcome } from '../plan/outcome.ts'
import { carriedAlong, type Move } from '../plan/subtree-moves.ts'
import type { RecordKind } from '../touch.ts'
import { isRowOf, pending } from './claim.ts'
import { isLeaveNoted, isNoted, withJoin, withJoinAt, withLeaveFrom } from './list-notes.ts'

// What depends on the DN of an entry, and becomes due, or moves along, when an outcome says that it has another one.

/** The rows of one directory, in a transaction. */
export interface BookInTransaction {
  tx: Tx
  directory: number
  /** See Book. */
  hasReplica?: boolean
}

export interface GroupDue {
  id: number
  /** The people whose DNs changed and who are or may be listed in its entry. */
  people: readonly number[]
}

/** The same as `touch`, for records that may have been deleted in the meantime, and stay deleted. */
export const makeDue = async (book: BookInTransaction, kind: RecordKind, ids: readonly number[]): Promise<void> => {
  if (ids.length > 0) await makeSelectedDue(book, kind, idList(ids))
}

const makeSelectedDue = ({ tx, ...book }: BookInTransaction, kind: RecordKind, selection: SQL): Promise<MarkedList[]> =>
  tx.execute<MarkedList>(makingDue(book, kind, selection))

interface MakeDue {
  /** As `withJoin` and `withLeaveFrom`. Default: the change is not noted. */
  joins?: SQL
  leaves?: SQL
  condition?: SQL
  /** Rows of this holder stay as they are. Default: of none. */
  holder?: Placeholder | null
}

/** Rows of the holder are locked too: until the transaction has ended, no other holder takes them and reads what was before. */
const makingDue = (
  book: Pick<BookInTransaction, 'directory'>,
  kind: RecordKind,
  selection: SQL,
  { joins = withJoin([]), leaves = sql`e.leaves`, condition = sql`true`, holder = null }: MakeDue = {},
): SQL => sql`
    with due as (
      select e.record_id, e.lease_owner from directory_entries e
      where ${isRowOf(book, kind)} and e.record_id in (${selection}) and ${condition} order by e.record_id for update)
    update directory_entries e set version = e.version + 1, attempts = 0, next_at = now(),
      joins = ${joins}, leaves = ${leaves}
    from due where ${isRowOf(book, kind)} and e.record_id = due.record_id
      ${holder === null ? sql`` : sql`and ${isOf(sql`due`, holder)} is not true`}
    returning e.record_id as id, ${isNested} as nested`

/** The lists of people, sent before `begin` is answered. */
const makingListsDue = keptStatement(
  (
    at: Slots<{ people: number | string; ids: string; dns: string; holder: string | null }>,
    directory: number,
    isOne: boolean,
    noted: 'joins' | 'leaves' | 'nothing',
    isHeld: boolean,
  ) => {
    const groups = sql`select m.group_id as id from group_members m where m.user_id = ${anyOfIdsAt(at.people, isOne)}`
    const how = { condition: inTransaction, holder: isHeld ? at.holder : null }
    return makingDue({ directory }, 'group', directListsOf(groups), {
      ...how,
      ...(noted === 'joins' && { joins: withJoinAt(at.ids) }),
      ...(noted === 'leaves' && { leaves: withLeaveFrom(at.ids, at.dns) }),
    })
  },
)

/**
 * The entries of groups contain the DNs of their entries.
 * @param atOnce it is sent before `begin` is answered, and lists were not nested a moment ago. Default: null, neither
 */
export const makeGroupsDue = async (
  book: BookInTransaction,
  userIds: readonly number[],
  atOnce: MarkListsDue | null = null,
): Promise<GroupDue[]> => {
  if (userIds.length === 0) return []
  const memberships = sql`group_members m where m.user_id = ${anyOfIds(userIds)}`
  // Requests whose records are in one batch wait only for groups of their own.
  const isAsked = userIds.length > 1 && userIds.length <= fewPeople
  const groups = sql`select m.group_id as id from ${memberships}`
  const [due, peopleOf] = await inOrder(
    () =>
      atOnce === null
        ? withLists(groups, (lists) => makeSelectedDue(book, 'group', lists()))
        : markListsDue(book, userIds, atOnce),
    async () =>
      isAsked
        ? book.tx.execute<{ id: string; people: number[] }>(
            sql`select m.group_id as id, json_agg(m.user_id) as people from ${memberships} group by m.group_id`,
          )
        : [],
  )
  const known = new Map(peopleOf.map(({ id, people }) => [Number(id), people]))
  return due.map(({ id, nested }) => ({
    id: Number(id),
    people: (nested ? undefined : known.get(Number(id))) ?? userIds,
  }))
}

interface MarkListsDue {
  /** Where their entries were; null: not noted, they have other names by now, or were elsewhere than the ledger says. */
  places: readonly (string | null)[] | null
  /** See `makingDue`. */
  groupsHolder: string | null
}

const markListsDue = (
  { tx, directory }: BookInTransaction,
  userIds: readonly number[],
  { places, groupsHolder }: MarkListsDue,
): Promise<MarkedList[]> => {
  const noted = places === null ? 'nothing' : places.every((dn) => dn === null) ? 'joins' : 'leaves'
  const isShort = (noted === 'joins' ? isNoted : isLeaveNoted)(userIds)
  const dns = JSON.stringify(places?.filter((dn) => dn !== null) ?? [])
  const values = { people: idsValue(userIds), ids: JSON.stringify(userIds), dns, holder: groupsHolder }
  const shape = [directory, userIds.length === 1, isShort ? noted : 'nothing', groupsHolder !== null] as const
  return tx.execute<MarkedList>(makingListsDue(values, ...shape))
}

/** For more no request waits. */
const fewPeople = 200

/**
 * Makes the people due whose `memberOf` contains DNs that change: those of these groups and of the groups that move along.
 * Rows of people are locked before rows of groups, as everywhere.
 */
export const makeListedDue = async (book: BookInTransaction, outcomes: readonly Outcome[]): Promise<void> => {
  const moved = outcomes.filter(({ dn, from, unseen }) => dn !== from && !unseen).map(({ id, from }) => ({ id, from }))
  if (moved.length === 0) return
  const { tx, directory } = book
  const [row] = await tx.execute<{ written: boolean }>(sql`
    select member_of is not null as written from directories where number = ${directory} for share`)
  if (row?.written !== true) return
  const groups = sql`
    with moved as (select * from jsonb_to_recordset(${JSON.stringify(moved)}::jsonb) as m(id bigint, "from" text))
    select id from moved
    union select e.record_id from directory_entries e join moved m
      on right(e.dn, length(m."from") + 1) = ',' || m."from" or right(e.target_dn, length(m."from") + 1) = ',' || m."from"
    where ${isRowOf(book, 'group')}`
  await makeSelectedDue(book, 'user', listedIn(directory, groups))
}

/** Makes due the groups below groups whose DN changed. */
export const moveBelow = async (
  book: BookInTransaction,
  moved: readonly { id: number; from: string | null; to: string | null }[],
): Promise<void> => {
  if (moved.length === 0) return
  await carryAlong(
    book,
    moved.flatMap(({ from, to }) => (from && to ? [{ from, to }] : [])),
  )
  await book.tx.execute(sql`
    with waiting as (
      select e.record_id from directory_entries e join groups g on g.id = e.record_id
      where ${isRowOf(book, 'group')} and ${pending} and e.next_at is null and g.parent_id = ${anyOfIds(moved.map(({ id }) => id))}
      order by e.record_id for update of e)
    update directory_entries e set next_at = now()
    from waiting where ${isRowOf(book, 'group')} and e.record_id = waiting.record_id`)
}

/** When a group is moved, its subtree moves with it: DNs and intents below it change too. */
const carryAlong = async ({ tx, ...book }: BookInTransaction, moves: readonly Move[]): Promise<void> => {
  if (moves.length === 0) return
  const below = (column: SQL): SQL => sql`right(${column}, length(m."from") + 1) = ',' || m."from"`
  const rows = await tx.execute<{ id: string; dn: string | null; targetDn: string | null }>(sql`
    select e.record_id as id, e.dn, e.target_dn as "targetDn" from directory_entries e
    where ${isRowOf(book, 'group')} and exists (
      select from jsonb_to_recordset(${JSON.stringify(moves)}::jsonb) as m("from" text)
      where ${below(sql`e.dn`)} or ${below(sql`e.target_dn`)})
    order by e.record_id for update`)
  const moved = (dn: string | null): string | null => dn && carriedAlong(dn, moves)
  const places = rows.map(({ id, dn, targetDn }) => ({ id: Number(id), dn: moved(dn), targetDn: moved(targetDn) }))
  await tx.execute(sql`
    update directory_entries e set dn = p.dn, target_dn = p."targetDn"
    from jsonb_to_recordset(${JSON.stringify(places)}::jsonb) as p(id bigint, dn text, "targetDn" text)
    where ${isRowOf(book, 'group')} and e.record_id = p.id`)
}
