import {
  type QueryClient,
  type QueryKey,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { OperationId } from '../generated/calls.ts'
import { type Answered, call, type Data, Failure, type Input } from './api.ts'
import { useFailureText } from './failures.ts'
import { withSecondFactor } from './step-up.ts'

export const keyOf = <Id extends OperationId>(id: Id, input?: Input<Id>): QueryKey =>
  input === undefined ? [id] : [id, input]

/** An operation that reads, as a query. */
export const reading = <Id extends OperationId>(id: Id, input: Input<Id>) =>
  queryOptions<Data<Id>, Failure>({
    queryKey: keyOf(id, input),
    queryFn: async ({ signal }) => (await withSecondFactor(() => call(id, input, { signal }))).data,
  })

/** What an operation answers; it is asked again when the window is looked at again. */
export const useReading = <Id extends OperationId>(
  id: Id,
  input: Input<Id>,
  options: {
    enabled?: boolean
    refetchInterval?: number | ((query: { state: { error: unknown } }) => number | false)
    staleTime?: number
  } = {},
) => useQuery({ ...reading(id, input), ...options })

/** Forgets what these operations answered, so that whatever shows it asks again. */
export const forget = (client: QueryClient, ...ids: OperationId[]): Promise<unknown> =>
  Promise.all(ids.map((id) => client.invalidateQueries({ queryKey: [id] })))

interface Then<T> {
  onSuccess?(answer: T): unknown
  onError?(error: Failure): unknown
}

/**
 * An operation that changes something. Where it needs a second factor, that is asked for and the call repeated. What
 * `mutate` is to do then is done also when the component is gone by that time, as the buttons of a list whose rows are.
 * @param changes the operations whose answers are other ones afterwards
 */
export const useChange = <Id extends OperationId>(id: Id, changes: readonly OperationId[] = []) => {
  const client = useQueryClient()
  const mutation = useMutation<Answered<Id>, Failure, Input<Id>>({
    mutationFn: (input) => withSecondFactor(() => call(id, input)),
    // Also after a failure: half of the work may be done, and what is shown is to be what is.
    onSettled: () => forget(client, ...changes),
  })
  const stillShown = useStillShown()
  const failureText = useFailureText()
  // The component shows its failure; when that is gone, a message does.
  const tell = async (error: Failure): Promise<void> => {
    if (stillShown()) return
    const { notifyFailure: complained } = await import('../ui/notify.tsx')
    complained(failureText(error))
  }
  const underWay = useRef(new Set<string>())
  const mutate = (input: Input<Id>, { onSuccess, onError }: Then<Answered<Id>> = {}): void => {
    // The second click of a double click comes before the button is drawn as one that cannot be pressed.
    const asked = JSON.stringify(input)
    if (underWay.current.has(asked)) return
    underWay.current.add(asked)
    void mutation
      .mutateAsync(input)
      .finally(() => underWay.current.delete(asked))
      .then(onSuccess, onError ?? tell)
  }
  return { ...mutation, mutate }
}

/** Tells whether the component is still shown: who has gone to another page is not led away from it. */
export const useStillShown = (): (() => boolean) => {
  const shown = useRef(false)
  useEffect(() => {
    shown.current = true
    return () => {
      shown.current = false
    }
  }, [])
  return () => shown.current
}

/** Whether it is worth asking again by itself: the service was away or too busy, and nothing is wrong with the question. */
export const isPassing = (error: unknown): boolean =>
  error instanceof Failure && (error.code === 0 || error.code === 503 || error.code === 502)
