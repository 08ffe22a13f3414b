export interface Place {
  parentId: string
  /** 1: directly below the root. */
  depth: number
}

/** A DN grows with every level, and servers refuse long ones; the root group is a level too. */
const maxDepth = 31

/**
 * The place of each department of a source. One whose parent is not among them is put below the root: an app with a
 * limited scope sees several topmost departments without their parents.
 * @returns places in no particular order, and the ids of those without one because they are below themselves or too
 * deep
 */
export const arrange = (
  departments: readonly { id: string; parentId: string }[],
  rootId: string,
): { places: Map<string, Place>; unplaced: string[] } => {
  const known = new Set(departments.map(({ id }) => id))
  const below = new Map<string, string[]>()
  for (const { id, parentId } of departments) {
    const above = known.has(parentId) ? parentId : rootId
    const siblings = below.get(above)
    if (siblings) siblings.push(id)
    else below.set(above, [id])
  }
  const places = new Map<string, Place>()
  let level = [rootId]
  for (let depth = 1; level.length > 0 && depth <= maxDepth; depth++) {
    level = level.flatMap((parentId) =>
      (below.get(parentId) ?? []).map((id) => {
        places.set(id, { parentId, depth })
        return id
      }),
    )
  }
  return { places, unplaced: departments.map(({ id }) => id).filter((id) => !places.has(id)) }
}
