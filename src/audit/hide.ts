import { sql } from 'drizzle-orm'
import type { Tx } from '../db/client.ts'
import { anyOfIds } from '../db/id-list.ts'
import { operationLogs } from '../db/schema.ts'
import { appendEntries, holdChain, nextSeq } from './append.ts'
import { type LogEntry, sealedEntry, sealPaths } from './entry.ts'
import type { LogKeys } from './keys.ts'
import { reasons } from './reasons.ts'

/** The caller who removes entries from the list. */
export type Actor = Pick<LogEntry, 'username' | 'ip' | 'userAgent'>

/**
 * Removes entries from the list, all or none of them. They stay in the chain, and a sealed entry says who did it.
 * @param field names the field of an id, by its index in `seqs`
 * @throws AppError (not_found) naming the first that is not in the list
 */
export const hideEntries = async (
  tx: Tx,
  keys: LogKeys,
  seqs: readonly number[],
  { actor, field }: { actor: Actor; field: (index: number) => string },
): Promise<void> => {
  if (seqs.length === 0) return
  const end = await holdChain(tx, keys)
  const lastSeal = nextSeq(end)
  const rows = await tx
    .update(operationLogs)
    .set({ hiddenBy: lastSeal })
    .where(
      sql`${operationLogs.seq} = ${anyOfIds(seqs)} and ${operationLogs.hiddenBy} is null
        and ${operationLogs.seq} > ${end.head.cleanedTo}`,
    )
    .returning({ seq: operationLogs.seq, hash: operationLogs.hash })
  const hidden = rows.sort((a, b) => a.seq - b.seq)
  const found = new Set(hidden.map(({ seq }) => seq))
  const missing = seqs.findIndex((seq) => !found.has(seq))
  const seq = seqs[missing]
  if (seq !== undefined) throw reasons.entry_not_found.at(field(missing), { seq })
  const last = hidden.at(-1)
  const seal = sealedEntry({
    ...actor,
    path: sealPaths.delete,
    remark: `Deleted ${hidden.length} of the entries ${hidden[0]?.seq} to ${last?.seq}; hash of the last ${last?.hash}`,
    status: 0,
    target: [...found],
  })
  await appendEntries(tx, keys, end, [seal], { lastSeal })
}

/** Removes every entry from the list. They stay in the chain, and a sealed entry says who did it. */
export const hideAllEntries = async (tx: Tx, keys: LogKeys, actor: Actor): Promise<void> => {
  const end = await holdChain(tx, keys)
  const { cleanedTo } = end.head
  const [row] = await tx
    .select({ count: sql<number>`count(*)::int`, first: sql<number>`min(${operationLogs.seq})`.mapWith(Number) })
    .from(operationLogs)
    .where(sql`${operationLogs.hiddenBy} is null and ${operationLogs.seq} > ${cleanedTo}`)
  const lastSeal = nextSeq(end)
  const seal = sealedEntry({
    ...actor,
    path: sealPaths.clean,
    remark: `Deleted all ${row?.count} entries, ${row?.first} to ${lastSeal - 1}; hash of the last ${end.head.hash}`,
    status: 0,
    target: [lastSeal - 1],
  })
  await appendEntries(tx, keys, end, [seal], { cleanedTo: lastSeal - 1, lastSeal })
}
