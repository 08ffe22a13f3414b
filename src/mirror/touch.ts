import { type SQL, sql } from 'drizzle-orm'
import type { Queryable } from '../db/client.ts'
import { anyOfIds, idList } from '../db/id-list.ts'

export type RecordKind = 'user' | 'group'

/** A record and the version its directory entry has to reach. */
export interface Touched {
  kind: RecordKind
  id: number
  version: number
}

/** What else is known of a change. */
export interface TouchHow {
  /**
   * The change takes something away from people that the directory still gives them: a password that was replaced, a
   * membership. That a person was disabled or deleted is seen without. Ids: it takes something away in these records
   * only; they are still touched together with the others, because rows are locked in one order.
   */
  withdraws?: boolean | readonly number[]
}

/**
 * Marks records as changed: their entries are due at once. Call it inside the transaction that changes the rows, so
 * that a change and the promise to mirror it are committed together.
 */
export const touch = async (
  tx: Queryable,
  kind: RecordKind,
  ids: readonly number[],
  how: TouchHow = {},
): Promise<Touched[]> => (ids.length === 0 ? [] : touchSelected(tx, kind, idList(ids), how))

/** Like `touch`, for the records a query selects; it must have one column, `id`. */
export const touchSelected = async (
  tx: Queryable,
  kind: RecordKind,
  selection: SQL,
  how: TouchHow = {},
): Promise<Touched[]> => mark(tx, kind, selection, how)

/** Like `touch`, for records that are deleted in this transaction: their entries are to be removed. */
export const touchDeleted = async (tx: Queryable, kind: RecordKind, ids: readonly number[]): Promise<Touched[]> =>
  ids.length === 0 ? [] : mark(tx, kind, idList(ids), { deleted: true })

/**
 * Whether this DN of a person is a parked one: it has `ou=disabled` right above it. The base may hold that text as
 * well.
 */
const isParked = (dn: SQL): SQL => sql`lower(${dn}) ~ ${'^([^,\\\\]|\\\\.)*,ou=disabled,'}`

/**
 * Whether what is about to change takes something away; `e` is the row of directory_entries as it was. What has no
 * entry gives nothing, and a disabled person whose entry is parked has nothing left.
 */
export const isWithdrawn = (otherwise: SQL): SQL => sql`(e.dn is not null or e.target_dn is not null) and (${otherwise}
  or e.kind = 'user' and (e.target_dn is not null or not ${isParked(sql`e.dn`)})
    and exists (select from users u where u.id = e.record_id and u.status = 2))`

// Rows are taken in id order everywhere, so that two transactions touching the same records cannot deadlock. What was
// deleted stays so: the transaction that touches it has found it before.
const mark = async (
  tx: Queryable,
  kind: RecordKind,
  selection: SQL,
  { deleted = false, withdraws = false }: TouchHow & { deleted?: boolean },
): Promise<Touched[]> => {
  const taken = typeof withdraws === 'boolean' ? sql`${withdraws}` : sql`e.record_id = ${anyOfIds(withdraws)}`
  const rows = await tx.execute<{ id: string; version: string }>(sql`
    insert into directory_entries as e (kind, record_id, deleted)
    select ${kind}, s.id, ${deleted} from (select distinct id from (${selection}) x) s order by s.id
    on conflict (kind, record_id) do update
    set version = e.version + 1, deleted = e.deleted or excluded.deleted, attempts = 0, next_at = now(),
      withdraws_at = coalesce(e.withdraws_at,
        case when ${isWithdrawn(sql`excluded.deleted or ${taken}`)} then now() end)
    returning record_id as id, version`)
  return rows.map((row) => ({ kind, id: Number(row.id), version: Number(row.version) }))
}
