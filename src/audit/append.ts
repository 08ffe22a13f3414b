import { sql } from 'drizzle-orm'
import type { Tx } from '../db/client.ts'
import { takeLock } from '../db/locks.ts'
import { operationLogHead, operationLogs } from '../db/schema.ts'
import { emptyHead, entryParts, type Head, headParts, largestPlace } from './chain.ts'
import { type LogEntry, sealedEntry, sealMethod, sealPaths, storable } from './entry.ts'
import type { LogKeys } from './keys.ts'

/** The end of the chain, as a transaction that holds the chain finds it. */
export interface ChainEnd {
  head: Head
  /** Is written before the next entry: it says that the entries before may be incomplete. */
  doubt: LogEntry | null
  /** It was sealed with an earlier key. */
  keyReplaced: boolean
}

/**
 * Locks the chain until the transaction ends: an appender waits for the one before it, on any instance, and then sees
 * its entries.
 */
export const holdChain = async (tx: Tx, keys: LogKeys): Promise<ChainEnd> => {
  await takeLock(tx, 'operationLog')
  // A statement of its own, after the lock: it sees what was committed while this transaction waited.
  const [row] = await tx
    .select({
      head: sql<StoredHead | null>`(select row_to_json(h) from ${operationLogHead} h)`,
      newest: sql<{ seq: number; hash: string } | null>`(
        select json_build_object('seq', seq, 'hash', hash) from ${operationLogs}
        where seq <= ${largestPlace} order by seq desc limit 1)`,
    })
    .from(sql`(values (1)) as one`)
  const end = endOf(keys, row?.head ?? null, row?.newest ?? null)
  // The head's reference to the last cut is not reliable then; the verification checks the entry that sealed the cut.
  return end.head.cutSeal === unknownCut ? { ...end, head: { ...end.head, cutSeal: await newestCut(tx) } } : end
}

const unknownCut = -1

const newestCut = async (tx: Tx): Promise<number> => {
  const [row] = await tx.execute<{ seq: string }>(sql`
    select seq from operation_logs where method = ${sealMethod} and path = ${sealPaths.cut} order by seq desc limit 1`)
  return Number(row?.seq ?? 0)
}

interface StoredHead {
  seq: number
  hash: string
  cleaned_to: number
  last_seal: number
  cut_seal: number
  seal: string
}

const endOf = (keys: LogKeys, stored: StoredHead | null, newest: { seq: number; hash: string } | null): ChainEnd => {
  if (stored === null) {
    if (newest === null) return { head: emptyHead, doubt: null, keyReplaced: false }
    const head = { ...emptyHead, ...newest, cutSeal: unknownCut }
    return { head, doubt: doubt('The seal of the end of the log was missing'), keyReplaced: false }
  }
  const { seq, hash, cleaned_to: cleanedTo, last_seal: lastSeal, cut_seal: cutSeal } = stored
  const head = { seq, hash, cleanedTo, lastSeal, cutSeal }
  const keyReplaced = keys.ageOf(stored.seal) !== 0
  // Rows beyond the sealed end were not written by the log. They stay visible, and the chain continues after them.
  const end = { ...head, seq: Math.max(seq, newest?.seq ?? 0) }
  const seal = keys.check(stored.seal, headParts(head))
  if (seal === 'right') return { head: end, doubt: null, keyReplaced }
  // The chain continues from what is there; entries that an unsealed row marks as deleted are shown again.
  if (seal === 'wrong') {
    const shown = { ...end, ...newest, cleanedTo: 0, cutSeal: unknownCut }
    return { head: shown, doubt: doubt('The end of the log was not as it was sealed'), keyReplaced }
  }
  return { head: end, doubt: doubt(otherKeyRemark(stored.seal), [cleanedTo, lastSeal, cutSeal]), keyReplaced }
}

const otherKey = 'The end of the log is sealed with another key: '
const otherKeyRemark = (seal: string): string => otherKey + seal

/** The seal that an entry of doubt found and could not check; null: the doubt has another reason. */
export const uncheckedSeal = (remark: string): string | null =>
  remark.startsWith(otherKey) ? remark.slice(otherKey.length) : null

/** An entry saying that the end of the log could not be verified. */
export const doubt = (remark: string, target: readonly number[] = []): LogEntry =>
  sealedEntry({ path: sealPaths.doubt, remark, status: 500, target })

/** The place of the next entry. */
export const nextSeq = ({ head, doubt }: ChainEnd): number => head.seq + (doubt === null ? 1 : 2)

/**
 * Appends entries in the order given and seals the new end, in one statement.
 * @param end from `holdChain`, in the same transaction
 * @returns the new end
 */
export const appendEntries = async (
  tx: Tx,
  keys: LogKeys,
  end: ChainEnd,
  entries: readonly LogEntry[],
  sealed: Partial<Pick<Head, 'cleanedTo' | 'lastSeal' | 'cutSeal'>> = {},
): Promise<Head> => {
  let { seq, hash } = end.head
  const rows = [...(end.doubt === null ? [] : [end.doubt]), ...entries].map((each) => {
    const entry = storable(each)
    seq += 1
    hash = keys.sign(entryParts(hash, seq, entry))
    return { seq, hash, ...entry }
  })
  const lastSeal = end.doubt === null ? end.head.lastSeal : end.head.seq + 1
  const head: Head = { ...end.head, lastSeal, ...sealed, seq, hash }
  await tx.execute(sql`
    with appended as (
      insert into operation_logs
        (seq, username, ip, method, path, remark, status, start_time, time_cost, user_agent, target, times,
         preview, hash)
      select seq, username, ip, method, path, remark, status, "startTime", "timeCost", "userAgent", target, times,
        preview, hash
      from json_to_recordset(${JSON.stringify(rows)}::json) as entry (
        seq bigint, username text, ip text, method text, path text, remark text, status int,
        "startTime" timestamptz, "timeCost" int, "userAgent" text, target jsonb, times int, preview boolean, hash text)
    )
    insert into operation_log_head as h (seq, hash, cleaned_to, last_seal, cut_seal, seal)
    values (${head.seq}, ${head.hash}, ${head.cleanedTo}, ${head.lastSeal}, ${head.cutSeal},
      ${keys.sign(headParts(head))})
    on conflict (id) do update set seq = excluded.seq, hash = excluded.hash, cleaned_to = excluded.cleaned_to,
      last_seal = excluded.last_seal, cut_seal = excluded.cut_seal, seal = excluded.seal`)
  return head
}
