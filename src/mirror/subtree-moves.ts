/** An entry that was renamed or moved, with everything below it. */
export interface Move {
  from: string
  to: string
}

/** Whether an entry is somewhere below another one. DNs are compared as text: both are in our own spelling. */
export const isBelow = (dn: string, ancestor: string): boolean => dn.endsWith(`,${ancestor}`)

/** The move of the entry that is nearest above this one, among those that were moved. */
export const nearestAbove = (dn: string, moves: readonly Move[]): Move | undefined =>
  moves
    .filter(({ from }) => isBelow(dn, from))
    .reduce<Move | undefined>((best, move) => (best && best.from.length >= move.from.length ? best : move), undefined)

/**
 * The DN of an entry after moves of entries above it, in any order: it moved with the nearest of them, which may have
 * moved with another one in turn.
 */
export const carriedAlong = (dn: string, moves: readonly Move[]): string => {
  const nearest = nearestAbove(dn, moves)
  if (nearest === undefined) return dn
  const others = moves.filter((move) => move !== nearest)
  return dn.slice(0, -nearest.from.length) + carriedAlong(nearest.to, others)
}
