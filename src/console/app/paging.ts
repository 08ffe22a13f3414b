import {
  type InfiniteData,
  keepPreviousData,
  type QueryKey,
  useInfiniteQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { OperationId } from '../generated/calls.ts'
import { call, type Data, type Failure, type Input } from './api.ts'
import { withSecondFactor } from './step-up.ts'

/** The operations that answer a page at a time, each with the cursor of the next one. */
export type PagedOperation = {
  [Id in OperationId]: Data<Id> extends { next: string | number | null } ? Id : never
}[OperationId]

/** The operations that answer a numbered page, with the number of records on all of them. */
export type NumberedOperation = {
  [Id in OperationId]: 'pageNum' extends keyof NonNullable<Input<Id>['query']>
    ? Data<Id> extends { total: number }
      ? Id
      : never
    : never
}[OperationId]

interface Page {
  next: string | number | null
  total?: number
}

/** Rows on a page where the list asks for no number of its own. */
const defaultLimit = 50

/** How long pages have to stay in sight before they are read again, in milliseconds: not those that are scrolled past. */
const restFor = 150

/**
 * Which pages of a list are to be read when the list is read again: those in sight. Of a list that was scrolled through for
 * long, each look at the window and each change would else be as many requests, and what was changed be shown after the last
 * of them. The others stay as they are, and are read when they come into sight. Before a list says what is in sight, and
 * in one that never says it, all are.
 */
const usePagesInSight = <D>(queryKey: QueryKey, limit: number) => {
  type Cursor = string | number | undefined
  const client = useQueryClient()
  const inSight = useRef<readonly [first: number, last: number]>([0, Number.POSITIVE_INFINITY])
  const old = useRef(new Set<Cursor>())
  const [seen, setSeen] = useState('')
  const known = (): InfiniteData<D, Cursor> | undefined => client.getQueryData(queryKey)
  const isInSight = (index: number): boolean => index >= inSight.current[0] && index <= inSight.current[1]
  return {
    /** Changes with the pages in sight. */
    seen,
    /** Takes the rows in sight, by their place in the list. */
    see: (first: number, last: number): void => {
      inSight.current = [Math.floor(first / limit), Math.floor(last / limit)]
      setSeen(inSight.current.join())
    },
    /** What the list has of this page, if it is not to be read again. */
    kept: (cursor: Cursor): D | undefined => {
      const data = known()
      const index = data?.pageParams.indexOf(cursor) ?? -1
      if (index < 0 || isInSight(index)) {
        old.current.delete(cursor)
        return undefined
      }
      old.current.add(cursor)
      return data?.pages[index]
    },
    /** Whether the list ends before this page for now: it begins elsewhere than before, and no one looks there. */
    isCut: (before: readonly D[], cursor: Cursor): boolean => {
      const data = known()
      if (data === undefined || before === data.pages || data.pageParams.includes(cursor)) return false
      return before.length > inSight.current[1]
    },
    /** Whether a page in sight was left as it is when the others were read. */
    isOld: (): boolean =>
      known()?.pageParams.some((cursor, index) => isInSight(index) && old.current.has(cursor)) === true,
  }
}

/**
 * The pages of a list so far, and what brings the next one. While other filters are asked for, the rows of the last ones
 * stay in sight.
 */
export const usePages = <Id extends PagedOperation>(id: Id, input: Input<Id>, { enabled = true } = {}) => {
  const queryKey = [id, 'pages', input]
  const { limit = defaultLimit } = (input.query ?? {}) as { limit?: number }
  const { kept, isCut, isOld, see, seen } = usePagesInSight<Data<Id>>(queryKey, limit)
  const query = useInfiniteQuery<Data<Id>, Failure, InfiniteData<Data<Id>>, QueryKey, string | number | undefined>({
    queryKey,
    queryFn: async ({ pageParam, signal }) => {
      const page = kept(pageParam)
      if (page !== undefined) return page
      const asked = pageParam === undefined ? input : { ...input, query: { ...input.query, cursor: pageParam } }
      return (await withSecondFactor(() => call(id, asked, { signal }))).data
    },
    initialPageParam: undefined,
    getNextPageParam: (last, all) => {
      const next = (last as Page).next ?? undefined
      return isCut(all, next) ? undefined : next
    },
    placeholderData: keepPreviousData,
    enabled,
  })
  const { refetch } = query
  // biome-ignore lint/correctness/useExhaustiveDependencies: when other pages are in sight
  useEffect(() => {
    const timer = setTimeout(() => isOld() && void refetch(), restFor)
    return () => clearTimeout(timer)
  }, [seen, refetch])
  const pages = query.data?.pages
  return {
    query,
    pages,
    /** On all pages together, as far as the service counts. */
    total: (pages?.[0] as Page | undefined)?.total ?? 0,
    more: {
      has: query.hasNextPage,
      loading: query.isFetchingNextPage || query.isPlaceholderData,
      stale: query.isPlaceholderData,
      // Not in place of reading again what is there: a change would not be shown.
      load: () => void query.fetchNextPage({ cancelRefetch: false }),
      see,
    },
  }
}

const pageSize = 100

/** As `usePages`, of a list whose pages have numbers. */
export const useNumberedPages = <Id extends NumberedOperation>(id: Id, input: Input<Id>, { enabled = true } = {}) => {
  const query = useInfiniteQuery<Data<Id>, Failure, InfiniteData<Data<Id>>, QueryKey, number>({
    queryKey: [id, 'pages', input],
    queryFn: async ({ pageParam, signal }) => {
      const asked = { ...input, query: { ...input.query, pageNum: pageParam, pageSize } }
      return (await withSecondFactor(() => call(id, asked as Input<Id>, { signal }))).data
    },
    initialPageParam: 1,
    getNextPageParam: (last, all) =>
      all.length * pageSize < (last as { total: number }).total ? all.length + 1 : undefined,
    placeholderData: keepPreviousData,
    enabled,
  })
  return {
    query,
    pages: query.data?.pages,
    /** On all pages together. */
    total: (query.data?.pages.at(-1) as { total: number } | undefined)?.total ?? 0,
    more: {
      has: query.hasNextPage,
      loading: query.isFetchingNextPage || query.isPlaceholderData,
      stale: query.isPlaceholderData,
      load: () => void query.fetchNextPage({ cancelRefetch: false }),
    },
  }
}
