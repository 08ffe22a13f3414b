import { and, asc, desc, gt, lte, sql } from 'drizzle-orm'
import type { Db } from '../../db/client.ts'
import { operationLogHead, operationLogs } from '../../db/schema.ts'
import { uncheckedSeal } from './append.ts'
import { entryParts, type Head, headParts } from './chain.ts'
import { sealMethod, sealPaths } from './entry.ts'
import { keyIdOf, type LogKeys } from './keys.ts'

export interface Verdict {
  /** Entries that were found to be as they were written. */
  checked: number
  /** The last entry that was looked at. Noted down elsewhere, it tells later that the log still contains it. */
  head: { seq: number; hash: string }
  /** The first place where the log is not what was written; null: there is none. */
  broken: Break | null
  /** Entries signed with keys that are not known here: nothing can be said about them. */
  unchecked: { count: number; first: number; last: number; keyId: string } | null
}

export interface Break {
  seq: number
  what: 'changed' | 'removed' | 'inserted' | 'hidden' | 'end'
  message: string
}

type Row = typeof operationLogs.$inferSelect
type End = Verdict['head']

/** Rows in memory at a time. */
const batchSize = 1000

export interface VerifyOptions {
  /** Only so many of the newest entries: the one before them is taken for what it says. */
  newest?: number
}

/**
 * Walks the chain from its first entry to its newest, or the newest part of it, holding nothing: entries that are added
 * meanwhile are not looked at.
 *
 * Found by it: an entry changed, removed, inserted or moved; an entry taken off the list, or put back on it, without a
 * sealed entry that says so; the newest entries removed or others added behind them, because the end is sealed too; an
 * end that the service itself found in doubt when it went on from there. Not found: the whole log, or its end, set back
 * together with its seal to what both were earlier (a restored backup looks the same); a head noted down elsewhere
 * helps against that. Whoever has the key can write what he likes.
 */
export const verifyLog = async (
  db: Db,
  keys: LogKeys,
  { newest = Number.POSITIVE_INFINITY }: VerifyOptions = {},
): Promise<Verdict> => {
  const sealed = await readEnd(db)
  const head = await entryAt(db, sealed.newest - newest)
  const verdict: Verdict = { checked: 0, head, broken: null, unchecked: null }
  for await (const rows of fromOldest(db, head.seq, sealed.newest)) {
    const misplaced = await misplacedIn(db, rows)
    for (const row of rows) {
      verdict.broken =
        placeProblem(row, verdict.head) ??
        contentProblem(keys, row, verdict) ??
        misplaced.get(row.seq) ??
        doubtProblem(keys, row, verdict.head)
      if (verdict.broken !== null) return verdict
      verdict.head = { seq: row.seq, hash: row.hash }
    }
  }
  verdict.broken = endProblem(keys, sealed, verdict.head)
  return verdict
}

const placeProblem = ({ seq }: Row, last: End): Break | null => {
  if (seq <= last.seq) return { seq, what: 'inserted', message: 'the log never wrote this entry' }
  if (seq > last.seq + 1) return missing(last.seq + 1, seq - 1)
  return null
}

const missing = (first: number, last: number): Break => ({
  seq: first,
  what: 'removed',
  message: first === last ? 'the entry is missing' : `the entries ${first} to ${last} are missing`,
})

/** Counts the entry in the verdict, unless it is not what was written. */
const contentProblem = (keys: LogKeys, row: Row, verdict: Verdict): Break | null => {
  const { head, unchecked } = verdict
  const signature = keys.check(row.hash, entryParts(head.hash, row.seq, row))
  if (signature === 'right') {
    verdict.checked += 1
    return null
  }
  if (signature === 'unknown') {
    const { first, count } = unchecked ?? { first: row.seq, count: 0 }
    verdict.unchecked = { first, last: row.seq, count: count + 1, keyId: keyIdOf(row.hash) }
    return null
  }
  // An entry that could not be checked hands on its hash: if that is not what this one was chained to, it is the one.
  const seq = unchecked !== null && unchecked.last === head.seq ? unchecked.first : row.seq
  return { seq, what: 'changed', message: 'the entry was changed, or put in the place of another' }
}

