import { type Column, eq, getTableName, type SQL, sql } from 'drizzle-orm'
import type { PgInsertValue, PgTable, PgUpdateSetSource } from 'drizzle-orm/pg-core'
import { type Clashes, refusingClashes } from '../db/clashes.ts'
import type { Tx } from '../db/client.ts'
import { anyOfIds } from '../db/id-list.ts'
import type { groups, roles, users } from '../db/schema.ts'
import { type AnyPermit, type NewPermit, type Permit, requirePermitted } from './permits/permit.ts'

type RecordTable = PgTable & { id: Column; updatedAt: Column }

/** Tables that are written with a permit only. */
type PermitKind<T> = T extends typeof users
  ? 'user'
  : T extends typeof groups
    ? 'group'
    : T extends typeof roles
      ? 'role'
      : null

type MadeWith<T> = PermitKind<T> extends string ? NewPermit<PermitKind<T>> : Tx
type ChangedWith<T> = PermitKind<T> extends string ? Permit<PermitKind<T>> : Tx

const txOf = (by: unknown): Tx => (isPermit(by) ? by.tx : (by as Tx))

const isPermit = (by: unknown): by is AnyPermit => typeof by === 'object' && by !== null && 'tx' in by

const requireRight = (by: unknown, ids: readonly number[]): void => {
  if (isPermit(by)) requirePermitted(by as Permit<string>, ids)
}

const idOf = (table: RecordTable): SQL<number> => sql`${table.id}`.mapWith(Number)

/**
 * Writes a new record and answers its id.
 * @param by the transaction, or the permit for it
 * @param clashes how a value is refused that another record has
 * @throws AppError (conflict) naming the field
 */
export const insertRow = async <T extends RecordTable>(
  by: MadeWith<T>,
  table: T,
  row: PgInsertValue<T>,
  clashes: Clashes,
): Promise<number> => {
  const [inserted] = await refusingClashes(
    txOf(by)
      .insert(table)
      .values(row)
      .returning({ id: idOf(table) }),
    clashes,
  )
  if (inserted === undefined) throw new Error('The insert answered no row')
  return inserted.id
}

/**
 * The id of a record that `insertReserved` will write: what refers to it can be sent together with it. Migrations give
 * sequences these names.
 */
export const reserveId = async (tx: Tx, table: RecordTable): Promise<number> => {
  const [row] = await tx.execute<{ id: string }>(sql`select nextval(${`${getTableName(table)}_id_seq`}) as id`)
  return Number(row?.id)
}

/**
 * Writes a new record with an id that was reserved for it.
 * @param by the transaction, or the permit for it
 * @param clashes how a value is refused that another record has
 * @throws AppError (conflict) naming the field
 */
export const insertReserved = async <T extends RecordTable>(
  by: MadeWith<T>,
  table: T,
  row: PgInsertValue<T, true> & { id: number },
  clashes: Clashes,
): Promise<void> => {
  await refusingClashes(txOf(by).insert(table).overridingSystemValue().values(row), clashes)
}

/**
 * Writes the given columns and no others: two people who change different fields of one record both get what they
 * want. Answers whether there is such a record.
 * @param by the transaction, or the permit for it
 * @param clashes how a value is refused that another record has
 * @throws AppError (conflict) naming the field
 */
export const updateRow = async <T extends RecordTable>(
  by: ChangedWith<T>,
  table: T,
  id: number,
  columns: PgUpdateSetSource<T>,
  clashes: Clashes,
): Promise<boolean> => {
  requireRight(by, [id])
  const updated = await refusingClashes(
    txOf(by)
      .update(table)
      .set({ ...columns, updatedAt: sql`now()` })
      .where(eq(table.id, id))
      .returning({ id: idOf(table) }),
    clashes,
  )
  return updated.length > 0
}

/** @param by the transaction, or the permit for it */
export const deleteRows = async <T extends RecordTable>(
  by: ChangedWith<T>,
  table: T,
  ids: readonly number[],
): Promise<void> => {
  requireRight(by, ids)
  await txOf(by)
    .delete(table)
    .where(sql`${table.id} = ${anyOfIds(ids)}`)
}
