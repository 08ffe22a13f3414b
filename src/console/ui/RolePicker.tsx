import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useFailureText } from '../app/failures.ts'
import { reading } from '../app/queries.ts'
import { type Found, type PickerProps, RecordPicker } from './RecordPicker.tsx'

const offered = 20

const useRolesFound = (q: string, enabled: boolean): Found => {
  const failureText = useFailureText()
  const { data, error, isFetching } = useQuery({
    ...reading('listRoles', { query: { pageNum: 1, pageSize: offered, ...(q !== '' && { name: q }) } }),
    enabled,
    placeholderData: keepPreviousData,
  })
  return {
    choices: (data?.roles ?? []).map(({ id, name, keyword }) => ({ id, name, detail: keyword })),
    beyond: data === undefined ? 0 : Math.max(0, data.total - data.roles.length),
    loading: isFetching,
    ...(error !== null && { failure: failureText(error) }),
  }
}

/** Picks roles by a part of their names. */
export const RolePicker = ({ known = [], ...props }: PickerProps) => {
  const isUnknown = props.value.some((id) => !known.some((each) => each.id === id))
  // Roles are few; those of which the page knows the ids alone are found among all of them.
  const { data } = useQuery({ ...reading('listRoles', {}), enabled: isUnknown, staleTime: 60_000 })
  const names = (data?.roles ?? []).map(({ id, name }) => ({ id, name }))
  return <RecordPicker {...props} known={[...known, ...names]} useFound={useRolesFound} />
}
