import type { Data } from '../../app/api.ts'

export type MenuNode = Data<'getMenuTree'>[number]

/** A menu as a row. */
export interface MenuRow {
  menu: MenuNode
  /** From 1. */
  level: number
  /** undefined: nothing is below. */
  expanded: boolean | undefined
  /** Those beside it, in their order. */
  siblings: readonly MenuNode[]
}

export const menuRows = (menus: readonly MenuNode[], collapsed: ReadonlySet<number>, level = 1): MenuRow[] =>
  menus.flatMap((menu): MenuRow[] => {
    const expanded = menu.children.length === 0 ? undefined : !collapsed.has(menu.id)
    const row = { menu, level, expanded, siblings: menus }
    return expanded === true ? [row, ...menuRows(menu.children, collapsed, level + 1)] : [row]
  })

export const allMenus = (menus: readonly MenuNode[]): MenuNode[] =>
  menus.flatMap((menu) => [menu, ...allMenus(menu.children)])
