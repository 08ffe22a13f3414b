import { and, asc, desc, eq, gt, lte, sql } from 'drizzle-orm'
import type { Queryable } from '../db/client.ts'
import { operationLogHead, operationLogs } from '../db/schema.ts'
import { uncheckedSeal } from './append.ts'
import { entryParts, type Head, headParts, largestPlace } from './chain.ts'
import { cutOf } from './cut-seal.ts'
import { sealMethod, sealPaths } from './entry.ts'
import { keyIdOf, type LogKeys } from './keys.ts'

export interface Verdict {
  /** Entries that are what was written. */
  checked: number
  /**
   * The last entry that was checked. If it is recorded elsewhere, a later check can prove that the log still contains
   * it.
   */
  head: { seq: number; hash: string }
  /** The first place where the log is not what was written; null: the log is intact. */
  broken: Break | null
  /** The oldest entries, if they are signed with unknown keys: they cannot be checked. */
  unchecked: { count: number; first: number; last: number; keyId: string } | null
  /** The newest entries in which the log itself reports missing entries, the oldest first. */
  gaps: Gap[]
}

export interface Break {
  seq: number
  what: 'changed' | 'removed' | 'inserted' | 'hidden' | 'end'
  message: string
}

/** Entries that the log itself reports as lost, or perhaps lost. */
export interface Gap {
  seq: number
  message: string
}

type Row = typeof operationLogs.$inferSelect
type End = Verdict['head']

/** A verdict in progress. */
interface Walk extends Verdict {
  /** The newest known key that signed an entry so far, as the number of newer keys; null: no known key yet. */
  keyAge: number | null
}

/** Rows in memory at a time. */
const batchSize = 1000
const mostGaps = 100
/** A cut is made about once a day: more of them during one verification were not made by the service. */
const mostWalks = 3

export interface VerifyOptions {
  /** Checks only this many of the newest entries; the one before them is trusted. */
  newest?: number
  /** Called after every batch with the entries that were walked, and how many there are to walk. */
  progress?: (done: number, of: number) => void
  /** Aborts between two batches. */
  signal?: AbortSignal
}

/**
 * Checks the chain from its first entry to its newest, or only its newest part, without locks: entries that are added
 * meanwhile are not checked.
 *
 * It detects:
 * - an entry changed, removed, inserted or moved;
 * - an entry removed from the list, or put back, without a sealed entry that says so;
 * - the oldest entries removed without a sealed entry;
 * - the newest entries removed or others added after them, because the end is sealed too;
 * - an end that the service itself could not verify when it continued from there;
 * - an entry signed with an unknown key, or with an earlier key after one with a newer key.
 *
 * It does not detect the whole log, or its end, set back together with its seal to an earlier state (a restored backup
 * looks the same); a head recorded elsewhere helps against that. An attacker who has the key can write anything.
 */
export const verifyLog = async (db: Queryable, keys: LogKeys, options: VerifyOptions = {}): Promise<Verdict> => {
  for (let tries = 1; ; tries += 1) {
    const sealed = await readEnd(db)
    const verdict = await walkChain(db, keys, sealed, options)
    if (verdict.broken === null || tries === mostWalks) return verdict
    // What a cut removed during the walk is not missing: the walk starts again after it.
    if ((await readEnd(db)).head?.cutSeal === sealed.head?.cutSeal) return verdict
  }
}

const walkChain = async (
  db: Queryable,
  keys: LogKeys,
  sealed: SealedEnd,
  { newest = Number.POSITIVE_INFINITY, progress, signal }: VerifyOptions,
): Promise<Verdict> => {
  const cut = await readCut(db, sealed.head?.cutSeal ?? 0)
  const { head, after, keyAge } = await startOf(db, keys, cut, sealed.newest - newest)
  const walk: Walk = { checked: 0, head, broken: null, unchecked: null, gaps: [], keyAge }
  for await (const rows of fromOldest(db, after, sealed.newest)) {
    signal?.throwIfAborted()
    await walkRows(db, keys, rows, cut, walk)
    if (walk.broken !== null) return verdictOf(walk)
    progress?.(walk.head.seq - head.seq, Math.max(0, sealed.newest - head.seq))
  }
  walk.broken = sealed.beyond ?? endProblem(keys, sealed, walk.head)
  return verdictOf(walk)
}

const verdictOf = ({ keyAge: _, ...verdict }: Walk): Verdict => verdict

/** Checks whether the oldest entries up to this one are what was written, so that removing them hides nothing. */
export const verifyOldest = async (
  db: Queryable,
  keys: LogKeys,
  { cutSeal, upTo }: { cutSeal: number; upTo: number },
): Promise<Verdict> => {
  const cut = await readCut(db, cutSeal)
  const walk: Walk = { checked: 0, head: cut, broken: null, unchecked: null, gaps: [], keyAge: null }
  for await (const rows of fromOldest(db, null, upTo)) {
    await walkRows(db, keys, rows, cut, walk)
    if (walk.broken !== null) break
  }
  return verdictOf(walk)
}

const walkRows = async (db: Queryable, keys: LogKeys, rows: readonly Row[], cut: End, walk: Walk): Promise<void> => {
  const misplaced = await misplacedIn(db, rows, cut)
  for (const row of rows) {
    walk.broken =
      placeProblem(row, walk.head) ??
      contentProblem(keys, row, walk) ??
      misplaced.get(row.seq) ??
      doubtProblem(keys, row, walk.head)
    if (walk.broken !== null) return
    walk.head = { seq: row.seq, hash: row.hash }
    if (tellsOfGap(row)) walk.gaps = [...walk.gaps, { seq: row.seq, message: row.remark }].slice(-mostGaps)
  }
}

