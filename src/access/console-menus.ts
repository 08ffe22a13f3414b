/** A page of the administration console, as the first start puts it into the menus. */
export interface ConsoleMenu {
  /** Unique; the name of the console's route. */
  name: string
  title: string
  path: string
  /** What the console shows there: the frame for a menu that has others under it, else a view. */
  component: string
  icon: string
  /** Where a menu that has others under it leads. */
  redirect: string
  /** The name of the menu it is under. */
  parent?: string
}

type Page = Pick<ConsoleMenu, 'name' | 'title' | 'path' | 'icon'>

const section = (menu: Page, pages: readonly Page[]): ConsoleMenu[] => [
  { ...menu, component: 'Layout', redirect: pages[0]?.path ?? '' },
  ...pages.map((page) => ({ ...page, component: `${page.path}/index`, redirect: '', parent: menu.name })),
]

/** In the order they are shown. A console's home and its sign-in are its own: they need no menu. */
export const consoleMenus: readonly ConsoleMenu[] = [
  ...section({ name: 'Personnel', title: 'Personnel', path: '/personnel', icon: 'peoples' }, [
    { name: 'User', title: 'Users', path: '/personnel/user', icon: 'people' },
    { name: 'Group', title: 'Groups', path: '/personnel/group', icon: 'peoples' },
    { name: 'FieldRelation', title: 'Field relations', path: '/personnel/fieldRelation', icon: 'link' },
  ]),
  ...section({ name: 'System', title: 'System', path: '/system', icon: 'component' }, [
    { name: 'Role', title: 'Roles', path: '/system/role', icon: 'eye-open' },
    { name: 'Menu', title: 'Menus', path: '/system/menu', icon: 'tree-table' },
    { name: 'Api', title: 'API entries', path: '/system/api', icon: 'tree' },
  ]),
  ...section({ name: 'Log', title: 'Logs', path: '/log', icon: 'list' }, [
    { name: 'OperationLog', title: 'Operation log', path: '/log/operation-log', icon: 'documentation' },
  ]),
  ...section({ name: 'Sync', title: 'Synchronization', path: '/sync', icon: 'international' }, [
    { name: 'Source', title: 'Sources', path: '/sync/source', icon: 'link' },
    { name: 'Run', title: 'Runs', path: '/sync/run', icon: 'list' },
  ]),
  ...section({ name: 'Security', title: 'Security center', path: '/security', icon: 'lock' }, [
    { name: 'SecurityStatus', title: 'Status', path: '/security/status', icon: 'chart' },
    { name: 'Alert', title: 'Alerts', path: '/security/alert', icon: 'message' },
    { name: 'Device', title: 'Devices', path: '/security/device', icon: 'component' },
    { name: 'Backup', title: 'Backups', path: '/security/backup', icon: 'zip' },
  ]),
  ...section({ name: 'Diet', title: 'Diet', path: '/diet', icon: 'shopping' }, [
    { name: 'DietToday', title: 'Today', path: '/diet/today', icon: 'star' },
    { name: 'DietPlan', title: 'Plans', path: '/diet/plan', icon: 'edit' },
    { name: 'DietRecipe', title: 'Recipes', path: '/diet/recipe', icon: 'skill' },
    { name: 'DietReport', title: 'Report', path: '/diet/report', icon: 'chart' },
  ]),
  ...section({ name: 'Me', title: 'Me', path: '/me', icon: 'user' }, [
    { name: 'MyProfile', title: 'My profile', path: '/me/profile', icon: 'user' },
    { name: 'MySecurity', title: 'My security', path: '/me/security', icon: 'password' },
  ]),
]

/**
 * Seeds of earlier releases that have changed since. A value that an administrator has changed does not match and
 * stays. `to: null`: the menu is removed if it is unchanged.
 */
export const earlierMenus: readonly { name: string; from: Partial<ConsoleMenu>; to: Partial<ConsoleMenu> | null }[] = [
  { name: 'Dashboard', from: { title: 'Dashboard', path: '/dashboard', component: 'Layout' }, to: null },
  {
    name: 'OperationLog',
    from: { path: '/log/operation', component: '/log/operation/index' },
    to: { path: '/log/operation-log', component: '/log/operation-log/index' },
  },
  ...consoleMenus
    .filter(({ redirect }) => redirect !== '')
    .map(({ name, path, redirect }) => ({ name, from: { path, component: 'Layout', redirect: '' }, to: { redirect } })),
]
