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
}

/** Before the first entry. */
export const emptyHead: Head = { seq: 0, hash: '', cleanedTo: 0, lastSeal: 0 }

/** What an entry's hash is made over: everything it says, its place, and the hash before it. */
export const entryParts = (previousHash: string, seq: number, entry: LogEntry): readonly unknown[] => [
  'entry',
  previousHash,
  seq,
  entry.startTime.toISOString(),
  entry.timeCost,
  entry.username,
  entry.ip,
  entry.method,
  entry.path,
  entry.remark,
  entry.status,
  entry.userAgent,
  entry.target,
]

/** What the head's seal is made over. */
export const headParts = ({ seq, hash, cleanedTo, lastSeal }: Head): readonly unknown[] => [
  'head',
  seq,
  hash,
  cleanedTo,
  lastSeal,
]
