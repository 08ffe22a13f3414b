import { useQuery } from '@tanstack/react-query'
import { call, Failure } from '../../app/api.ts'
import { withSecondFactor } from '../../app/step-up.ts'
import type { Department } from './use-branches.ts'

/** A group by its id: the contract lists groups by name, so it is found by the name that its path ends with. */
export const findGroup = async (id: number, signal?: AbortSignal): Promise<Department> => {
  const options = signal === undefined ? {} : { signal }
  const { data: path } = await withSecondFactor(() => call('getDepartmentPath', { path: { id } }, options))
  const q = path.at(-1)?.name ?? ''
  let cursor: string | null = null
  do {
    const query: { q: string; limit: number; cursor?: string } = { q, limit: 200, ...(cursor !== null && { cursor }) }
    const { data } = await call('listDepartments', { query }, options)
    const found = data.departments.find((each) => each.id === id)
    if (found !== undefined) return found
    cursor = data.next
  } while (cursor !== null)
  throw new Failure('the group is gone', { code: 404, reason: 'db.group_not_found', params: { id: String(id) } })
}

/** The key is one of `getDepartmentPath`: a group that was deleted is not asked for again while its drawer closes. */
export const groupKey = (id: number | undefined) => ['getDepartmentPath', 'group', id] as const

/** A group by its id. */
export const useGroup = (id: number | undefined) =>
  useQuery<Department, Failure>({
    queryKey: groupKey(id),
    queryFn: ({ signal }) => findGroup(id ?? 0, signal),
    enabled: id !== undefined,
  })
