import { and, or, type SQL, sql } from 'drizzle-orm'
import { pick } from '../collections/pick.ts'
import type { Db } from '../db/client.ts'
import { readCountedPage } from '../db/counted-page.ts'
import { requireFound } from '../db/existing.ts'
import { anyOfIds } from '../db/id-list.ts'
import { jsonObject } from '../db/json-record.ts'
import { type KeyedRow, type Keyset, type KeysetQuery, keysetOf, type SortKey } from '../db/keyset.ts'
import { contains } from '../db/like.ts'
import { reasons as missing } from '../db/reasons.ts'
import { versionOf } from '../db/record-versions.ts'
import { groupMembers, groups } from '../db/schema.ts'
import { type GroupField, groupFieldNames, searchedGroupFields } from '../db/tables/fields.ts'
import type { components } from '../generated/operations.types.ts'
import { directoryFields, entrySync, joinDirectoryEntry } from '../mirror/record-sql.ts'
import { mayChange } from './access-sql.ts'
import { filteredBy, type OfAttributes, searchedIn, shownValues } from './attributes/find.ts'
import { beyond, departmentsBeyond } from './department-access.ts'
import { containsShort, isShort, startsWord } from './short-search.ts'
import type { Within } from './within.ts'

type Schemas = components['schemas']
export type Department = Schemas['Department']
export type DepartmentList = Schemas['DepartmentList']
export type DepartmentStep = Schemas['DepartmentStep']

type DepartmentRow = Omit<Department, 'access' | 'path' | 'hasChildren'>
type WithoutAttributes = Omit<DepartmentRow, 'attributes'>

/** All fields that are declared; one has another name in this document. */
const { groupName: name, ...fields } = pick(
  groups,
  groupFieldNames satisfies readonly Within<keyof WithoutAttributes | 'groupName', GroupField>[],
)

const record = (shown: readonly string[]): SQL<DepartmentRow> =>
  jsonObject<DepartmentRow>({
    id: groups.id,
    ...{ ...fields, name },
    type: groups.groupType,
    dn: directoryFields.dn,
    parent: groups.parentId,
    source: groups.source,
    childCount: sql`coalesce(children.number, 0)`,
    memberCount: sql`coalesce(sizes.members, 0)`,
    sync: entrySync,
    version: versionOf('group'),
    attributes: shownValues(groups.attributes, { shown }),
  })

export interface DepartmentQuery extends KeysetQuery, Partial<OfAttributes> {
  parent?: number
  q?: string
}

/** Under one parent no two have the same name. */
const byName: SortKey = { by: sql`${groups.groupNameKey}`, type: 'text' }

const id = sql`${groups.id}`

const searched = (q: string, attributes: Partial<OfAttributes>): SQL | undefined =>
  isShort(q)
    ? or(
        containsShort(groups.groupName, q),
        ...searchedGroupFields.filter((field) => field !== 'groupName').map((field) => startsWord(groups[field], q)),
      )
    : or(
        ...searchedGroupFields.map((field) => contains(groups[field], q)),
        searchedIn(groups.attributes, attributes, q),
      )

/** Figures that only the departments of a page need: they are counted for these alone. */
const records = (keyset: Keyset, shown: readonly string[]): SQL => sql`
  select ${record(shown)} as record, ${keyset.key} as key, ${id} as id
  from page as ${groups}
  left join (
    select c.parent_id, count(*)::int as number from groups c
    where c.parent_id in (select page.id from page) group by c.parent_id
  ) as children on children.parent_id = ${id}
  left join (
    select m.group_id, count(*)::int as members from ${groupMembers} m
    where m.group_id in (select page.id from page) group by m.group_id
  ) as sizes on sizes.group_id = ${id}
  ${joinDirectoryEntry('group', groups.id)}`

interface Row extends KeyedRow {
  record: DepartmentRow
}

