import { type SQL, sql } from 'drizzle-orm'
import type { Queryable } from '../db/client.ts'

export type RecordKind = 'user' | 'group'

/** A record and the version its directory entry has to reach. */
export interface Touched {
  kind: RecordKind
  id: number
  version: number
}

/** Ids as a set-returning expression: one parameter, however many there are. */
export const idList = (ids: readonly number[]): SQL =>
  sql`select value::bigint as id from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb)`

/**
 * For `id = ${anyOfIds(ids)}`: each id is looked up by its index. A join with `idList` may be carried out by comparing all
 * with all, where the server has not counted the rows of a table that was empty a moment ago.
 */
export const anyOfIds = (ids: readonly number[]): SQL => sql`any (array(${idList(ids)}))`

/**
 * Marks records as changed: their entries are due at once. Call it inside the transaction that changes the rows, so
 * that a change and the promise to mirror it are committed together.
 */
export const touch = async (tx: Queryable, kind: RecordKind, ids: readonly number[]): Promise<Touched[]> =>
  ids.length === 0 ? [] : touchSelected(tx, kind, idList(ids))

/** Like `touch`, for the records a query selects; it must have one column, `id`. */
export const touchSelected = async (tx: Queryable, kind: RecordKind, selection: SQL): Promise<Touched[]> =>
  mark(tx, kind, selection, false)

/** Like `touch`, for records that are deleted in this transaction: their entries are to be removed. */
export const touchDeleted = async (tx: Queryable, kind: RecordKind, ids: readonly number[]): Promise<Touched[]> =>
  ids.length === 0 ? [] : mark(tx, kind, idList(ids), true)

// Rows are taken in id order everywhere, so that two transactions touching the same records cannot deadlock. What was
// deleted stays so: whoever touches it has found it before.
const mark = async (tx: Queryable, kind: RecordKind, selection: SQL, deleted: boolean): Promise<Touched[]> => {
  const rows = await tx.execute<{ id: string; version: string }>(sql`
    insert into directory_entries as e (kind, record_id, deleted)
    select ${kind}, s.id, ${deleted} from (select distinct id from (${selection}) x) s order by s.id
    on conflict (kind, record_id) do update
    set version = e.version + 1, deleted = e.deleted or excluded.deleted, attempts = 0, next_at = now()
    returning record_id as id, version`)
  return rows.map((row) => ({ kind, id: Number(row.id), version: Number(row.version) }))
}
