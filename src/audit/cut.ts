import { asc, sql } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { operationLogs } from '../db/schema.ts'
import { currentTime } from '../runtime/clock.ts'
import { appendEntries, holdChain, nextSeq } from './append.ts'
import { cutSealOf } from './cut-seal.ts'
import type { LogKeys } from './keys.ts'
import { verifyOldest } from './verify.ts'
import type { Break } from './verify-rules.ts'

/** Entries removed in one transaction; writers wait for it. */
const batchSize = 5000
/** Milliseconds by which entries may be older than LOG_RETENTION, so that a cut is made about once a day. */
const slack = 86_400_000

export interface CutOptions {
  db: Db
  keys: LogKeys
  /** LOG_RETENTION, milliseconds; null: entries are kept for ever. */
  retention: number | null
  /** The syslog receiver that has to have taken an entry before it is removed; null: there is no receiver. */
  receiver?: string | null
  /** Called when entries are kept because they are not what was written. */
  report: (broken: Break) => Promise<void>
  signal?: AbortSignal
  now?: Date
}

/**
 * Removes the entries that are older than LOG_RETENTION, the oldest first, each batch under a sealed entry of its own.
 * Stops before the first entry that is younger or that the syslog receiver has not taken, and removes none of a batch that is not what was written, because a cut would
 * hide that.
 * @returns how many were removed
 */
export const cutOldEntries = async (options: CutOptions): Promise<number> => {
  const { db, keys, retention, receiver = null, report, signal, now = new Date(currentTime()) } = options
  if (retention === null) return 0
  const before = new Date(now.getTime() - retention)
  const [oldest] = await db
    .select({ at: operationLogs.startTime })
    .from(operationLogs)
    .orderBy(asc(operationLogs.seq))
    .limit(1)
  if (oldest === undefined || oldest.at.getTime() > before.getTime() - slack) return 0
  let removed = 0
  for (;;) {
    signal?.throwIfAborted()
    const { count, broken } = await cutBatch(db, keys, { before, receiver })
    if (broken !== null) await report(broken)
    removed += count
    if (count < batchSize) return removed
  }
}

interface Batch {
  count: number
  /** Why nothing was removed. */
  broken: Break | null
}

const cutBatch = (
  db: Db,
  keys: LogKeys,
  { before, receiver }: { before: Date; receiver: string | null },
): Promise<Batch> =>
  db.transaction(async (tx) => {
    const end = await holdChain(tx, keys)
    // The next entry will report what is wrong with the end.
    if (end.doubt !== null) return { count: 0, broken: null }
    const isTaken =
      receiver === null
        ? sql`true`
        : sql`seq <= coalesce((select r.seq from log_receivers r where r.receiver = ${receiver}), 0)`
    const [old] = await tx.execute<{ count: number; first: string; last: string; hash: string }>(sql`
      with oldest as (
        select seq, hash,
          bool_and(start_time < ${before.toISOString()}::timestamptz and ${isTaken}) over (order by seq) as old
        from (select seq, hash, start_time from operation_logs order by seq limit ${batchSize}) as batch
      )
      select count(*)::int as count, min(seq) as first, max(seq) as last,
        (array_agg(hash order by seq desc))[1] as hash
      from oldest where old`)
    if (old === undefined || old.count === 0) return { count: 0, broken: null }
    const [count, first, last] = [old.count, Number(old.first), Number(old.last)]
    const { broken } = await verifyOldest(tx, keys, { cutSeal: end.head.cutSeal, upTo: last })
    if (broken !== null) return { count: 0, broken }
    const seal = nextSeq(end)
    await tx.execute(sql`delete from operation_logs where seq between ${first} and ${last}`)
    await appendEntries(tx, keys, end, [cutSealOf({ count, first, last, hash: old.hash, before })], {
      lastSeal: seal,
      cutSeal: seal,
    })
    return { count, broken: null }
  })
