import { sql } from 'drizzle-orm'
import type { Queryable, Tx } from './client.ts'
import { anyOfIds } from './id-list.ts'
import { reasons } from './reasons.ts'
import { apiEntries, fieldRelations, groups, menus, roles, users } from './schema.ts'

const records = {
  user: { table: users, missing: reasons.user_not_found },
  group: { table: groups, missing: reasons.group_not_found },
  role: { table: roles, missing: reasons.role_not_found },
  menu: { table: menus, missing: reasons.menu_not_found },
  'API entry': { table: apiEntries, missing: reasons.api_not_found },
  'field relation': { table: fieldRelations, missing: reasons.field_relation_not_found },
}

export type RecordName = keyof typeof records

/**
 * The rows of the requested ids, in that order.
 * @param field names the field of an id, by its index in `ids`
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
    if (row === undefined) throw records[kind].missing.at(field(index), { id })
    return row
  })
}

/**
 * Makes sure that a record exists, without a lock: for what is only read.
 * @throws AppError (not_found) naming the field
 */
export const requireFound = async (db: Queryable, kind: RecordName, id: number, field: string): Promise<void> => {
  const { table, missing } = records[kind]
  const rows = await db.execute(sql`select from ${table} where ${table.id} = ${id}`)
  if (rows.length === 0) throw missing.at(field, { id })
}

/** `key share`: the rows stay until the transaction ends, but others may change them. `update`: they may not. */
type Hold = 'key share' | 'no key update' | 'update'

/**
 * Makes sure that records exist, and locks them until the transaction ends.
 * @param field names the field of an id, by its index in `ids`
 * @throws AppError (not_found) naming the first that does not exist
 */
export const requireExisting = async (
  tx: Tx,
  kind: RecordName,
  ids: readonly number[],
  field: (index: number) => string,
  hold: Hold = 'key share',
): Promise<void> => {
  const { table } = records[kind]
  const rows = await tx.execute<{ id: string }>(
    sql`select ${table.id} from ${table} where ${table.id} = ${anyOfIds(ids)} order by ${table.id} for ${sql.raw(hold)}`,
  )
  const found = rows.map((row) => ({ id: Number(row.id) }))
  inRequestOrder(kind, found, ids, field)
}
