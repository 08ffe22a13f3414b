import { and, eq } from 'drizzle-orm'
import { type Alert, alertOf } from '../alerts/alert.ts'
import type { Db, Tx } from '../db/client.ts'
import { operationLogs } from '../db/schema.ts'
import { appendEntries, appendingAfter, type ChainEnd, doubt, holdChain } from './append.ts'
import type { Head } from './chain.ts'
import type { LogKeys } from './keys.ts'
import { entriesOf, type Piece } from './pieces.ts'

export interface PieceWriter {
  /**
   * Appends a piece to the chain. A piece that is given again after a failure is written once.
   * @throws the database's error
   */
  write(piece: Piece): Promise<WrittenPiece>
}

export interface WrittenPiece {
  /** The place of its last entry. */
  seq: number
  /** What was wrong with the end of the log before it. */
  alert: Alert | null
}

export const openPieceWriter = (db: Db, keys: LogKeys): PieceWriter => {
  /** The last attempt: after a lost connection only the table tells whether the piece is there. */
  let attempt: { piece: Piece; head: Head; alert: Alert | null } | null = null
  /** The newest entry this process wrote: the log cannot end before it. */
  let known = 0
  /** The end of the chain after the last piece, where nothing was wrong with it; null: it has to be read. */
  let last: Head | null = null

  const append = async (tx: Tx, piece: Piece) => {
    const end = notSetBack(await holdChain(tx, keys), known)
    if (attempt?.piece === piece && (await isThere(tx, attempt.head))) return attempt
    const head = await appendEntries(tx, keys, end, entriesOf(piece))
    attempt = { piece, head, alert: alertOfEnd(end) }
    return attempt
  }

  /** Most pieces follow the one before. @returns whether it was appended */
  const follow = async (piece: Piece): Promise<boolean> => {
    const before = last
    last = null
    // One that was tried before may be there already.
    if (before === null || attempt !== null) return false
    const following = appendingAfter(keys, before, entriesOf(piece))
    attempt = { piece, head: following.end, alert: null }
    return following.append(db)
  }

  return {
    async write(piece) {
      const followed = await follow(piece)
      const { head, alert } = followed && attempt !== null ? attempt : await db.transaction((tx) => append(tx, piece))
      attempt = null
      known = head.seq
      last = head
      return { seq: known, alert }
    },
  }
}

const isThere = async (tx: Tx, { seq, hash }: Head): Promise<boolean> => {
  const rows = await tx
    .select({ seq: operationLogs.seq })
    .from(operationLogs)
    .where(and(eq(operationLogs.seq, seq), eq(operationLogs.hash, hash)))
  return rows.length > 0
}

const notSetBack = (end: ChainEnd, known: number): ChainEnd =>
  end.doubt !== null || end.head.seq >= known
    ? end
    : { ...end, doubt: doubt(`The log ended at ${end.head.seq} although it had reached ${known}`) }

const alertOfEnd = ({ doubt, keyReplaced, head: { seq: after } }: ChainEnd): Alert | null => {
  if (doubt !== null) return alertOf('logEndChanged', { remark: doubt.remark, after })
  return keyReplaced ? alertOf('logKeyReplaced', { after }) : null
}
