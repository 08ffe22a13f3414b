import { type LogEntry, sealedEntry, sealPaths } from './entry.ts'

/** What a cut removed. */
export interface Cut {
  count: number
  first: number
  last: number
  /** Of the last entry removed. */
  hash: string
  /** Everything removed was older. */
  before: Date
}

/** The entry that seals a removal. The entries after it can still be verified, because it contains the last hash. */
export const cutSealOf = ({ count, first, last, hash, before }: Cut): LogEntry =>
  sealedEntry({
    path: sealPaths.cut,
    username: 'system',
    remark: `Removed ${count} entries, ${first} to ${last}, older than ${before.toISOString()} (LOG_RETENTION); hash of the last ${hash}`,
    status: 0,
    target: [first, last],
  })

/** The last entry that this one removed; null: the entry does not tell. */
export const cutOf = ({
  remark,
  target,
}: Pick<LogEntry, 'remark' | 'target'>): { seq: number; hash: string } | null => {
  const hash = /; hash of the last (\S+)$/.exec(remark)?.[1]
  const seq = Array.isArray(target) ? target[1] : undefined
  return hash !== undefined && Number.isSafeInteger(seq) ? { seq: Number(seq), hash } : null
}
