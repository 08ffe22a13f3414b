import { type InfiniteData, keepPreviousData, type QueryKey, useInfiniteQuery } from '@tanstack/react-query'
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

/**
 * The pages of a list so far, and what brings the next one. While other filters are asked for, the rows of the last ones
 * stay in sight.
 */
export const usePages = <Id extends PagedOperation>(id: Id, input: Input<Id>, { enabled = true } = {}) => {
  const query = useInfiniteQuery<Data<Id>, Failure, InfiniteData<Data<Id>>, QueryKey, string | number | undefined>({
    queryKey: [id, 'pages', input],
    queryFn: async ({ pageParam, signal }) => {
      const asked = pageParam === undefined ? input : { ...input, query: { ...input.query, cursor: pageParam } }
      return (await withSecondFactor(() => call(id, asked, { signal }))).data
    },
    initialPageParam: undefined,
    getNextPageParam: (last) => (last as Page).next ?? undefined,
    placeholderData: keepPreviousData,
    enabled,
  })
  const pages = query.data?.pages
  return {
    query,
    pages,
    /** On all pages together, as far as the service counts. */
    total: (pages?.[0] as Page | undefined)?.total ?? 0,
    more: {
      has: query.hasNextPage,
      loading: query.isFetchingNextPage || query.isPlaceholderData,
      load: () => void query.fetchNextPage(),
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
      load: () => void query.fetchNextPage(),
    },
  }
}
