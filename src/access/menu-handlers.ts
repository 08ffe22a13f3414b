import type { Db, Tx } from '../db/client.ts'
import { requireExisting } from '../db/existing.ts'
import { requireNoChildren, requireRoomBelow } from '../db/hierarchy.ts'
import { takeLock } from '../db/locks.ts'
import { reasons } from '../db/reasons.ts'
import { requireVersion } from '../db/record-versions.ts'
import { itemOf, only } from '../db/request-fields.ts'
import { menus } from '../db/schema.ts'
import type { MenusHandlers } from '../generated/directory.ts'
import { changeFor } from './committed.ts'
import { menuRecords } from './menu-records.ts'
import { menuClashes } from './reasons.ts'
import { deleteRows, insertRow, updateRow } from './rows.ts'
import { rankedUsers, rankOf, requireHigherRank } from './seniority.ts'

/** The menus of the administration console: a tree, and what each user sees of it. */
export const menusHandlers = ({ db }: { db: Db }): MenusHandlers => {
  const records = menuRecords(db)

  return {
    async addMenu({ body: { parentId = 0, ...columns }, user }) {
      const id = await changeFor(db, user, async (tx) => {
        const place = await takePlace(tx, parentId, null)
        return insertRow(tx, menus, { ...columns, ...place, creator: user.username }, menuClashes)
      })
      return { id }
    },

    async updateMenu({ body: { id, parentId, version, ...columns }, user }) {
      await changeFor(db, user, async (tx) => {
        // Before the row: a deletion takes them in this order.
        if (parentId !== undefined) await takeTree(tx)
        await requireExisting(tx, 'menu', [id], only('id'), 'no key update')
        await requireVersion(tx, 'menu', id, version)
        const place = parentId === undefined ? {} : await takePlace(tx, parentId, id)
        const found = await updateRow(tx, menus, id, { ...columns, ...place }, menuClashes)
        if (!found) throw reasons.menu_not_found.at('id', { id })
      })
      return null
    },

    async deleteMenus({ body: { menuIds }, user }) {
      await changeFor(db, user, async (tx) => {
        await takeTree(tx)
        await requireExisting(tx, 'menu', menuIds, itemOf('menuIds'), 'update')
        await requireNoChildren(tx, 'menu', menuIds, itemOf('menuIds'))
        await deleteRows(tx, menus, menuIds)
      })
      return null
    },

    getMenuTree: () => records.tree(),

    async getAccessMenuTree({ query: { id }, user }) {
      if (id !== user.userId) {
        const targets = await rankedUsers(db, [id], only('id'))
        requireHigherRank(await rankOf(db, user), targets, only('id'))
      }
      return records.access(id)
    },
  }
}

/**
 * Changes of the tree wait for each other until the end of the transaction: two moves that are valid one by one could
 * otherwise put two menus below each other.
 */
const takeTree = (tx: Tx): Promise<void> => takeLock(tx, 'menuTree')

/**
 * The columns that put a menu below another one.
 * @param parentId 0: below none
 * @param moved the menu that goes there; null: a new one
 * @throws AppError (not_found, invalid) naming `parentId`
 */
const takePlace = async (tx: Tx, parentId: number, moved: number | null): Promise<{ parentId: number | null }> => {
  await takeTree(tx)
  if (parentId === 0) return { parentId: null }
  await requireExisting(tx, 'menu', [parentId], only('parentId'))
  await requireRoomBelow(tx, 'menu', parentId, { moved })
  return { parentId }
}