const tellsOfGap = ({ method, path }: Row): boolean =>
  method === sealMethod && (path === sealPaths.lost || path === sealPaths.unstorable)

/**
 * The start of the walk: after what LOG_RETENTION removed, or after the entry in this place. The first entry of the log
 * tells which key was in use then, so that an attacker who rewrites all entries of the walk is detected.
 */
const startOf = async (
  db: Queryable,
  keys: LogKeys,
  cut: End,
  place: number,
): Promise<{ head: End; after: number | null; keyAge: number | null }> => {
  if (place <= cut.seq) return { head: cut, after: null, keyAge: null }
  const [first] = await db.select().from(operationLogs).orderBy(asc(operationLogs.seq)).limit(1)
  const isFirst = first !== undefined && first.seq === cut.seq + 1
  const isRight = isFirst && keys.check(first.hash, entryParts(cut.hash, first.seq, first)) === 'right'
  const head = await entryAt(db, place)
  return { head, after: head.seq, keyAge: isRight ? keys.ageOf(first.hash) : null }
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
const contentProblem = (keys: LogKeys, row: Row, walk: Walk): Break | null => {
  const { head, unchecked, keyAge } = walk
  const signature = keys.check(row.hash, entryParts(head.hash, row.seq, row))
  const changed = (seq: number, message: string): Break => ({ seq, what: 'changed', message })
  if (signature === 'right') {
    const age = keys.ageOf(row.hash)
    if (age !== null && keyAge !== null && age > keyAge) {
      return changed(row.seq, 'the entry is signed with a key that was replaced before it')
    }
    walk.keyAge = age
    walk.checked += 1
    return null
  }
  if (signature === 'unknown') {
    if (keyAge !== null) {
      return changed(
        row.seq,
        `the entry is signed with a key that is not known here (${keyIdOf(row.hash).slice(0, 8)}), behind entries with a known one`,
      )
    }
    const { first, count } = unchecked ?? { first: row.seq, count: 0 }
    walk.unchecked = { first, last: row.seq, count: count + 1, keyId: keyIdOf(row.hash).slice(0, 8) }
    return null
  }
  // An unchecked entry still passes on its hash: if this entry was chained to another hash, the unchecked one was
  // changed.
  const seq = unchecked !== null && unchecked.last === head.seq ? unchecked.first : row.seq
  return changed(seq, 'the entry was changed, or put in the place of another')
}

/** An entry in which the log reports that its end could not be verified, unless it can be verified now. */
const doubtProblem = (keys: LogKeys, { method, path, seq, remark, target }: Row, last: End): Break | null => {
  if (method !== sealMethod || path !== sealPaths.doubt) return null
  const seal = uncheckedSeal(remark)
  if (seal !== null && keyIdOf(seal) === keyIdOf(last.hash) && Array.isArray(target)) {
    const [cleanedTo = 0, lastSeal = 0, cutSeal = 0] = target
    if (keys.check(seal, headParts({ ...last, cleanedTo, lastSeal, cutSeal })) !== 'wrong') return null
  }
  return { seq, what: 'end', message: `entries before it may be missing: ${remark}` }
}

interface SealedEnd {
  head: (Head & { seal: string }) | null
  /** The highest place that is taken. */
  newest: number
  /** Places that the log can never reach. */
  beyond: Break | null
}

/** Reads both at the same moment. */
const readEnd = async (db: Queryable): Promise<SealedEnd> => {
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
const readCut = async (db: Queryable, seal: number): Promise<End> => {
  if (seal === 0) return { seq: 0, hash: '' }
  const [row] = await db.select().from(operationLogs).where(eq(operationLogs.seq, seal))
  // The walk reaches that entry later, and reports it if it was changed.
  return (row && row.method === sealMethod && row.path === sealPaths.cut && cutOf(row)) || { seq: 0, hash: '' }
}

const endProblem = (keys: LogKeys, { head }: SealedEnd, last: End): Break | null => {
  const problem = (message: string): Break => ({ seq: last.seq, what: 'end', message })
  if (head === null) return last.seq === 0 ? null : problem('the seal of the end is missing; newer entries may be too')
  const seal = keys.check(head.seal, headParts(head))
  if (seal === 'wrong' || (seal === 'unknown' && keyIdOf(head.seal) !== keyIdOf(last.hash))) {
    return problem('the seal of the end was changed; newer entries may be missing')
  }
  if (head.seq > 0 && keyIdOf(head.seal) !== keyIdOf(last.hash)) {
    return problem('the end was sealed with another key than its entry; newer entries may be missing')
  }
  if (head.seq > last.seq) return missing(last.seq + 1, head.seq)
  if (head.seq < last.seq) return problem(`the end was sealed at ${head.seq}, before this entry`)
  return head.hash === last.hash ? null : problem('the end was sealed with another entry in this place')
}

/** The entry in this place, or the one before it; without any, the start of the chain. */
const entryAt = async (db: Queryable, place: number): Promise<End> => {
  const { seq, hash } = operationLogs
  if (place < 1) return { seq: 0, hash: '' }
  const [entry] = await db.select({ seq, hash }).from(operationLogs).where(lte(seq, place)).orderBy(desc(seq)).limit(1)
  return entry ?? { seq: 0, hash: '' }
}

/** @param after null: from the very first row, which may have a place below one that the log never wrote */
async function* fromOldest(
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
const misplacedIn = async (db: Queryable, rows: readonly Row[], cut: End): Promise<Map<number, Break>> => {
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
