import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from '@redis/client'
import type { Logger } from '../log.ts'
import { within } from './within.ts'

/** What of a connection is used; commands keep the order they are given in. */
export type RedisClient = Pick<ReturnType<typeof newClient>, 'del' | 'eval' | 'get' | 'ping' | 'set'>

/** Redis, which may be away at any time: whoever uses it can do without. */
export interface Redis {
  /** Rejects at once while it is away, and after a quarter of a second where it does not answer. */
  run<T>(command: (client: RedisClient) => Promise<T>): Promise<T>
  /** Whether it answers just now. */
  answers(): Promise<boolean>
  close(): Promise<void>
}

export interface RedisOptions {
  url: string
  log: Logger
  /** What has to succeed before a connection is used, the first one and each that follows a loss. */
  prepare: (client: RedisClient) => Promise<unknown>
}

/** Milliseconds. */
const times = { connect: 2000, answer: 250, firstRetry: 200, lastRetry: 10_000, stable: 60_000 }

/** Away is away: nothing waits for a connection that may come. Connecting again is done here, where it is known why. */
const newClient = (url: string) =>
  createClient({
    url,
    RESP: 2,
    maintNotifications: 'disabled',
    disableOfflineQueue: true,
    socket: { connectTimeout: times.connect, reconnectStrategy: false },
  })

/**
 * Connects, and again whenever the connection is lost. A connection counts as lost with the first command that fails or
 * is late, whatever the reason: what follows is not slowed by it, and one that is used again has been prepared anew.
 * Rejects where the first connection fails; errors never hold the URL's password.
 */
export const openRedis = async ({ url, log, prepare }: RedisOptions): Promise<Redis> => {
  const closing = new AbortController()
  let client: ReturnType<typeof newClient> | null = null
  let connectedAt = 0
  let delay = 0
  let reconnecting: Promise<void> = Promise.resolve()

  const connect = async (): Promise<void> => {
    const fresh = newClient(url)
    fresh.on('error', (error: unknown) => lose(fresh, error))
    try {
      await within(times.connect, fresh.connect())
      await within(times.answer, prepare(fresh))
      closing.signal.throwIfAborted()
    } catch (error) {
      fresh.destroy()
      throw error
    }
    client = fresh
    connectedAt = performance.now()
  }

  const lose = (lost: ReturnType<typeof newClient>, error: unknown): void => {
    if (client !== lost) return
    client = null
    lost.destroy()
    if (closing.signal.aborted) return
    log.warn({ reason: reasonOf(error) }, 'Redis is away: limits are counted and answers worked out without it')
    reconnecting = reconnect()
  }

  const reconnect = async (): Promise<void> => {
    // One that comes and goes is tried ever more rarely, and not logged all the time.
    if (performance.now() - connectedAt > times.stable) delay = 0
    while (client === null && !closing.signal.aborted) {
      delay = Math.min(Math.max(times.firstRetry, delay * 2), times.lastRetry)
      await sleep(delay, undefined, { signal: closing.signal, ref: false }).catch(() => {})
      await connect().catch((error: unknown) => log.debug({ reason: reasonOf(error) }, 'Redis is still away'))
    }
    if (client !== null) log.info('Redis is there again')
  }

  const run: Redis['run'] = async (command) => {
    if (client === null) throw new Error('Redis is away')
    const used = client
    try {
      return await within(times.answer, command(used))
    } catch (error) {
      lose(used, error)
      throw error
    }
  }

  await connect()
  return {
    run,
    answers: async () => (await run((used) => used.ping()).catch(() => null)) !== null,
    async close() {
      closing.abort()
      await reconnecting
      const open = client
      client = null
      if (open !== null) await within(times.answer, open.close()).catch(() => open.destroy())
    },
  }
}

/** What Node says of a host with several addresses is in the first of its errors. */
export const reasonOf = (error: unknown): string => {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0])
  return error instanceof Error ? error.message : String(error)
}
