import { useQuery } from '@tanstack/react-query'
import { call, type Failure } from '../../app/api.ts'
import { withSecondFactor } from '../../app/step-up.ts'
import type { Department } from './use-branches.ts'

/** A group by its id. */
export const findGroup = async (id: number, signal?: AbortSignal): Promise<Department> => {
  const options = signal === undefined ? {} : { signal }
  const { data } = await withSecondFactor(() => call('getDepartment', { path: { id } }, options))
  return data
}

/** The key is one of `getDepartment`: a group that was deleted is not asked for again while its drawer closes. */
export const groupKey = (id: number | undefined) => ['getDepartment', 'group', id] as const

/** A group by its id. */
export const useGroup = (id: number | undefined) =>
  useQuery<Department, Failure>({
    queryKey: groupKey(id),
    queryFn: ({ signal }) => findGroup(id ?? 0, signal),
    enabled: id !== undefined,
  })
