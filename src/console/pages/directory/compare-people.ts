import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call, type Data, type Failure } from '../../app/api.ts'
import { forget } from '../../app/queries.ts'
import { withSecondFactor } from '../../app/step-up.ts'
import type { OperationId } from '../../generated/calls.ts'

export type Report = Data<'syncSqlUsers'>

/** What a comparison changes of what is shown. */
export const comparisonChanges: readonly OperationId[] = ['listRuns', 'getOverview', 'listPeople', 'listDepartments']

/** People that one run is given, and people on a page of their list: the most that the contract allows. */
const mostPerRun = 10_000
const mostPerPage = 200

export interface Reach {
  step: 'reading' | 'comparing'
  done: number
  total: number | null
}

const allPeople = async (tell: (reach: Reach) => void): Promise<number[]> => {
  const ids = new Set<number>()
  let cursor: string | undefined
  do {
    const query = { limit: mostPerPage, ...(cursor !== undefined && { cursor }) }
    const { data } = await withSecondFactor(() => call('listPeople', { query }))
    for (const { id } of data.people) ids.add(id)
    cursor = data.next ?? undefined
    tell({ step: 'reading', done: ids.size, total: null })
  } while (cursor !== undefined)
  return [...ids]
}

/** A run compares the people it is given, so all of them are listed first; more than one run takes is done by several. */
export const useComparePeople = () => {
  const client = useQueryClient()
  const [reach, setReach] = useState<Reach | null>(null)
  const comparing = useMutation<Report[], Failure>({
    mutationFn: async () => {
      const ids = await allPeople(setReach)
      const reports: Report[] = []
      for (let start = 0; start < ids.length; start += mostPerRun) {
        setReach({ step: 'comparing', done: start, total: ids.length })
        const body = { userIds: ids.slice(start, start + mostPerRun) }
        reports.push((await withSecondFactor(() => call('syncSqlUsers', { body }))).data)
      }
      return reports
    },
    onSettled: () => {
      setReach(null)
      return forget(client, ...comparisonChanges)
    },
  })
  return { comparing, reach }
}
