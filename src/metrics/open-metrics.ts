// The room metrics.
// Figures of the service for Prometheus, on a port of their own.
// It never names a person, a group or a path: labels are operations, codes, sources and numbers.

import { createHash, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { inTime } from '../concurrency/in-time.ts'
import type { Database } from '../db/client.ts'
import { boundConnections } from '../network/connection-limit.ts'
import { listenProblem } from '../network/listen-problem.ts'
import type { Lifetime } from '../runtime/lifetime.ts'
import { errorRecord, type Logger } from '../runtime/log.ts'
import { stewardVersion } from '../runtime/version.ts'
import { type Figures, readFigures } from './figures.ts'
import { type Answered, openInstruments, type Pools } from './instruments.ts'
import type { MetricsSettings } from './settings.ts'

export interface MetricsOptions extends Pick<Lifetime, 'atEnd'> {
  database: Pick<Database, 'db' | 'pools' | 'standbyReads'>
  settings: MetricsSettings
  /** The syslog receiver of the operation log; null: there is no receiver. */
  receiver: string | null
  /** Entries of this process that are not in the operation log yet. */
  logWaiting: () => number
  /** What the connections to each directory do now. */
  directoryPools: () => Pools['directories']
  log: Logger
}

export interface Metrics {
  /** Counts a request. */
  answered(request: Answered): void
  /** Its address. */
  url: string
}

/** Milliseconds that the database has; a scrape usually has 10 s. */
const timeout = 5000
/** Milliseconds for which the figures of the database are kept, however many ask. */
const keptFor = 2000
/** Milliseconds between two readings, whose text is work for this process: however many ask, they are a small part of it. */
const pause = 100
/** More than every Prometheus, with the connections that it keeps, and probes beside it. */
const maxConnections = 64

/**
 * Listens for `GET /metrics`.
 * @throws ConfigError naming METRICS_HOST or METRICS_PORT
 */
export const openMetrics = async (options: MetricsOptions): Promise<Metrics> => {
  const instruments = openInstruments()
  const { database, settings, logWaiting, directoryPools, log, atEnd } = options
  const read = openReading({ ...options, db: database.db })

  const scrape = together(async () => {
    // Before the database is read: that takes a connection itself.
    const pools = { database: database.pools(), directories: directoryPools() }
    const { figures, seconds } = await read()
    const own = { logWaiting: logWaiting(), pools, standbyReads: database.standbyReads(), version: stewardVersion }
    instruments.show(figures, { databaseSeconds: seconds, ...own })
    return instruments.text()
  })

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const refuse = (status: number, text: string, headers: Record<string, string> = {}): void =>
      void response.writeHead(status, { 'content-type': 'text/plain', ...headers }).end(`${text}\n`)
    if (request.url?.split('?')[0] !== '/metrics') return refuse(404, 'only /metrics is here')
    if (request.method !== 'GET') return refuse(405, 'only GET is allowed', { allow: 'GET' })
    if (!mayRead(settings, request)) {
      return refuse(401, 'the bearer token of METRICS_TOKEN is required', { 'www-authenticate': 'Bearer' })
    }
    const text = await scrape()
    response.writeHead(200, { 'content-type': instruments.contentType, 'cache-control': 'no-store' }).end(text)
  }

  const server = createServer({ requestTimeout: 10_000, headersTimeout: 5000 }, (request, response) => {
    answer(request, response).catch((error: unknown) => {
      log.error({ error: errorRecord(error) }, 'the metrics could not be read')
      if (!response.headersSent) response.writeHead(500, { 'content-type': 'text/plain' })
      response.end('internal error, see the log\n')
    })
  })
  // A client that does not read keeps others out, too.
  server.setTimeout(timeout * 2)
  boundConnections(server, { max: maxConnections })
  const { host, port } = settings
  try {
    server.listen(port, host)
    await once(server, 'listening')
  } catch (error) {
    throw listenProblem(error, { host, port, settings: { host: 'METRICS_HOST', port: 'METRICS_PORT' } })
  }
  atEnd(async () => {
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  })
  const { port: actual } = server.address() as AddressInfo
  return {
    answered: instruments.answered,
    url: `http://${host.includes(':') ? `[${host}]` : host}:${actual}/metrics`,
  }
}

/** Does the work once for all who ask while it is under way or waits, and no more often than after each pause. */
const together = <T>(work: () => Promise<T>): (() => Promise<T>) => {
  let free: Promise<unknown> = Promise.resolve()
  let next: Promise<T> | null = null
  return () => {
    next ??= free.then(() => {
      next = null
      const done = work()
      free = Promise.allSettled([done]).then(() => delay(pause, undefined, { ref: false }))
      return done
    })
    return next
  }
}

const mayRead = ({ token }: MetricsSettings, { headers }: IncomingMessage): boolean => {
  if (token === null) return true
  // Digests, because texts of different lengths cannot be compared in constant time.
  const [given, right] = [headers.authorization ?? '', `Bearer ${token}`].map((text) =>
    createHash('sha256').update(text).digest(),
  ) as [Buffer, Buffer]
  return timingSafeEqual(given, right)
}

interface Read {
  /** null: the database does not answer. */
  figures: Figures | null
  seconds: number
}

const openReading = ({
  db,
  receiver,
  log,
}: Pick<MetricsOptions, 'receiver' | 'log'> & Pick<Database, 'db'>): (() => Promise<Read>) => {
  let kept: Promise<Read> | null = null
  let isAway = false
  /** One at a time: each holds a connection of the service for as long as the database takes. */
  let asked: Promise<Figures> | null = null
  const ask = (): Promise<Figures> => {
    asked ??= readFigures(db, receiver).finally(() => {
      asked = null
    })
    return asked
  }

  const look = async (): Promise<Read> => {
    const began = performance.now()
    const figures = await inTime(timeout, ask(), () => null).catch((error: unknown) => {
      if (!isAway) log.warn({ error: errorRecord(error) }, 'the metrics are without those of the database')
      return null
    })
    isAway = figures === null
    return { figures, seconds: (performance.now() - began) / 1000 }
  }
  return () => {
    kept ??= look().finally(() => {
      setTimeout(() => {
        kept = null
      }, keptFor).unref()
    })
    return kept
  }
}
