import { setTimeout as sleep } from 'node:timers/promises'
import type * as driver from '@redis/client'
import { inTime } from '../concurrency/in-time.ts'
import { messageOf } from '../failures/caught-error.ts'
import type { Logger } from '../runtime/log.ts'
import { readSentinels, type Sentinels } from './sentinels.ts'

const within = <T>(milliseconds: number, work: Promise<T>): Promise<T> =>
  inTime(milliseconds, work, () => {
    throw new Error(`no answer within ${milliseconds} ms`)
  })

/** The commands that are used; they are sent in the order of the calls. */
export type RedisClient = Pick<ReturnType<typeof newClient>, 'del' | 'eval' | 'get' | 'set'>

/** Redis, which may be unreachable at any time: every caller can work without it. */
export interface Redis {
  /** Of all keys of this installation, with the colon. */
  prefix: string
  /** Rejects at once while it is unreachable, and after `timeout` without a response. */
  run<T>(command: (client: RedisClient) => Promise<T>): Promise<T>
  /** Whether it can be used now: it responds, and takes a key, as a full one and a replica do not. */
  answers(): Promise<boolean>
  close(): Promise<void>
}

export interface RedisOptions {
  /** redis://…, or of sentinels (see sentinels.ts), which are asked for the server before each connection. */
  url: string
  /** The password of the sentinels; null: they want none. */
  sentinelPassword?: string | null | undefined
  /** What tells this installation's keys from those of others. */
  scope: string
  log: Logger
  /** Must succeed before a connection is used: the first one and each after a loss. */
  prepare: (client: RedisClient, prefix: string) => Promise<unknown>
  /** Milliseconds that a command waits for its answer. Default: a quarter of a second. */
  timeout?: number | undefined
}

/** Milliseconds. */
const times = { connect: 2000, answer: 250, firstRetry: 200, lastRetry: 10_000, lastOfFailover: 1000, stable: 60_000 }

/** No offline queue: no command waits for a connection. Reconnecting is done below, where the reason is known. */
const newClient = ({ createClient }: typeof driver, url: string, password?: string | null) =>
  createClient({
    url,
    ...(password && { password }),
    RESP: 2,
    maintNotifications: 'disabled',
    disableOfflineQueue: true,
    socket: { connectTimeout: times.connect, reconnectStrategy: false },
  })

/**
 * The URL of the master by the first sentinel that answers. The driver has a client for sentinels, too, but that one would
 * go over to another master unseen: what `prepare` does after a loss would be left out.
 */
const masterUrl = async (
  client: typeof driver,
  { urls, name, urlOf }: Sentinels,
  password: string | null,
): Promise<string> => {
  const ask = async (url: string): Promise<string> => {
    const sentinel = newClient(client, url, password)
    // What fails is told by the command.
    sentinel.on('error', () => {})
    try {
      const asked = async (): Promise<unknown> => {
        await sentinel.connect()
        return sentinel.sendCommand(['SENTINEL', 'GET-MASTER-ADDR-BY-NAME', name])
      }
      const answer = await within(times.connect, asked())
      if (!Array.isArray(answer)) throw new Error(`knows no master ${name}`)
      return urlOf(String(answer[0]), String(answer[1]))
    } catch (error) {
      throw new Error(`${new URL(url).host}: ${reasonOf(error)}`)
    } finally {
      sentinel.destroy()
    }
  }
  return Promise.any(urls.map(ask)).catch((error: unknown) => {
    const reasons = error instanceof AggregateError ? error.errors : [error]
    throw new Error(`no sentinel names the master (${reasons.map(reasonOf).join(', ')})`)
  })
}

/**
 * Connects, and reconnects after a loss. A connection counts as lost with the first command that fails or is late,
 * whatever the reason: later commands are not delayed by it, and a new connection is always prepared. Rejects where the
 * first connection fails; errors never contain the URL's password.
 */
export const connectTo = async (options: RedisOptions): Promise<Redis> => {
  const { url, sentinelPassword = null, scope, log, prepare, timeout = times.answer } = options
  const prefix = `steward:${scope}:`
  const sentinels = readSentinels(url)
  const lastRetry = sentinels === null ? times.lastRetry : times.lastOfFailover
  // Loaded only where Redis is used: it is a tenth of all code that a start loads.
  const driver = await import('@redis/client')
  const closing = new AbortController()
  let client: ReturnType<typeof newClient> | null = null
  let connectedAt = 0
  let delay = 0
  let reconnecting: Promise<void> = Promise.resolve()

  const connect = async (): Promise<void> => {
    const fresh = newClient(driver, sentinels === null ? url : await masterUrl(driver, sentinels, sentinelPassword))
    fresh.on('error', (error: unknown) => lose(fresh, error))
    try {
      await within(times.connect, fresh.connect())
      await within(timeout, prepare(fresh, prefix))
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
    // A connection that is lost again and again is retried with growing pauses, and not logged all the time.
    if (performance.now() - connectedAt > times.stable) delay = 0
    while (client === null && !closing.signal.aborted) {
      delay = Math.min(Math.max(times.firstRetry, delay * 2), lastRetry)
      await sleep(delay, undefined, { signal: closing.signal, ref: false }).catch(() => {})
      await connect().catch((error: unknown) => log.debug({ reason: reasonOf(error) }, 'Redis is still away'))
    }
    if (client !== null) log.info('Redis is there again')
  }

  const run: Redis['run'] = async (command) => {
    if (client === null) throw new Error('Redis is away')
    const used = client
    try {
      return await within(timeout, command(used))
    } catch (error) {
      lose(used, error)
      throw error
    }
  }

  await connect()
  return {
    prefix,
    run,
    answers: async () => {
      const expiration = { type: 'PX', value: 1000 } as const
      return (await run((used) => used.set(`${prefix}trial`, '', { expiration })).catch(() => null)) !== null
    },
    async close() {
      closing.abort()
      await reconnecting
      const open = client
      client = null
      if (open !== null) await within(timeout, open.close()).catch(() => open.destroy())
    },
  }
}

/** For a host with several addresses, Node's message is in the first of the errors. */
export const reasonOf = (error: unknown): string => {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0])
  return messageOf(error)
}
