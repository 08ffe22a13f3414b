import type { LogEntry } from './entry.ts'

/** The end of the chain, with the state that lists need. */
export interface Head {
  /** The newest entry; 0: the log is empty. */
  seq: number
  hash: string
  /** Entries up to this one are in no list: an administrator deleted all. */
  cleanedTo: number
  /** The newest entry that sealed a deletion; 0: no deletion yet. */
  lastSeal: number
  /** The newest entry that sealed a cut by LOG_RETENTION: the log begins after what that removed. 0: no cut yet. */
  cutSeal: number
}

/** The log never reaches this place. A row beyond it was not written by the log, and the chain ignores it. */
export const largestPlace = 2 ** 52

/** Before the first entry. */
export const emptyHead: Head = { seq: 0, hash: '', cleanedTo: 0, lastSeal: 0, cutSeal: 0 }

/** The input of an entry's hash: all its fields, its place, and the hash before it. */
export const entryParts = (previousHash: string, seq: number, entry: LogEntry): readonly unknown[] => [
  'entry',
  previousHash,
  seq,
  // A row that was tampered with may say `infinity`.
  Number.isNaN(entry.startTime.getTime()) ? null : entry.startTime.toISOString(),
  entry.timeCost,
  entry.username,
  entry.ip,
  entry.method,
  entry.path,
  entry.remark,
  entry.status,
  entry.userAgent,
  entry.target,
  // Only where it is not 1: entries from before counts existed keep their hashes.
  ...(entry.times === 1 ? [] : [entry.times]),
  // Likewise only where it is one.
  ...(entry.preview ? ['preview'] : []),
]

/** The input of the head's seal. */
export const headParts = ({ seq, hash, cleanedTo, lastSeal, cutSeal }: Head): readonly unknown[] => [
  'head',
  seq,
  hash,
  cleanedTo,
  lastSeal,
  ...(cutSeal === 0 ? [] : [cutSeal]),
]
