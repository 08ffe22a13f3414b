import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import type { Data, Failure } from '../../app/api.ts'
import { reading } from '../../app/queries.ts'

export type Department = Data<'listDepartments'>['departments'][number]

/** A row of the tree: a group, or what stands for groups that are not loaded. */
export type Row =
  | { kind: 'group'; key: string; level: number; group: Department; expanded: boolean | undefined }
  | { kind: 'more'; key: string; level: number; left: number; load: () => void }
  | { kind: 'loading'; key: string; level: number }
  | { kind: 'failed'; key: string; level: number; error: Failure; retry: () => void }

/** So many children of one node are asked for at once. */
const pageSize = 200

/** Stands for the top among the parents. */
const top = 0

const keyOf = (parent: number, cursor: string | undefined): string => `${parent} ${cursor ?? ''}`

/**
 * The tree of groups as far as it is open. What is below a group is asked for when it is opened, a page at a time.
 * @param show whose values are shown
 */
export const useBranches = (show: { show?: string }) => {
  const [expanded, setExpanded] = useState<ReadonlySet<number>>(new Set())
  const [cursors, setCursors] = useState<ReadonlyMap<number, readonly string[]>>(new Map())
  const asked = [top, ...expanded].flatMap((parent) =>
    [undefined, ...(cursors.get(parent) ?? [])].map((cursor) => ({ parent, cursor })),
  )
  const answers = useQueries({
    queries: asked.map(({ parent, cursor }) =>
      reading('listDepartments', {
        query: {
          ...(parent !== top && { parent }),
          ...(cursor !== undefined && { cursor }),
          ...show,
          limit: pageSize,
        },
      }),
    ),
  })
  const byKey = new Map(asked.map(({ parent, cursor }, index) => [keyOf(parent, cursor), answers[index]]))

  const below = (parent: number, level: number): Row[] => {
    const rows: Row[] = []
    let shown = 0
    const pages = [undefined, ...(cursors.get(parent) ?? [])]
    for (const cursor of pages) {
      const answer = byKey.get(keyOf(parent, cursor))
      const key = `${keyOf(parent, cursor)} rest`
      if (answer?.data === undefined) {
        const row = answer?.isError
          ? { kind: 'failed' as const, key, level, error: answer.error, retry: () => void answer.refetch() }
          : { kind: 'loading' as const, key, level }
        return [...rows, row]
      }
      const { departments, next, total } = answer.data
      for (const group of departments) {
        const isOpen = group.hasChildren ? expanded.has(group.id) : undefined
        rows.push({ kind: 'group', key: `group ${group.id}`, level, group, expanded: isOpen })
        if (isOpen) rows.push(...below(group.id, level + 1))
      }
      shown += departments.length
      if (cursor === pages.at(-1) && next !== null) {
        const load = () => setCursors(new Map(cursors).set(parent, [...(cursors.get(parent) ?? []), next]))
        rows.push({ kind: 'more', key, level, left: total - shown, load })
      }
    }
    return rows
  }

  return {
    rows: below(top, 1),
    /** Of the top: whether there is anything at all. */
    first: answers[0],
    toggle: (id: number): void => {
      const next = new Set(expanded)
      if (!next.delete(id)) next.add(id)
      setExpanded(next)
    },
    expand: (ids: readonly number[]): void => setExpanded(new Set([...expanded, ...ids])),
  }
}
