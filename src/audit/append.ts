import { type SQL, sql } from 'drizzle-orm'
import type { Db, Tx } from '../db/client.ts'
import { inOrder } from '../db/in-order.ts'
import { takeLock, tryLock } from '../db/locks.ts'
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
  // Two statements, sent together: the second sees what was committed while this transaction waited for the lock.
  const [, [row]] = await inOrder(
    () => takeLock(tx, 'operationLog'),
    () =>
      tx
        .select({
          head: sql<StoredHead | null>`(select row_to_json(h) from ${operationLogHead} h)`,
          newest: sql<{ seq: number; hash: string } | null>`(
            select json_build_object('seq', seq, 'hash', hash) from ${operationLogs}
            where seq <= ${largestPlace} order by seq desc limit 1)`,
        })
        .from(sql`(values (1)) as one`),
  )
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

/** The rows of entries after this end, in the order given, and the end after them. */
const chained = (keys: LogKeys, { head, doubt }: ChainEnd, entries: readonly LogEntry[]) => {
  let { seq, hash } = head
  const rows = [...(doubt === null ? [] : [doubt]), ...entries].map((each) => {
    const entry = storable(each)
    seq += 1
    hash = keys.sign(entryParts(hash, seq, entry))
    return { seq, hash, ...entry }
  })
  const lastSeal = doubt === null ? head.lastSeal : head.seq + 1
  return { rows, end: { ...head, lastSeal, seq, hash } satisfies Head }
}

/** Inserts rows. @param condition whether they are inserted */
const inserting = (rows: readonly object[], condition = sql`true`): SQL => sql`
      insert into operation_logs
        (seq, username, ip, method, path, remark, status, start_time, time_cost, user_agent, target, times,
         preview, hash)
      select seq, username, ip, method, path, remark, status, "startTime", "timeCost", "userAgent", target, times,
        preview, hash
      from json_to_recordset(${JSON.stringify(rows)}::json) as entry (
        seq bigint, username text, ip text, method text, path text, remark text, status int,
        "startTime" timestamptz, "timeCost" int, "userAgent" text, target jsonb, times int, preview boolean, hash text)
      where ${condition}`

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
  const { rows, end: after } = chained(keys, end, entries)
  const head: Head = { ...after, ...sealed, seq: after.seq, hash: after.hash }
  await tx.execute(sql`
    with appended as (${inserting(rows)})
    insert into operation_log_head as h (seq, hash, cleaned_to, last_seal, cut_seal, seal)
    values (${head.seq}, ${head.hash}, ${head.cleanedTo}, ${head.lastSeal}, ${head.cutSeal},
      ${keys.sign(headParts(head))})
    on conflict (id) do update set seq = excluded.seq, hash = excluded.hash, cleaned_to = excluded.cleaned_to,
      last_seal = excluded.last_seal, cut_seal = excluded.cut_seal, seal = excluded.seal`)
  return head
}

/**
 * The same without a transaction, where the chain still ends as this process left it and no other transaction holds it.
 * @param head as this process sealed it last
 */
export const appendingAfter = (keys: LogKeys, head: Head, entries: readonly LogEntry[]) => {
  const { rows, end } = chained(keys, { head, doubt: null, keyReplaced: false }, entries)
  // The lock keeps those out that read the end and write it later. What they have committed before it was taken, the
  // row of the head tells: an update sees its newest state.
  const appending = sql`
    with sealed as (
      update operation_log_head h set seq = ${end.seq}, hash = ${end.hash}, seal = ${keys.sign(headParts(end))}
      where ${tryLock('operationLog')} and h.seq = ${head.seq} and h.hash = ${head.hash}
        and h.cleaned_to = ${head.cleanedTo} and h.last_seal = ${head.lastSeal} and h.cut_seal = ${head.cutSeal}
        and h.seal = ${keys.sign(headParts(head))}
        and not exists (select from operation_logs l where l.seq > ${head.seq} and l.seq <= ${largestPlace})
      returning 1
    )
    ${inserting(rows, sql`exists (select from sealed)`)} returning 1`
  return {
    /** The new end, if they are appended. */
    end,
    /** @returns whether they were appended */
    append: async (db: Db): Promise<boolean> => (await db.execute(appending)).length > 0,
  }
}
