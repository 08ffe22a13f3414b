import { sql } from 'drizzle-orm'
import type { Tx } from '../db/client.ts'
import { groups, users } from '../db/schema.ts'
import { fieldError } from '../errors.ts'
import { idList } from '../ldap/touch.ts'

const tables = { user: users, group: groups }

/**
 * Makes sure that records exist, and that they do so until the transaction ends; they can be changed meanwhile.
 * @param field names the field an id came from, by its index in `ids`
 * @throws AppError (not_found) naming the first that does not exist
 */
export const requireExisting = async (
  tx: Tx,
  kind: 'user' | 'group',
  ids: readonly number[],
  field: (index: number) => string,
): Promise<void> => {
  const table = tables[kind]
  const rows = await tx.execute<{ id: string }>(
    sql`select ${table.id} from ${table} where ${table.id} in (${idList(ids)}) order by ${table.id} for key share`,
  )
  const found = new Set(rows.map((row) => Number(row.id)))
  const missing = ids.findIndex((id) => !found.has(id))
  if (missing >= 0) throw fieldError('not_found', field(missing), `there is no ${kind} ${ids[missing]}`)
}
