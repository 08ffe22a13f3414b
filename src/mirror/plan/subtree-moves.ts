/** An entry that was renamed or moved, with everything below it. */
export interface Move {
  from: string
  to: string
}

/**
 * Whether an entry is below another one, at any depth. DNs are compared as text: both are in Steward's own spelling.
 */
export const isBelow = (dn: string, ancestor: string): boolean => dn.endsWith(`,${ancestor}`)

/** The move of the nearest moved entry above this one. */
export const nearestAbove = (dn: string, moves: readonly Move[]): Move | undefined =>
  moves
    .filter(({ from }) => isBelow(dn, from))
    .reduce<Move | undefined>((best, move) => (best && best.from.length >= move.from.length ? best : move), undefined)

/**
 * The DN of an entry after moves of entries above it, in any order: it moved with the nearest of them, which may itself
 * have moved with another one.
 */
export const carriedAlong = (dn: string, moves: readonly Move[]): string => {
  const nearest = nearestAbove(dn, moves)
  if (nearest === undefined) return dn
  const others = moves.filter((move) => move !== nearest)
  return dn.slice(0, -nearest.from.length) + carriedAlong(nearest.to, others)
}
