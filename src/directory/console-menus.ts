/** A page of the administration console, as the first start puts it into the menus. */
export interface ConsoleMenu {
  name: string
  title: string
  path: string
  icon: string
  /** The name of the menu it is under. */
  parent?: string
}

const at = (parent: string, menus: readonly ConsoleMenu[]): ConsoleMenu[] => menus.map((menu) => ({ ...menu, parent }))

/** In the order they are shown. */
export const consoleMenus: readonly ConsoleMenu[] = [
  { name: 'Dashboard', title: 'Dashboard', path: '/dashboard', icon: 'dashboard' },
  { name: 'Personnel', title: 'Personnel', path: '/personnel', icon: 'peoples' },
  ...at('Personnel', [
    { name: 'User', title: 'Users', path: '/personnel/user', icon: 'people' },
    { name: 'Group', title: 'Groups', path: '/personnel/group', icon: 'peoples' },
    { name: 'FieldRelation', title: 'Field relations', path: '/personnel/fieldRelation', icon: 'link' },
  ]),
  { name: 'System', title: 'System', path: '/system', icon: 'component' },
  ...at('System', [
    { name: 'Role', title: 'Roles', path: '/system/role', icon: 'eye-open' },
    { name: 'Menu', title: 'Menus', path: '/system/menu', icon: 'tree-table' },
    { name: 'Api', title: 'API entries', path: '/system/api', icon: 'tree' },
  ]),
  { name: 'Log', title: 'Logs', path: '/log', icon: 'list' },
  ...at('Log', [{ name: 'OperationLog', title: 'Operation log', path: '/log/operation', icon: 'documentation' }]),
  { name: 'Security', title: 'Security center', path: '/security', icon: 'lock' },
  { name: 'Diet', title: 'Diet', path: '/diet', icon: 'shopping' },
]
