import { asc } from 'drizzle-orm'
import type { Queryable } from '../db/client.ts'
import { operationLogs } from '../db/schema.ts'
import { entryParts } from './chain.ts'
import type { LogKeys } from './keys.ts'
import { entryAt, fromOldest, misplacedIn, readCut, readEnd } from './verify-reading.ts'
import {
  contentProblem,
  doubtProblem,
  type End,
  endProblem,
  placeProblem,
  type Row,
  type SealedEnd,
  tellsOfGap,
  type Verdict,
  type Walk,
} from './verify-rules.ts'

const maxGaps = 100
/** A cut is made about once a day: more of them during one verification were not made by the service. */
const maxWalks = 3

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
    if (verdict.broken === null || tries === maxWalks) return verdict
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
    if (tellsOfGap(row)) walk.gaps = [...walk.gaps, { seq: row.seq, message: row.remark }].slice(-maxGaps)
  }
}

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
