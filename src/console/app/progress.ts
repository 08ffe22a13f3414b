import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { addressOf, type Data, type Input } from './api.ts'
import { keyOf, useReading } from './queries.ts'

export type Work = Data<'getProgress'>['work'][number]

/** How often it is asked where the stream of events does not get through, in milliseconds. */
const pollEvery = 3000

/**
 * The work in progress on all instances, as it changes: by server-sent events, and by asking where a proxy in between lets
 * none through. It is the same on every browser, also after a reload.
 */
export const useProgress = (
  query: NonNullable<Input<'getProgress'>['query']>,
  { enabled = true }: { enabled?: boolean } = {},
): Work[] | undefined => {
  const client = useQueryClient()
  const [streaming, setStreaming] = useState(false)
  const input = { query }
  const polled = useReading('getProgress', input, {
    enabled,
    ...(enabled && !streaming && { refetchInterval: pollEvery }),
  })
  const address = addressOf('watchProgress', { query })
  const key = JSON.stringify(keyOf('getProgress', input))
  useEffect(() => {
    if (!enabled) return
    const events = new EventSource(address)
    events.addEventListener('progress', ({ data }) => {
      setStreaming(true)
      client.setQueryData(JSON.parse(key), JSON.parse(data) as Data<'getProgress'>)
    })
    // The browser connects again by itself; until then it is asked.
    events.addEventListener('error', () => setStreaming(false))
    return () => events.close()
  }, [enabled, address, client, key])
  return polled.data?.work
}
