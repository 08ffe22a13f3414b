import { type LogEntry, sealedEntry, sealPaths } from './entry.ts'

/** What a cut removed. */
export interface Cut {
  count: number
  first: number
  last: number
  /** Of the last one. */
  hash: string
  /** Everything removed was older. */
  before: Date
}

/** The entry under which entries are removed. What is behind it still verifies: it hands on the last one's hash. */
export const cutSealOf = ({ count, first, last, hash, before }: Cut): LogEntry =>
  sealedEntry({
    path: sealPaths.cut,
    username: 'system',
    remark: `Removed ${count} entries, ${first} to ${last}, older than ${before.toISOString()} (LOG_RETENTION); hash of the last ${hash}`,
    status: 0,
    target: [first, last],
  })

/** The last entry that was removed under this one; null: it does not say. */
export const cutOf = ({
  remark,
  target,
}: Pick<LogEntry, 'remark' | 'target'>): { seq: number; hash: string } | null => {
  const hash = /; hash of the last (\S+)$/.exec(remark)?.[1]
  const seq = Array.isArray(target) ? target[1] : undefined
  return hash !== undefined && Number.isSafeInteger(seq) ? { seq: Number(seq), hash } : null
}
