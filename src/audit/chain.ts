import type { LogEntry } from './entry.ts'

/** The end of the chain, and what lists need to know of it. */
export interface Head {
  /** The newest entry; 0: there is none. */
  seq: number
  hash: string
  /** Entries up to this one are in no list: somebody deleted all. */
  cleanedTo: number
  /** The newest entry that sealed a deletion; 0: there is none. */
  lastSeal: number
  /** The newest entry that sealed a cut by LOG_RETENTION: the log begins behind what that removed. 0: there is none. */
  cutSeal: number
}

/** The log gives out no place beyond this one in any lifetime. A row there is not the log's, and the chain goes round it. */
export const largestPlace = 2 ** 52

/** Before the first entry. */
export const emptyHead: Head = { seq: 0, hash: '', cleanedTo: 0, lastSeal: 0, cutSeal: 0 }

/** What an entry's hash is made over: everything it says, its place, and the hash before it. */
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
  // Only where it says something: entries from before there were counts keep their hashes.
  ...(entry.times === 1 ? [] : [entry.times]),
]

/** What the head's seal is made over. */
export const headParts = ({ seq, hash, cleanedTo, lastSeal, cutSeal }: Head): readonly unknown[] => [
  'head',
  seq,
  hash,
  cleanedTo,
  lastSeal,
  ...(cutSeal === 0 ? [] : [cutSeal]),
]
