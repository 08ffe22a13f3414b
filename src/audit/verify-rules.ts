import type { operationLogs } from '../db/schema.ts'
import { uncheckedSeal } from './append.ts'
import { entryParts, type Head, headParts } from './chain.ts'
import { sealMethod, sealPaths } from './entry.ts'
import { keyIdOf, type LogKeys } from './keys.ts'

// The rules by which an entry or the end of the log is found not to be what was written. They read nothing but what
// they are given.

export interface Verdict {
  /** Entries that are what was written. */
  checked: number
  /**
   * The last entry that was checked. If it is recorded elsewhere, a later check can prove that the log still contains
   * it.
   */
  head: { seq: number; hash: string }
  /** The first place where the log is not what was written; null: the log is intact. */
  broken: Break | null
  /** The oldest entries, if they are signed with unknown keys: they cannot be checked. */
  unchecked: { count: number; first: number; last: number; keyId: string } | null
  /** The newest entries in which the log itself reports missing entries, the oldest first. */
  gaps: Gap[]
}

export interface Break {
  seq: number
  what: 'changed' | 'removed' | 'inserted' | 'hidden' | 'end'
  message: string
}

/** Entries that the log itself reports as lost, or perhaps lost. */
export interface Gap {
  seq: number
  message: string
}

export type Row = typeof operationLogs.$inferSelect
export type End = Verdict['head']

/** A verdict in progress. */
export interface Walk extends Verdict {
  /** The newest known key that signed an entry so far, as the number of newer keys; null: no known key yet. */
  keyAge: number | null
}

export interface SealedEnd {
  head: (Head & { seal: string }) | null
  /** The highest place that is taken. */
  newest: number
  /** Places that the log can never reach. */
  beyond: Break | null
}

export const tellsOfGap = ({ method, path }: Row): boolean =>
  method === sealMethod && (path === sealPaths.lost || path === sealPaths.unstorable)

export const placeProblem = ({ seq }: Row, last: End): Break | null => {
  if (seq <= last.seq) return { seq, what: 'inserted', message: 'the log never wrote this entry' }
  if (seq > last.seq + 1) return missing(last.seq + 1, seq - 1)
  return null
}

const missing = (first: number, last: number): Break => ({
  seq: first,
  what: 'removed',
  message: first === last ? 'the entry is missing' : `the entries ${first} to ${last} are missing`,
})

/** Counts the entry in the verdict, unless it is not what was written. */
export const contentProblem = (keys: LogKeys, row: Row, walk: Walk): Break | null => {
  const { head, unchecked, keyAge } = walk
  const signature = keys.check(row.hash, entryParts(head.hash, row.seq, row))
  const changed = (seq: number, message: string): Break => ({ seq, what: 'changed', message })
  if (signature === 'right') {
    const age = keys.ageOf(row.hash)
    if (age !== null && keyAge !== null && age > keyAge) {
      return changed(row.seq, 'the entry is signed with a key that was replaced before it')
    }
    walk.keyAge = age
    walk.checked += 1
    return null
  }
  if (signature === 'unknown') {
    if (keyAge !== null) {
      return changed(
        row.seq,
        `the entry is signed with a key that is not known here (${keyIdOf(row.hash).slice(0, 8)}), behind entries with a known one`,
      )
    }
    const { first, count } = unchecked ?? { first: row.seq, count: 0 }
    walk.unchecked = { first, last: row.seq, count: count + 1, keyId: keyIdOf(row.hash).slice(0, 8) }
    return null
  }
  // An unchecked entry still passes on its hash: if this entry was chained to another hash, the unchecked one was
  // changed.
  const seq = unchecked !== null && unchecked.last === head.seq ? unchecked.first : row.seq
  return changed(seq, 'the entry was changed, or put in the place of another')
}

/** An entry in which the log reports that its end could not be verified, unless it can be verified now. */
export const doubtProblem = (keys: LogKeys, { method, path, seq, remark, target }: Row, last: End): Break | null => {
  if (method !== sealMethod || path !== sealPaths.doubt) return null
  const seal = uncheckedSeal(remark)
  if (seal !== null && keyIdOf(seal) === keyIdOf(last.hash) && Array.isArray(target)) {
    const [cleanedTo = 0, lastSeal = 0, cutSeal = 0] = target
    if (keys.check(seal, headParts({ ...last, cleanedTo, lastSeal, cutSeal })) !== 'wrong') return null
  }
  return { seq, what: 'end', message: `entries before it may be missing: ${remark}` }
}

export const endProblem = (keys: LogKeys, { head }: SealedEnd, last: End): Break | null => {
  const problem = (message: string): Break => ({ seq: last.seq, what: 'end', message })
  if (head === null) return last.seq === 0 ? null : problem('the seal of the end is missing; newer entries may be too')
  const seal = keys.check(head.seal, headParts(head))
  if (seal === 'wrong' || (seal === 'unknown' && keyIdOf(head.seal) !== keyIdOf(last.hash))) {
    return problem('the seal of the end was changed; newer entries may be missing')
  }
  if (head.seq > 0 && keyIdOf(head.seal) !== keyIdOf(last.hash)) {
    return problem('the end was sealed with another key than its entry; newer entries may be missing')
  }
  if (head.seq > last.seq) return missing(last.seq + 1, head.seq)
  if (head.seq < last.seq) return problem(`the end was sealed at ${head.seq}, before this entry`)
  return head.hash === last.hash ? null : problem('the end was sealed with another entry in this place')
}
