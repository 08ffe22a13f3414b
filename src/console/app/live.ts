import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import type { OperationId } from '../generated/calls.ts'
import { addressOf, type Data, Failure, type Input } from './api.ts'
import { keyOf, useReading } from './queries.ts'

/** How often it is asked where the stream of events does not get through, in milliseconds. */
const pollEvery = 3000
/** How long a stream that was refused is not opened again. */
const openEvery = 10_000

/** What is shown as it happens: the stream, the name of its events, and the operation that answers the same once. */
interface Live<Read extends OperationId, Watch extends OperationId> {
  read: Read
  watch: Watch
  event: string
}

/**
 * What an operation answers, as it changes: by server-sent events, and by asking where a proxy in between lets none
 * through. It is the same on every browser, also after a reload. A tab that cannot be seen has no stream: a browser has
 * six connections to a host, for all its tabs together.
 */
export const useLive = <Read extends OperationId, Watch extends OperationId>(
  { read, watch, event }: Live<Read, Watch>,
  input: Input<Read> & Input<Watch>,
  { enabled = true }: { enabled?: boolean } = {},
): Data<Read> | undefined => {
  const client = useQueryClient()
  const [streaming, setStreaming] = useState(false)
  const [attempt, setAttempt] = useState(0)
  const isWanted = useVisible() && enabled
  const polled = useReading(read, input, {
    enabled: isWanted,
    // Not where the session has ended or the grant is gone: each call would be one more refusal in the log.
    ...(isWanted && !streaming && { refetchInterval: ({ state }) => (isRefused(state.error) ? false : pollEvery) }),
  })
  const isOut = isRefused(polled.error)
  const address = addressOf(watch, input)
  const key = JSON.stringify(keyOf(read, input))
  useEffect(() => {
    if (!isWanted || isOut) return
    const events = new EventSource(address)
    events.addEventListener(event, ({ data }) => {
      setStreaming(true)
      client.setQueryData(JSON.parse(key), JSON.parse(data) as Data<Read>)
    })
    // The browser connects again by itself, unless it was refused; until then it is asked.
    let timer: ReturnType<typeof setTimeout> | undefined
    events.addEventListener('error', () => {
      setStreaming(false)
      if (events.readyState === EventSource.CLOSED) timer = setTimeout(setAttempt, openEvery, attempt + 1)
    })
    return () => {
      clearTimeout(timer)
      events.close()
      setStreaming(false)
    }
  }, [isWanted, isOut, address, event, client, key, attempt])
  return polled.data
}

const isRefused = (error: unknown): boolean => error instanceof Failure && (error.code === 401 || error.code === 403)

const onVisibility = (listener: () => void): (() => void) => {
  document.addEventListener('visibilitychange', listener)
  return () => document.removeEventListener('visibilitychange', listener)
}

const useVisible = (): boolean => useSyncExternalStore(onVisibility, () => document.visibilityState === 'visible')
