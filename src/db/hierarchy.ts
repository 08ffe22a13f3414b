import { sql } from 'drizzle-orm'
import type { Tx } from './client.ts'
import { anyOfIds, idList } from './id-list.ts'
import { reasons } from './reasons.ts'
import { groups, menus } from './schema.ts'

const trees = {
  group: {
    table: groups,
    belowItself: reasons.group_below_itself,
    tooDeep: reasons.groups_too_deep,
    hasChildren: reasons.group_has_groups,
  },
  menu: {
    table: menus,
    belowItself: reasons.menu_below_itself,
    tooDeep: reasons.menus_too_deep,
    hasChildren: reasons.menu_has_menus,
  },
}

/** What hangs below its like. */
export type Nested = keyof typeof trees

/** A DN grows with every level, and servers refuse long ones. */
const maxDepth = 32

/**
 * Checks that the result is a tree of at most `maxDepth` levels.
 * @param moved the record that is moved, with all below it; null: a new one
 * @param field the field of the parent in the request
 * @throws AppError (invalid) naming it
 */
export const requireRoomBelow = async (
  tx: Tx,
  kind: Nested,
  parentId: number,
  { moved = null, field = 'parentId' }: { moved?: number | null; field?: string } = {},
): Promise<void> => {
  const { table, belowItself, tooDeep } = trees[kind]
  const [row] = await tx.execute<{ depth: number; height: number; circle: boolean | null }>(sql`
    with recursive above as (
      select id, parent_id, 1 as depth from ${table} where id = ${parentId}
      union all
      select t.id, t.parent_id, above.depth + 1 from ${table} t join above on t.id = above.parent_id
    ), below as (
      select id, 1 as height from ${table} where id = ${moved}
      union all
      select t.id, below.height + 1 from ${table} t join below on t.parent_id = below.id
    )
    select max(depth) as depth, bool_or(id = ${moved}) as circle,
      coalesce((select max(height) from below), 1) as height
    from above`)
  if (row?.circle) throw belowItself.at(field)
  if (row && row.depth + row.height > maxDepth) {
    throw tooDeep.at(field, { levels: maxDepth })
  }
}

/**
 * Checks that no record that stays is below one that is removed.
 * @param field names the field of an id, by its index in `ids`
 * @throws AppError (conflict) naming the first such record
 */
export const requireNoChildren = async (
  tx: Tx,
  kind: Nested,
  ids: readonly number[],
  field: (index: number) => string,
): Promise<void> => {
  const { table, hasChildren } = trees[kind]
  const [child] = await tx.execute<{ parent: string }>(sql`
    select ${table.parentId} as parent from ${table}
    where ${table.parentId} = ${anyOfIds(ids)} and ${table.id} not in (${idList(ids)}) limit 1`)
  if (child === undefined) return
  const parent = Number(child.parent)
  throw hasChildren.at(field(ids.indexOf(parent)), { id: parent })
}
