import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../app/api.ts'
import { forget } from '../../app/queries.ts'
import { withSecondFactor } from '../../app/step-up.ts'
import { movedSorts } from './menu-order.ts'
import type { MenuNode } from './menu-tree.ts'

/** Moves a menu among its siblings, by their `sort`. */
export const useMove = () => {
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  const move = async (siblings: readonly MenuNode[], id: number, by: -1 | 1): Promise<boolean> => {
    const sorts = movedSorts(siblings, id, by)
    if (sorts.size === 0) return false
    setBusy(true)
    try {
      for (const { id: each, name, title, path } of siblings) {
        const sort = sorts.get(each)
        if (sort === undefined) continue
        await withSecondFactor(() => call('updateMenu', { body: { id: each, name, title, path, sort } }))
      }
      return true
    } finally {
      // Also after a failure on the way: what is shown is to be what is.
      await forget(client, 'getMenuTree', 'getMyGrants')
      setBusy(false)
    }
  }
  return { move, busy }
}
