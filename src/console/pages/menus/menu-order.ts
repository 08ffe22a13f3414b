/** What the order of menus needs of them. */
interface Ordered {
  id: number
  sort: number
}

interface Nested {
  id: number
  children: readonly Nested[]
}

/** A menu and what is below it, by their ids. */
export const withBelow = (menu: Nested): number[] => [menu.id, ...menu.children.flatMap(withBelow)]

const greatest = 999

/**
 * What has to get another `sort` so that a menu comes one place earlier or later among its siblings: as few as possible.
 * Menus of equal `sort` stand in the order of their ids, so equals are told apart on the way.
 */
export const movedSorts = (siblings: readonly Ordered[], id: number, by: -1 | 1): Map<number, number> => {
  const from = siblings.findIndex((each) => each.id === id)
  const to = from + by
  const moving = siblings[from]
  const passed = siblings[to]
  if (moving === undefined || passed === undefined) return new Map()
  const order = siblings.map((each, index) => (index === from ? passed : index === to ? moving : each))
  const sorts = siblings.map(({ sort }) => sort)
  let least = 0
  const wanted = sorts.map((sort) => {
    least = Math.max(sort, least + 1)
    return least
  })
  // No room at the end: numbered anew from 1.
  const numbered = least > greatest ? order.map((_, index) => index + 1) : wanted
  return new Map(
    order.flatMap((each, index): [number, number][] => {
      const sort = numbered[index] ?? greatest
      return each.sort === sort ? [] : [[each.id, sort]]
    }),
  )
}
