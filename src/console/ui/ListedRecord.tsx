import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Data, Input } from '../app/api.ts'
import { reading } from '../app/queries.ts'
import { DeletedMeanwhile, useLastListed } from './last-listed.tsx'
import { Empty, Failed, Loading } from './states.tsx'

/** The lists whose records are in the order of their ids, the newest first. */
type Listing = 'searchAlerts' | 'listDevicesInFull' | 'listBackupFiles'

type RecordOf<Id extends Listing> = Extract<Data<Id>[keyof Data<Id>], readonly { id: number }[]>[number]

/** A record that the address names. */
export interface Listed<T> {
  /** undefined: it is on its way, could not be read, or does not exist. */
  record: T | undefined
  error: unknown
  retry(): void
  isGone: boolean
  /** It is not listed any more. */
  isDeleted: boolean
}

/**
 * The record of a list that the address names: among the rows that are loaded or, where a link leads to one that the first
 * pages or the filters do not show, read by itself.
 * @param rows of the list as far as it is loaded, none if it could not be; undefined: it is on its way
 */
export const useListed = <Id extends Listing>(
  operation: Id,
  id: number | undefined,
  rows: readonly RecordOf<Id>[] | undefined,
): Listed<RecordOf<Id>> => {
  const row = rows?.find((each) => each.id === id)
  // The page that would begin after the next newer record.
  const input = { query: { cursor: (id ?? 0) + 1, limit: 1 } } as unknown as Input<Id>
  const alone = useQuery({
    ...reading(operation, input),
    enabled: id !== undefined && rows !== undefined && row === undefined,
  })
  const found = Object.values(alone.data ?? {}).find(Array.isArray) as readonly RecordOf<Id>[] | undefined
  const { record, isDeleted } = useLastListed(id, row ?? found?.find((each) => each.id === id))
  return {
    record,
    error: alone.error,
    retry: () => void alone.refetch(),
    isGone: record === undefined && found !== undefined,
    isDeleted: isDeleted && found !== undefined,
  }
}

interface ListedRecordProps<T> {
  listed: Listed<T>
  /** What is said of a record that does not exist. */
  gone: string
  children(record: T): ReactNode
}

/** The record that the address names, or why it is not there. */
export const ListedRecord = <T,>({
  listed: { record, error, retry, isGone, isDeleted },
  gone,
  children,
}: ListedRecordProps<T>) => {
  if (record !== undefined) {
    return (
      <>
        <DeletedMeanwhile isDeleted={isDeleted} />
        {children(record)}
      </>
    )
  }
  if (isGone) return <Empty title={gone} />
  return error === null ? <Loading /> : <Failed error={error} retry={retry} />
}
