import { useQueries, useQueryClient } from '@tanstack/react-query'
import type { Data, Input } from '../app/api.ts'
import { reading } from '../app/queries.ts'

export type Department = Data<'listDepartments'>['departments'][number]

/** What a line of the tree stands for. */
export type OrgNode =
  | { kind: 'all' }
  | { kind: 'department'; department: Department }
  /** There are more below this node than were asked for. */
  | { kind: 'more'; of: number | null }
  | { kind: 'loading' }
  | { kind: 'failed'; error: unknown; retry: () => void }

export interface OrgNodes {
  node(id: string): OrgNode
  children(id: string): string[]
  /** Another one whenever anything of the tree is another one. */
  signature: string
}

export const top = 'all'
export const idOf = (department: number | null): string => (department === null ? top : `d${department}`)
export const departmentOf = (id: string): number | null => (id === top ? null : Number(id.slice(1)))

const pageSize = 200

/**
 * The part of the tree that is open: the children of each open node, in pages of 200. What is closed is never asked for.
 * @param expanded the open nodes, null for the top
 * @param pages how many pages are wanted of a node that has more than one
 */
export const useOrgNodes = (
  expanded: readonly (number | null)[],
  pages: Readonly<Record<string, number>>,
): OrgNodes => {
  const client = useQueryClient()
  const wanted: { of: number | null; input: Input<'listDepartments'> }[] = []
  for (const of of expanded) {
    let cursor: string | null | undefined
    for (let page = 0; page < (pages[idOf(of)] ?? 1) && cursor !== null; page += 1) {
      const input = {
        query: { limit: pageSize, ...(of !== null && { parent: of }), ...(cursor !== undefined && { cursor }) },
      }
      wanted.push({ of, input })
      const known = client.getQueryData(reading('listDepartments', input).queryKey)
      // The next page is asked for when the one before has said where it begins.
      cursor = known === undefined ? null : known.next
    }
  }
  const results = useQueries({ queries: wanted.map(({ input }) => reading('listDepartments', input)) })
  const nodes = new Map<string, OrgNode>([[top, { kind: 'all' }]])
  const children = new Map<string, string[]>([['root', [top]]])
  for (const [index, { of }] of wanted.entries()) {
    const result = results[index]
    const parent = idOf(of)
    const below = children.get(parent) ?? []
    children.set(parent, below)
    const add = (id: string, node: OrgNode): void => {
      if (!nodes.has(id)) below.push(id)
      nodes.set(id, node)
    }
    for (const department of result?.data?.departments ?? []) {
      add(idOf(department.id), { kind: 'department', department })
    }
    const isLast = wanted[index + 1]?.of !== of || wanted[index + 1] === undefined
    if (result === undefined || result.isPending) add(`loading:${parent}`, { kind: 'loading' })
    else if (result.data === undefined) {
      const retry = (): void => void result.refetch()
      add(`failed:${parent}`, { kind: 'failed', error: result.error, retry })
    } else if (isLast && result.data.next !== null) add(`more:${parent}`, { kind: 'more', of })
  }
  return {
    // The tree may still speak of a node that has just gone.
    node: (id) => nodes.get(id) ?? { kind: 'loading' },
    children: (id) => children.get(id) ?? [],
    signature: results.map(({ dataUpdatedAt, status }) => `${dataUpdatedAt}${status}`).join(),
  }
}
