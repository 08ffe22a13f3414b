import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import type { OperationId } from '../generated/calls.ts'
import { addressOf, type Data, type Input } from './api.ts'
import { keyOf, useReading } from './queries.ts'

/** How often it is asked where the stream of events does not get through, in milliseconds. */
const pollEvery = 3000

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
  const isWanted = useVisible() && enabled
  const polled = useReading(read, input, {
    enabled: isWanted,
    ...(isWanted && !streaming && { refetchInterval: pollEvery }),
  })
  const address = addressOf(watch, input)
  const key = JSON.stringify(keyOf(read, input))
  useEffect(() => {
    if (!isWanted) return
    const events = new EventSource(address)
    events.addEventListener(event, ({ data }) => {
      setStreaming(true)
      client.setQueryData(JSON.parse(key), JSON.parse(data) as Data<Read>)
    })
    // The browser connects again by itself; until then it is asked.
    events.addEventListener('error', () => setStreaming(false))
    return () => {
      events.close()
      setStreaming(false)
    }
  }, [isWanted, address, event, client, key])
  return polled.data
}

const onVisibility = (listener: () => void): (() => void) => {
  document.addEventListener('visibilitychange', listener)
  return () => document.removeEventListener('visibilitychange', listener)
}

const useVisible = (): boolean => useSyncExternalStore(onVisibility, () => document.visibilityState === 'visible')