const departmentOf = (
  record: DepartmentRow,
  refused: ReadonlySet<number>,
  paths: ReadonlyMap<number, DepartmentStep[]> | null,
): Department => ({
  ...record,
  hasChildren: record.childCount > 0,
  access: refused.has(record.id) ? beyond : mayChange,
  path: paths?.get(record.id) ?? null,
})

/** Reads departments and groups as a console lists them: children of a node, or the hits of a search. */
export const departmentRecords = (db: Db) => {
  return {
    /**
     * @param rank the caller's, by which `access` is decided
     * @throws AppError naming `parent` (not_found) or `cursor` (invalid)
     */
    async page(wanted: DepartmentQuery, rank: number): Promise<Omit<DepartmentList, 'attributes'>> {
      const { parent, q, having, shown = [], ...query } = wanted
      const searching = Boolean(q) || having !== undefined
      if (!searching && parent !== undefined) await requireFound(db, 'group', parent, 'parent')
      const name = searching ? 'search' : 'children'
      const keyset = keysetOf(query, {
        ...{ name, id, descending: false },
        filter: searching ? { q, having } : { parent },
        key: { ...byName, unique: !searching },
      })
      const found = and(q ? searched(q, wanted) : undefined, filteredBy(groups.attributes, wanted))
      const each = searching ? found : sql`coalesce(${groups.parentId}, 0) = ${parent ?? 0}`
      const list = { table: groups, keyset, records: records(keyset, shown) }
      const { rows, ...count } = await readCountedPage<Row>(db, list, { probe: found, each })
      const { items, next, previous } = keyset.page(rows)
      const ids = items.map(({ record }) => record.id)
      const refused = await departmentsBeyond(db, rank, ids)
      const paths = searching ? await pathsTo(db, ids) : null
      const departments = items.map(({ record }) => departmentOf(record, refused, paths))
      return { ...count, next, previous, departments }
    },

    /**
     * @param rank the caller's, by which `access` is decided
     * @throws AppError (not_found) naming `id`
     */
    async one(groupId: number, rank: number): Promise<Department> {
      const keyset = keysetOf({ limit: 1 }, { name: 'one', filter: {}, key: byName, id, descending: false })
      const [row] = await db.execute<Row>(sql`
        with page as (select * from ${groups} where ${id} = ${groupId}) ${records(keyset, [])}`)
      if (row === undefined) throw missing.group_not_found.at('id', { id: groupId })
      const refused = await departmentsBeyond(db, rank, [groupId])
      return departmentOf(row.record, refused, await pathsTo(db, [groupId]))
    },

    /** @throws AppError (not_found) naming `id` */
    async path(groupId: number): Promise<DepartmentStep[]> {
      const path = (await pathsTo(db, [groupId])).get(groupId)
      if (path === undefined) throw missing.group_not_found.at('id', { id: groupId })
      return path
    },
  }
}

/**
 * The way to each of these departments, from its root to itself. PostgreSQL cannot estimate how few rows a recursion
 * has and would read the whole table for each level; `limit 1` makes it look up each parent.
 */
const pathsTo = async (db: Db, ids: readonly number[]): Promise<Map<number, DepartmentStep[]>> => {
  const rows = await db.execute<{ id: string; path: DepartmentStep[] }>(sql`
    with recursive above as (
      select id as leaf, id, parent_id, group_name, group_type, 0 as height from ${groups} where id = ${anyOfIds(ids)}
      union all
      select above.leaf, g.id, g.parent_id, g.group_name, g.group_type, above.height + 1
      from above cross join lateral (select * from ${groups} where ${id} = above.parent_id limit 1) as g
    )
    select leaf as id, json_agg(${jsonObject<DepartmentStep>({
      id: sql`id`,
      name: sql`group_name`,
      type: sql`group_type`,
    })} order by height desc) as path
    from above group by leaf`)
  return new Map(rows.map((row) => [Number(row.id), row.path]))
}
