import {
  Column,
  getTableName,
  is,
  type Placeholder,
  type Query,
  SQL,
  type SQLWrapper,
  sql,
  type Table,
} from 'drizzle-orm'
import type { PgInsertValue, PgTable, PgUpdateSetSource } from 'drizzle-orm/pg-core'
import { type Clashes, refusingClashes } from '../db/clashes.ts'
import type { Tx } from '../db/client.ts'
import { anyOfIds } from '../db/id-list.ts'
import { inOrder, plansAreKept, withKeptPlans } from '../db/in-order.ts'
import { keptQueries } from '../db/kept-statement.ts'
import type { groups, roles, users } from '../db/schema.ts'
import { steadyTime } from '../runtime/clock.ts'
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

/** Ids that are kept reserved at once. */
const maxReserved = 20

/** Milliseconds for which an id that was reserved ahead is used: lists are in the order of ids. */
const reservedFor = 1000

/**
 * The ids of records that `insertReserved` will write: what refers to them can be sent together with them. Where one record
 * follows another within a second, its id was reserved along with the one before, and nothing has to be asked for first.
 * Migrations give sequences these names.
 */
export const reservedIds = (table: RecordTable, now: () => number = steadyTime) => {
  const sequence = `${getTableName(table)}_id_seq`
  const ahead: { id: number; since: number }[] = []
  let last = Number.NEGATIVE_INFINITY
  const next = async (tx: Tx): Promise<number> => {
    plansAreKept(tx)
    const [row] = await tx.execute<{ id: string }>(sql`select nextval(${sequence}) as id, ${withKeptPlans}`)
    return Number(row?.id)
  }
  return {
    /** null: none was reserved ahead, or too long ago. */
    take(): number | null {
      for (;;) {
        const first = ahead.shift()
        if (first === undefined) return null
        if (first.since + reservedFor > now()) return first.id
      }
    },
    /** @param taken one that was taken, which it then answers; another is reserved ahead */
    async reserve(tx: Tx, taken: number | null): Promise<number> {
      const follows = last + reservedFor > now()
      last = now()
      const reserveAhead = async (): Promise<void> => {
        ahead.push({ id: await next(tx), since: now() })
      }
      const [id] = await inOrder(
        async () => taken ?? next(tx),
        async () => follows && ahead.length < maxReserved && reserveAhead(),
      )
      return id
    },
  }
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
  const tx = txOf(by)
  const build = (values: typeof row) => tx.insert(table).overridingSystemValue().values(values)
  const query = written('insert', table, row, build)
  await refusingClashes(query === null ? build(row) : tx.execute(query), clashes)
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
  const tx = txOf(by)
  const build = (values: typeof columns, at: number | Placeholder) =>
    tx
      .update(table)
      .set({ ...values, updatedAt: sql`now()` })
      .where(sql`${table.id} = ${at}::bigint`)
      .returning({ id: idOf(table) })
  const query = written('update', table, columns, (places) => build(places, sql.placeholder(theRow)), { [theRow]: id })
  const updated = await refusingClashes<readonly unknown[]>(
    query === null ? build(columns, id) : tx.execute(query),
    clashes,
  )
  return updated.length > 0
}

/** The place of a row's id in an update, which may set a column `id`. */
const theRow = ' row'

const queries = keptQueries()

/** A statement whose text is kept for these columns; null: they get more than values. */
const written = <Columns extends object>(
  what: string,
  table: Table,
  columns: Columns,
  build: (places: Columns) => { toSQL(): Query },
  further: Record<string, unknown> = {},
): SQLWrapper | null => {
  // In one order, whatever that of a request was: the query builder has its own.
  const entries = Object.entries(columns)
    .filter(([, value]) => value !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1))
  if (entries.some(([, value]) => is(value, SQL) || is(value, Column))) return null
  const places = () => Object.fromEntries(entries.map(([name]) => [name, sql.placeholder(name)])) as Columns
  const shape = [what, getTableName(table), ...entries.map(([name]) => name)].join(' ')
  return queries(shape, () => build(places()), { ...further, ...Object.fromEntries(entries) })
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
