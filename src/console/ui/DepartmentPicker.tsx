import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { useFailureText } from '../app/failures.ts'
import { reading } from '../app/queries.ts'
import { type Choice, type Found, type PickerProps, RecordPicker } from './RecordPicker.tsx'

const offered = 20

const useDepartmentsFound = (q: string, enabled: boolean): Found => {
  const failureText = useFailureText()
  const { data, error, isFetching } = useQuery({
    ...reading('listDepartments', { query: { limit: offered, ...(q !== '' && { q }) } }),
    enabled,
    placeholderData: keepPreviousData,
  })
  return {
    choices: (data?.departments ?? []).map(({ id, name, path }) => ({
      id,
      name,
      ...(path !== null && path.length > 1 && { detail: pathText(path.slice(0, -1)) }),
    })),
    beyond: data === undefined ? 0 : data.totalIsExact ? Math.max(0, data.total - data.departments.length) : null,
    loading: isFetching,
    ...(error !== null && { failure: failureText(error) }),
  }
}

/** "Company / Sales" */
export const pathText = (path: readonly { name: string }[]): string => path.map(({ name }) => name).join(' / ')

/** The names of departments of which the page knows the ids alone. */
const useNames = (ids: readonly number[]): Choice[] =>
  useQueries({
    queries: ids.map((id) => ({ ...reading('getDepartmentPath', { path: { id } }), staleTime: 60_000 })),
  }).flatMap(({ data }) => {
    const department = data?.at(-1)
    return department === undefined ? [] : [{ id: department.id, name: department.name, detail: pathText(data ?? []) }]
  })

/** Picks departments and groups by a part of their names; without a text, the roots are offered. */
export const DepartmentPicker = ({ known = [], ...props }: PickerProps) => {
  const names = useNames(props.value.filter((id) => !known.some((each) => each.id === id)))
  return <RecordPicker {...props} known={[...known, ...names]} useFound={useDepartmentsFound} />
}
