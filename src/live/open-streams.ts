import type { Readable } from 'node:stream'
import type { Principals } from '../access/principals.ts'
import type { Content, Principal } from '../contract/handler.ts'
import { type EventStream, eventStream } from './event-stream.ts'
import type { Feed } from './feed.ts'
import { reasons } from './reasons.ts'

export interface StreamRequest<T> {
  user: Pick<Principal, 'userId' | 'sessionId'>
  /** What the user needs a grant for, as long as the stream is open; the path is relative to `/api`. */
  operation: { method: string; path: string }
  /** The name of the events. */
  event: string
  feed: Feed<T>
  /** The part of the feed that is shown. */
  view: (value: T) => object
}

export interface Streams {
  /**
   * Opens a stream of a feed.
   * @throws AppError limited (the user has too many open) or unavailable (the instance has)
   */
  open<T>(request: StreamRequest<T>): Promise<Content>
  /** Ends all streams at once, and opens no more. */
  close(): void
}

export interface StreamsOptions {
  principals: Pick<Principals, 'stillMay' | 'onDrop'>
  /** Milliseconds after which a stream ends: its user shows a valid token again. */
  lifetime: number
  /** Milliseconds between two comments. */
  heartbeat?: number
  maxPerUser?: number
  max?: number
}

/** Milliseconds a client may leave what was sent to it unread. */
const longestStall = 60_000

interface Open {
  stream: EventStream
  userId: number
  isAllowed: () => Promise<boolean>
  endsAt: number
  readsAt: number
}

/** The streams that are open on this instance. */
export const openStreams = ({
  principals,
  lifetime,
  heartbeat = 15_000,
  maxPerUser = 10,
  max = 1000,
}: StreamsOptions): Streams => {
  const streams = new Set<Open>()
  let isClosed = false

  const check = async (open: Open): Promise<void> => {
    // While that cannot be read, the stream goes on: requests do too with what is known.
    if (!(await open.isAllowed().catch(() => true))) open.stream.end()
  }

  const beat = (): void => {
    const now = performance.now()
    for (const open of [...streams]) {
      if (open.stream.beat()) open.readsAt = now
      if (now > open.endsAt || now - open.readsAt > longestStall) open.stream.end()
      else void check(open)
    }
  }
  const timer = setInterval(beat, heartbeat)
  timer.unref()
  const forget = principals.onDrop(() => {
    for (const open of [...streams]) void check(open)
  })

  const admit = (userId: number): void => {
    if (isClosed || streams.size >= max) throw reasons.streams_full({ retryAfter: 5 })
    const own = [...streams].filter((open) => open.userId === userId).length
    if (own >= maxPerUser) throw reasons.too_many_streams({ count: own }, { retryAfter: 5 })
  }

  const start = <T>({ user: { userId, sessionId }, operation, event, feed, view }: StreamRequest<T>): Readable => {
    const stream = eventStream(event, () => {
      streams.delete(open)
      stopWatching()
    })
    const now = performance.now()
    const isAllowed = () => principals.stillMay(sessionId, operation)
    const open: Open = { stream, userId, isAllowed, endsAt: now + lifetime, readsAt: now }
    const stopWatching = feed.watch((value) => stream.show(view(value)))
    streams.add(open)
    // Also what changed while it was opened.
    feed.changed()
    return stream.body
  }

  return {
    async open(request) {
      admit(request.user.userId)
      return {
        body: start(request),
        headers: { 'cache-control': 'no-store', 'x-accel-buffering': 'no' },
      }
    },

    close() {
      isClosed = true
      clearInterval(timer)
      forget()
      for (const { stream } of [...streams]) stream.end()
    },
  }
}