/** An entry in which the log says that it could not vouch for what is before it, unless it can be vouched for now. */
const doubtProblem = (keys: LogKeys, { method, path, seq, remark, target }: Row, last: End): Break | null => {
  if (method !== sealMethod || path !== sealPaths.doubt) return null
  const seal = uncheckedSeal(remark)
  if (seal !== null && keyIdOf(seal) === keyIdOf(last.hash)) {
    const [cleanedTo = 0, lastSeal = 0] = target
    if (keys.check(seal, headParts({ ...last, cleanedTo, lastSeal })) !== 'wrong') return null
  }
  return { seq, what: 'end', message: `entries before it may be missing: ${remark}` }
}

interface SealedEnd {
  head: (Head & { seal: string }) | null
  /** The highest place that is taken. */
  newest: number
}

/** Both as of one moment. */
const readEnd = async (db: Db): Promise<SealedEnd> => {
  const { seq, hash, cleanedTo, lastSeal, seal } = operationLogHead
  const newest = sql<number>`(select coalesce(max(seq), 0) from operation_logs)`.mapWith(Number)
  const [end] = await db
    .select({ head: { seq, hash, cleanedTo, lastSeal, seal }, newest })
    .from(sql`(values (1)) as one`)
    .leftJoin(operationLogHead, sql`true`)
  return end ?? { head: null, newest: 0 }
}

const endProblem = (keys: LogKeys, { head }: SealedEnd, last: End): Break | null => {
  const problem = (message: string): Break => ({ seq: last.seq, what: 'end', message })
  if (head === null) return last.seq === 0 ? null : problem('the seal of the end is missing; newer entries may be too')
  const seal = keys.check(head.seal, headParts(head))
  if (seal === 'wrong' || (seal === 'unknown' && keyIdOf(head.seal) !== keyIdOf(last.hash))) {
    return problem('the seal of the end was changed; newer entries may be missing')
  }
  if (head.seq > last.seq) return missing(last.seq + 1, head.seq)
  if (head.seq < last.seq) return problem(`the end was sealed at ${head.seq}, before this entry`)
  return head.hash === last.hash ? null : problem('the end was sealed with another entry in this place')
}

/** The entry in this place, or the one before it where there is none; without any, what the first is chained to. */
const entryAt = async (db: Db, place: number): Promise<End> => {
  const { seq, hash } = operationLogs
  if (place < 1) return { seq: 0, hash: '' }
  const [entry] = await db.select({ seq, hash }).from(operationLogs).where(lte(seq, place)).orderBy(desc(seq)).limit(1)
  return entry ?? { seq: 0, hash: '' }
}

async function* fromOldest(db: Db, after: number, newest: number): AsyncGenerator<Row[], void, undefined> {
  // The first may be anything, also what the log never wrote: a place below one.
  let last = after === 0 ? null : after
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
 * The entries that are off the list without a sealed entry that names them, and the sealed entries that name others than
 * those that are. The sealed entries themselves are checked when the walk comes to them.
 */
const misplacedIn = async (db: Db, rows: readonly Row[]): Promise<Map<number, Break>> => {
  if (!rows.some((row) => row.hiddenBy !== null || row.method === sealMethod)) return new Map()
  const isSeal = sql`method = ${sealMethod} and path = ${sealPaths.delete}`
  const inBatch = sql`seq between ${rows[0]?.seq} and ${rows.at(-1)?.seq}`
  const found = await db.execute<{ seq: string; listed: boolean }>(sql`
    select seq, false as listed from operation_logs as entry
    where ${inBatch} and hidden_by is not null and not exists (
      select from operation_logs where seq = entry.hidden_by and seq > entry.seq and ${isSeal}
        and target @> to_jsonb(entry.seq))
    union all
    select seq, true from operation_logs as seal
    where ${inBatch} and ${isSeal}
      and jsonb_array_length(target) <> (select count(*) from operation_logs where hidden_by = seal.seq)`)
  return new Map(
    found.map(({ seq, listed }) => [
      Number(seq),
      {
        seq: Number(seq),
        what: 'hidden',
        message: listed
          ? 'some of the entries it says were deleted are on the list'
          : 'the entry is off the list although nobody deleted it',
      },
    ]),
  )
}
