import { type SQL, sql } from 'drizzle-orm'
import { constant } from '../../db/constant.ts'
import { written } from '../../db/json-record.ts'

// It is read from the table (see identity.ts), not from the settings, so that all instances write the same lists.
const nested = sql`d.shape->>'nestedGroups' = 'members'`

/** Whether entries of groups list the people of the groups below them, in one of the directories at least. */
export const isNested: SQL = written(sql`exists (select from directories d where ${nested})`)

/** The same in this directory. */
export const nestsIn = (directory: number): SQL =>
  sql`exists (select from directories d where d.number = ${constant(directory)} and ${nested})`

/**
 * Selects the groups whose entries list the members of the groups that a query selects (one column, `id`): those of type
 * `cn` among them and, where groups are nested, above them. There the selected groups themselves are included, whatever
 * their type: see `withLists`.
 */
export const listsOf = (groups: SQL): SQL => sql`
  with recursive up (id, parent_id, lists) as (
    select g.id, g.parent_id, g.group_type = 'cn' or ${isNested} from groups g where g.id in (${groups})
    union
    select p.id, p.parent_id, p.group_type = 'cn' from groups p join up on p.id = up.parent_id where ${isNested}
  )
  select id from up where lists`

/** In which directory people are listed. */
export interface ListedIn {
  directory: number
  /** What the DNs of people end with. */
  peopleSuffix: string
  /** Whether lists are known not to be nested: then no group below is looked for. Default: false. */
  areFlat?: boolean
}

/**
 * The same where lists are not nested; where they are, the groups above are missing. Whether they are is told by the rows
 * of the ledger that are marked. Each is looked up by its key, which `offset` sees to, and selected as often as by the query:
 * otherwise all groups are read where they are a few hundred.
 */
export const directListsOf = (groups: SQL): SQL => sql`
  select l.id from (${groups}) x cross join lateral (
    select g.id from groups g where g.id = x.id and (g.group_type = 'cn' or ${isNested}) offset 0) l`

/** Whether nested lists were seen in a database of this process. */
let nestedSeen = false

interface Listed extends ListedIn {
  /** Which memberships `gm` are looked at. Default: all. */
  among?: SQL
}

/**
 * Selects the DNs (`dn`) of the enabled people whom the entry of group `g` in this directory lists, some of them twice.
 * The members of each group are looked up, and each of them by its key, which `offset` and `limit` see to: PostgreSQL takes
 * a recursion for a thousand groups, and every group for a large one where one is, and would read all people of the
 * organisation for every group.
 */
export const peopleListed = ({ directory, peopleSuffix, areFlat = false, among = sql`true` }: Listed): SQL => sql`
  ${areFlat ? sql`` : withBelow(directory)}
  select m.dn
  from ${areFlat ? sql`(select g.id as id)` : sql`below`} b
  cross join lateral (
    select gm.user_id from group_members gm where gm.group_id = b.id and ${among} offset 0
  ) gm
  cross join lateral (
    select p.dn from directory_entries p join users u on u.id = p.record_id and u.status = 1
    where p.directory = ${constant(directory)} and p.kind = 'user' and p.record_id = gm.user_id
    limit 1
  ) m
  where right(m.dn, length(${peopleSuffix}::text)) = ${peopleSuffix}`

const withBelow = (directory: number): SQL => sql`
  with recursive below as (
    select g.id as id
    union all
    select c.id from groups c join below b on c.parent_id = b.id where ${nestsIn(directory)}
  )`

/** The same as a JSON array of all of them. */
export const listedMembers = (where: ListedIn): SQL => sql`(
  select coalesce(json_agg(distinct dn), '[]') from (${peopleListed(where)}) as m)`

/** What is marked first: the groups above are looked for only where lists have been nested. */
export const firstListsOf = (groups: SQL): SQL => (nestedSeen ? listsOf(groups) : directListsOf(groups))

/** Whether \`firstListsOf\` selects the groups above too. */
export const looksAbove = (): boolean => nestedSeen

/** A row of the ledger that was marked, and whether groups were nested then. */
export type MarkedList = { id: string; nested: boolean }

/**
 * Marks the groups whose entries list the members of these groups.
 *
 * A move of a group above them, in another transaction, may commit while this one waits for the row of one of them: a
 * statement does not see what was committed after it began. Every such move marks the whole subtree, and so the same
 * rows. So once they are marked here, the groups above them stay, and a second look finds those that are missing.
 * @param mark marks the groups that a query selects, which is written when it asks for it
 */
export const withLists = async <Row extends MarkedList>(
  groups: SQL,
  mark: (selection: () => SQL) => Promise<Row[]>,
): Promise<Row[]> => {
  const rows = await mark(() => firstListsOf(groups))
  if (!rows.some(({ nested }) => nested)) return rows
  nestedSeen = true
  const marked = JSON.stringify(rows.map(({ id }) => Number(id)))
  const later = await mark(
    () => sql`
    select l.id from (${listsOf(groups)}) l
    where l.id not in (select value::bigint from jsonb_array_elements_text(${marked}::jsonb))`,
  )
  return [...rows, ...later]
}
