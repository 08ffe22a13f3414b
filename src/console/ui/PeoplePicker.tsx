import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useFailureText } from '../app/failures.ts'
import { reading } from '../app/queries.ts'
import { type Found, type PickerProps, RecordPicker } from './RecordPicker.tsx'

const offered = 20

const usePeopleFound = (q: string, enabled: boolean): Found => {
  const failureText = useFailureText()
  const { data, error, isFetching } = useQuery({
    ...reading('listPeople', { query: { limit: offered, ...(q !== '' && { q }) } }),
    enabled,
    placeholderData: keepPreviousData,
  })
  return {
    choices: (data?.people ?? []).map(({ id, name, username, departments }) => ({
      id,
      name: name || username,
      detail: [username, ...departments.map((each) => each.name)].join(' · '),
    })),
    beyond: data === undefined ? 0 : data.totalIsExact ? Math.max(0, data.total - data.people.length) : null,
    loading: isFetching,
    ...(error !== null && { failure: failureText(error) }),
  }
}

/** Picks people by any part of their names, addresses and numbers. */
export const PeoplePicker = (props: PickerProps) => <RecordPicker {...props} useFound={usePeopleFound} />
