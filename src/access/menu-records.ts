import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { instantText, jsonObject, written } from '../db/json-record.ts'
import { allRecords } from '../db/record-lists.ts'
import { versionOf } from '../db/record-versions.ts'
import { menus, roleMenus, roles, userRoles } from '../db/schema.ts'
import { type TreeNode, treeOf } from '../db/tree.ts'
import type { components } from '../generated/directory.types.ts'
import { grantsEverything } from './administrator-role.ts'

export type MenuRecord = components['schemas']['Menu']
export type MenuNode = TreeNode<MenuRecord>

const record = written(
  jsonObject<MenuRecord>({
    id: menus.id,
    name: menus.name,
    title: menus.title,
    path: menus.path,
    component: menus.component,
    parentId: sql`coalesce(${menus.parentId}, 0)`,
    icon: menus.icon,
    redirect: menus.redirect,
    activeMenu: menus.activeMenu,
    sort: menus.sort,
    status: menus.status,
    hidden: menus.hidden,
    alwaysShow: menus.alwaysShow,
    noCache: menus.noCache,
    breadcrumb: menus.breadcrumb,
    creator: menus.creator,
    createdAt: instantText(menus.createdAt),
    updatedAt: instantText(menus.updatedAt),
    version: versionOf('menu'),
  }),
)

/** The ids of the menus that a user's enabled roles give them: the administrator's role gives all. */
const givenTo = (userId: number): SQL => sql`
  with held as (
    select ${roles.id}, ${grantsEverything} as everything from ${userRoles} join ${roles} on ${roles.id} = ${userRoles.roleId}
    where ${userRoles.userId} = ${userId} and ${roles.status} = 1
  )
  select ${menus.id} from ${menus}
  where exists (select from held where everything)
    or exists (select from ${roleMenus} join held on held.id = ${roleMenus.roleId} where ${roleMenus.menuId} = ${menus.id})`

/** Reads menus in the shape of the contract, in the order in which they are shown. */
export const menuRecords = (db: Db) => {
  /** Those that a condition holds for, or all. */
  const all = (wanted: SQL = sql`true`): Promise<MenuRecord[]> =>
    allRecords(db, { record, from: sql`${menus} where ${wanted}`, order: sql`${menus.sort}, ${menus.id}` })

  return {
    all,

    tree: async (): Promise<MenuNode[]> => treeOf(await all()),

    /** The menus that a user sees. */
    async access(userId: number): Promise<MenuNode[]> {
      const rows = await db.execute<{ id: string }>(givenTo(userId))
      return shown(treeOf(await all()), new Set(rows.map(({ id }) => Number(id))))
    },
  }
}

/**
 * The part of a tree that is shown to a user with some of its menus: those menus and their ancestors. A disabled menu
 * is not shown, nor is anything below it.
 */
const shown = (nodes: readonly MenuNode[], given: ReadonlySet<number>): MenuNode[] =>
  nodes
    .filter(({ status }) => status === 1)
    .map((node) => ({ ...node, children: shown(node.children, given) }))
    .filter(({ id, children }) => given.has(id) || children.length > 0)
