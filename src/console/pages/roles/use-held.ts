import { useQueries } from '@tanstack/react-query'
import { reading } from '../../app/queries.ts'
import { highest, useSession } from '../../app/session.tsx'
import type { Checked } from '../../ui/check-tree.ts'

/** What the caller may grant: everything, what is in the list, or not known yet. */
export type Held = 'all' | Checked | undefined

/** The API entries or menus that the caller's own roles grant: a caller may grant these. The highest rank may grant all. */
export const useHeld = (operation: 'getRoleApis' | 'getRoleMenus'): Held => {
  const { me } = useSession()
  const grantsAll = me.rank === highest
  const queries = useQueries({
    queries: grantsAll ? [] : me.roles.map(({ id }) => reading(operation, { query: { roleId: id } })),
  })
  if (grantsAll) return 'all'
  if (queries.some(({ data }) => data === undefined)) return undefined
  return new Set(queries.flatMap(({ data }) => (data ?? []).map(({ id }) => id)))
}

export const isHeld = (held: Held, id: number): boolean => held === 'all' || held?.has(id) === true
