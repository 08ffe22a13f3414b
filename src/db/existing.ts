import { sql } from 'drizzle-orm'
import { fieldError } from '../errors.ts'
import type { Tx } from './client.ts'
import { idList } from './id-list.ts'
import { apiEntries, fieldRelations, groups, menus, roles, users } from './schema.ts'

const tables = {
  user: users,
  group: groups,
  role: roles,
  menu: menus,
  'API entry': apiEntries,
  'field relation': fieldRelations,
}

export type RecordName = keyof typeof tables

/**
 * The rows of the ids that were asked for, in that order.
 * @param field names the field an id came from, by its index in `ids`
 * @throws AppError (not_found) naming the first that does not exist
 */
export const inRequestOrder = <T extends { id: number }>(
  kind: RecordName,
  rows: readonly T[],
  ids: readonly number[],
  field: (index: number) => string,
): T[] => {
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.map((id, index) => {
    const row = byId.get(id)
    if (row === undefined) throw fieldError('not_found', field(index), `there is no ${kind} ${id}`)
    return row
  })
}

/** `key share`: they stay until the transaction ends, but can be changed meanwhile. `update`: nobody else touches them. */
type Hold = 'key share' | 'update'

/**
 * Makes sure that records exist, and takes hold of them until the transaction ends.
 * @param field names the field an id came from, by its index in `ids`
 * @throws AppError (not_found) naming the first that does not exist
 */
export const requireExisting = async (
  tx: Tx,
  kind: RecordName,
  ids: readonly number[],
  field: (index: number) => string,
  hold: Hold = 'key share',
): Promise<void> => {
  const table = tables[kind]
  const rows = await tx.execute<{ id: string }>(
    sql`select ${table.id} from ${table} where ${table.id} in (${idList(ids)}) order by ${table.id} for ${sql.raw(hold)}`,
  )
  const found = rows.map((row) => ({ id: Number(row.id) }))
  inRequestOrder(kind, found, ids, field)
}
