import { and, asc, desc, eq, gt, lte, sql } from 'drizzle-orm'
import type { Queryable } from '../db/client.ts'
import { operationLogHead, operationLogs } from '../db/schema.ts'
import { largestPlace } from './chain.ts'
import { cutOf } from './cut-seal.ts'
import { sealMethod, sealPaths } from './entry.ts'
import type { Break, End, Row, SealedEnd } from './verify-rules.ts'

// What a verification reads of the log, without locks.

/** Rows in memory at a time. */
const batchSize = 1000

/** Reads both at the same moment. */
export const readEnd = async (db: Queryable): Promise<SealedEnd> => {
  const { seq, hash, cleanedTo, lastSeal, cutSeal, seal } = operationLogHead
  const newest = sql<number>`(select coalesce(max(seq), 0) from operation_logs where seq <= ${largestPlace})`.mapWith(
    Number,
  )
  const beyond = sql<boolean>`exists (select from operation_logs where seq > ${largestPlace})`
  const [end] = await db
    .select({ head: { seq, hash, cleanedTo, lastSeal, cutSeal, seal }, newest, beyond })
    .from(sql`(values (1)) as one`)
    .leftJoin(operationLogHead, sql`true`)
  const { head = null, newest: last = 0 } = end ?? {}
  const inserted: Break = { seq: last, what: 'inserted', message: 'the log never wrote the entry behind this one' }
  return { head, newest: last, beyond: end?.beyond ? inserted : null }
}

/** The last entry that a cut removed, by its sealed entry; without a cut, the start of the chain. */
export const readCut = async (db: Queryable, seal: number): Promise<End> => {
  if (seal === 0) return { seq: 0, hash: '' }
  const [row] = await db.select().from(operationLogs).where(eq(operationLogs.seq, seal))
  // The walk reaches that entry later, and reports it if it was changed.
  return (row && row.method === sealMethod && row.path === sealPaths.cut && cutOf(row)) || { seq: 0, hash: '' }
}

/** The entry in this place, or the one before it; without any, the start of the chain. */
export const entryAt = async (db: Queryable, place: number): Promise<End> => {
  const { seq, hash } = operationLogs
  if (place < 1) return { seq: 0, hash: '' }
  const [entry] = await db.select({ seq, hash }).from(operationLogs).where(lte(seq, place)).orderBy(desc(seq)).limit(1)
  return entry ?? { seq: 0, hash: '' }
}

/** @param after null: from the very first row, which may have a place below one that the log never wrote */
export async function* fromOldest(
  db: Queryable,
  after: number | null,
  newest: number,
): AsyncGenerator<Row[], void, undefined> {
  let last = after
  for (;;) {
    const { seq } = operationLogs
    const rows: Row[] = await db
      .select()
      .from(operationLogs)
      .where(and(lte(seq, newest), last === null ? undefined : gt(seq, last)))
      .orderBy(asc(seq))
      .limit(batchSize)
    yield rows
    if (rows.length < batchSize) return
    last = rows.at(-1)?.seq ?? null
  }
}

/**
 * Entries that are hidden without a sealed entry that names them, and sealed entries that name other entries than the
 * hidden ones. The sealed entries themselves are checked when the walk reaches them.
 */
export const misplacedIn = async (db: Queryable, rows: readonly Row[], cut: End): Promise<Map<number, Break>> => {
  if (!rows.some((row) => row.hiddenBy !== null || row.method === sealMethod)) return new Map()
  const isSeal = sql`method = ${sealMethod} and path = ${sealPaths.delete}`
  const inBatch = sql`seq between ${rows[0]?.seq} and ${rows.at(-1)?.seq}`
  // Of those that a sealed entry names, LOG_RETENTION may have removed the oldest. A row may hold anything.
  const named = sql`(
    select count(*) from jsonb_array_elements(case jsonb_typeof(target) when 'array' then target else '[]' end) as id
    where case jsonb_typeof(id) when 'number' then id::numeric > ${cut.seq} else true end)`
  const found = await db.execute<{ seq: string; listed: boolean }>(sql`
    select seq, false as listed from operation_logs as entry
    where ${inBatch} and hidden_by is not null and not exists (
      select from operation_logs where seq = entry.hidden_by and seq > entry.seq and ${isSeal}
        and target @> to_jsonb(entry.seq))
    union all
    select seq, true from operation_logs as seal
    where ${inBatch} and ${isSeal} and ${named} <> (select count(*) from operation_logs where hidden_by = seal.seq)`)
  return new Map(
    found.map(({ seq, listed }) => [
      Number(seq),
      {
        seq: Number(seq),
        what: 'hidden',
        message: listed
          ? 'some of the entries it says were deleted are on the list'
          : 'the entry is off the list although it was not deleted',
      },
    ]),
  )
}
