import { type Column, eq, type SQL, sql } from 'drizzle-orm'
import type { PgInsertValue, PgTable, PgUpdateSetSource } from 'drizzle-orm/pg-core'
import type { Tx } from '../db/client.ts'
import { idList } from '../ldap/touch.ts'
import { refusingClashes } from './clashes.ts'

type RecordTable = PgTable & { id: Column; updatedAt: Column }

const idOf = (table: RecordTable): SQL<number> => sql`${table.id}`.mapWith(Number)

/**
 * Writes a new record and answers its id.
 * @throws AppError (conflict) naming the field whose value another one has
 */
export const insertRow = async <T extends RecordTable>(tx: Tx, table: T, row: PgInsertValue<T>): Promise<number> => {
  const [inserted] = await refusingClashes(
    tx
      .insert(table)
      .values(row)
      .returning({ id: idOf(table) }),
  )
  if (inserted === undefined) throw new Error('The insert answered no row')
  return inserted.id
}

/**
 * Writes the given columns and no others: two people who change different fields of one record both get what they
 * want. Answers whether there is such a record.
 * @throws AppError (conflict) naming the field whose value another one has
 */
export const updateRow = async <T extends RecordTable>(
  tx: Tx,
  table: T,
  id: number,
  columns: PgUpdateSetSource<T>,
): Promise<boolean> => {
  const updated = await refusingClashes(
    tx
      .update(table)
      .set({ ...columns, updatedAt: sql`now()` })
      .where(eq(table.id, id))
      .returning({ id: idOf(table) }),
  )
  return updated.length > 0
}

export const deleteRows = async (tx: Tx, table: RecordTable, ids: readonly number[]): Promise<void> => {
  await tx.delete(table).where(sql`${table.id} in (${idList(ids)})`)
}
