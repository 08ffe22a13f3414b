import { type LogEntry, standInsFor } from './entry.ts'

/** An entry to be written: itself, or its replacement after the database refused it. */
interface Waiting {
  readonly entry: LogEntry
  /** Replacements that were not refused yet; undefined: the entry itself. */
  readonly standIns?: readonly LogEntry[]
}

/** Entries that are written with one statement. A piece does not change, so that a retry can see if it succeeded before. */
export type Piece = readonly Waiting[]

/** What is to be written for a piece. */
export const entriesOf = (piece: Piece): LogEntry[] => piece.map(({ entry, standIns }) => standIns?.[0] ?? entry)

/** The entries of a piece that are written as their replacement. */
export const replacedIn = (piece: Piece): LogEntry[] =>
  piece.filter(({ standIns }) => standIns !== undefined).map(({ entry }) => entry)

/** The pieces under way. An entry that the database refuses is found by halving the piece it is in. */
export interface Pieces {
  /** The piece to write now: the same one until it is written or divided. */
  next(): Piece
  /** The piece is written. */
  written(): void
  /**
   * The database refused the piece: its halves take its place, or a replacement if it is a single entry.
   * @param code why, for the replacement
   * @returns false: even the shortest replacement was refused. The entry is not the reason, and is next as it was.
   */
  divide(code: string): boolean
}

/** @param take the entries of a new piece */
export const openPieces = (take: () => LogEntry[]): Pieces => {
  let pieces: Piece[] = []
  return {
    next() {
      if (pieces.length === 0) pieces = [take().map((entry) => ({ entry }))]
      return pieces[0] ?? []
    },
    written: () => void pieces.shift(),
    divide(code) {
      const [piece = []] = pieces
      pieces.splice(0, 1, ...apart(piece, code))
      return piece.length !== 1 || pieces[0]?.[0]?.standIns !== undefined
    },
  }
}

/**
 * The pieces of a refused piece: its halves; for a single entry its replacements, one after the other, and then itself.
 */
const apart = (piece: Piece, code: string): Piece[] => {
  const [first] = piece
  if (first === undefined) return []
  if (piece.length > 1) {
    const middle = Math.ceil(piece.length / 2)
    return [piece.slice(0, middle), piece.slice(middle)]
  }
  const { entry, standIns } = first
  const left = standIns === undefined ? standInsFor(entry, code) : standIns.slice(1)
  return [[left.length === 0 ? { entry } : { entry, standIns: left }]]
}
