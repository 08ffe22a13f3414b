import { connect as connectSocket, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from 'postgres'
import { inTime } from '../concurrency/in-time.ts'
import type { Logger } from '../runtime/log.ts'
import { connectServer } from './connect.ts'
import { describeFailure, refusalOf } from './connection-failure.ts'
import { hostUrls, placeOf, whereOf } from './hosts.ts'
import { hostOf } from './tls.ts'

// Which of several servers accepts changes. The driver (postgres.js 3.4.9) takes several hosts too, but while all of them
// refuse connections it tries them for ever without a pause and no query ever fails, and every new client begins at the
// first host, also where that one does not answer at all. So it is given sockets to the right host instead.

/**
 * Milliseconds: for the answer of one server, between two checks while there is a primary, between two while there is no
 * primary, and for the other servers once a primary has answered.
 */
const times = { answer: 2000, pause: 2000, retryPause: 250, others: 500 }

/** No server accepts changes now. The message says why each does not, without the password. */
export class NoPrimaryError extends Error {
  readonly code = 'NO_PRIMARY'
  /** Whether waiting does not help: every server refused the login. */
  readonly isFinal: boolean
  constructor(url: string, seen: readonly Seen[]) {
    const each = seen.map(({ url, says }) => `${placeOf(url)} ${says}`)
    super(`${whereOf(url)} has no server that accepts changes: ${each.join(', ')}`)
    this.name = 'NoPrimaryError'
    this.isFinal = seen.every(({ refused }) => refused)
  }
}

/** What one of several servers is now. */
export interface Seen {
  url: URL
  role: 'primary' | 'standby' | 'away'
  /** To be said after its address. */
  says: string
  refused: boolean
  /** Of a primary: a standby that was promoted has a higher one than the primary before. */
  timeline: number
}

/** Without what only several hosts need. */
const plain = (url: URL): string => {
  const own = new URL(url)
  own.searchParams.delete('target_session_attrs')
  return own.href
}

const clientOf = (url: URL): Sql =>
  connectServer(plain(url), {
    ...{ max: 1, connect_timeout: times.answer / 1000, idle_timeout: 0, max_lifetime: null, fetch_types: false },
    ...{ prepare: false, onnotice: () => {}, connection: { application_name: 'steward watch' } },
  })

const timedOut = (): never => {
  throw new Error(`no answer within ${times.answer} ms`)
}

/** One statement without parameters, which PgBouncer passes on in every mode. */
const roleQuery = `select pg_is_in_recovery() as standby, current_setting('transaction_read_only') = 'on' as readonly,
  case when not pg_is_in_recovery() then pg_walfile_name(pg_current_wal_lsn()) end as wal`

const ask = async (sql: Sql, url: URL): Promise<Seen> => {
  const seen = { url, refused: false, timeline: 0 }
  const query = sql.unsafe<{ standby: boolean; readonly: boolean; wal: string | null }[]>(roleQuery)
  const [row] = await inTime(times.answer, query, timedOut)
  if (row?.standby !== false) return { ...seen, role: 'standby', says: 'is a standby' }
  if (row.readonly) return { ...seen, role: 'standby', says: 'is read-only' }
  return { ...seen, role: 'primary', says: 'is the primary', timeline: Number.parseInt(row.wal?.slice(0, 8) ?? '', 16) }
}

const lookAt = async (url: URL): Promise<Seen> => {
  const sql = clientOf(url)
  try {
    return await ask(sql, url)
  } catch (error) {
    return { url, role: 'away', says: describeFailure(error), refused: refusalOf(error) !== undefined, timeline: 0 }
  } finally {
    void sql.end({ timeout: 0 })
  }
}

/** What each server of a URL is, in its order; never rejects. */
export const lookAtHosts = (url: string): Promise<Seen[]> => Promise.all((hostUrls(url) ?? []).map(lookAt))

/**
 * Looks at all servers at once. Of two that accept changes, as after a failover that did not stop the former primary, the
 * one that was promoted last is taken; a server that is slower than half a second is not waited for.
 * @throws NoPrimaryError
 */
const findPrimary = async (url: string): Promise<URL> => {
  const seen: Seen[] = []
  const urls = hostUrls(url) ?? []
  await new Promise<void>((resolve) => {
    for (const each of urls) {
      void lookAt(each).then((one) => {
        seen.push(one)
        if (seen.length === urls.length) resolve()
        else if (one.role === 'primary') setTimeout(resolve, times.others)
      })
    }
  })
  const primaries = seen.filter(({ role }) => role === 'primary')
  const newest = primaries.sort((a, b) => b.timeline - a.timeline)[0]
  if (newest === undefined)
    throw new NoPrimaryError(
      url,
      seen.sort((a, b) => urls.indexOf(a.url) - urls.indexOf(b.url)),
    )
  return newest.url
}

/**
 * The URL of the one server that accepts changes; a URL with one host is returned as it is, unseen.
 * @throws NoPrimaryError
 */
export const primaryUrl = async (url: string): Promise<string> =>
  (hostUrls(url) ?? []).length > 1 ? plain(await findPrimary(url)) : url

/** Follows the primary among several servers. */
export interface Primary {
  /** For the driver: a URL with one host, and where its connections go in truth; nothing where there is one host only. */
  url: string
  options: { socket: () => Promise<Socket>; target_session_attrs: 'primary'; hosts: string[] } | Record<string, never>
  /** As `options`, for a client whose connection is opened again by itself only where opening it did not fail. */
  patientOptions: Primary['options']
  close(): Promise<void>
}

/**
 * Looks at the primary every two seconds. When it does not answer, or has become a standby, and another server accepts
 * changes, connections to it are cut: their queries fail at once, where they would otherwise wait for as long as TCP does.
 * @throws NoPrimaryError
 */
export const followPrimary = async (url: string, log: Logger): Promise<Primary> => {
  if (hostUrls(url)?.length === 1) return { url, options: {}, patientOptions: {}, close: async () => {} }
  let current = await findPrimary(url)
  let client: Sql | null = null
  let wake = new AbortController()
  const closing = new AbortController()
  /** With the server that each leads to. */
  const sockets = new Map<Socket, URL>()

  const cut = (isCut: (leads: URL) => boolean): void => {
    for (const [socket, leads] of sockets) if (isCut(leads)) socket.destroy()
  }

  /** Whether the primary is known to be the primary. */
  const isWell = async (): Promise<boolean> => {
    client ??= clientOf(current)
    const used = client
    const role = await ask(used, current).then(
      (seen) => seen.role,
      () => 'away' as const,
    )
    if (role === 'primary') return true
    client = null
    void used.end({ timeout: 0 })
    const former = current
    const found = await findPrimary(url).catch(() => null)
    if (closing.signal.aborted) return true
    // It was slow, or restarted.
    if (found?.href === former.href) return true
    if (found !== null) {
      current = found
      log.warn({ from: placeOf(former), to: placeOf(found) }, 'Another server is the primary of the database now')
      cut((leads) => leads !== found)
    } else if (role === 'standby') cut(() => true)
    return found !== null
  }

  const watch = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      const pause = (await isWell()) ? times.pause : times.retryPause
      // A connection that failed is a reason to look at once; not while looks follow each other anyway.
      const signal = AbortSignal.any([closing.signal, ...(pause === times.pause ? [wake.signal] : [])])
      await sleep(pause, undefined, { signal, ref: false }).catch(() => {})
      if (wake.signal.aborted) wake = new AbortController()
    }
  }

  const open = (): Promise<Socket> => {
    const leads = current
    return opened(leads).then(
      (socket) => {
        for (const each of sockets.keys()) if (each.destroyed) sockets.delete(each)
        sockets.set(socket, leads)
        // Whatever the reason: TLS would remove this listener, but such a connection is found by the watch as well.
        socket.once('close', () => wake.abort())
        return socket
      },
      (error: unknown) => {
        wake.abort()
        throw error
      },
    )
  }

  const openPatiently = async (): Promise<Socket> => {
    for (;;) {
      try {
        return await open()
      } catch (error) {
        if (closing.signal.aborted) throw error
        await sleep(times.retryPause, undefined, { ref: false })
      }
    }
  }

  const watching = watch()
  const hosts = (hostUrls(url) ?? []).map(hostOf)
  return {
    url: plain(current),
    options: { socket: open, target_session_attrs: 'primary', hosts },
    patientOptions: { socket: openPatiently, target_session_attrs: 'primary', hosts },
    async close() {
      closing.abort()
      await client?.end({ timeout: 0 })
      await watching
    },
  }
}

/** A connection to that host; the driver checks the certificate against `host`. */
const opened = (url: URL): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const address = { host: hostOf(url), port: Number(url.port || 5432) }
    const socket = connectSocket(address)
    const giveUp = setTimeout(() => {
      socket.destroy(Object.assign(new Error('the server does not answer'), { code: 'CONNECT_TIMEOUT' }))
    }, times.answer)
    socket.once('error', reject)
    socket.once('close', () => clearTimeout(giveUp))
    socket.once('connect', () => {
      clearTimeout(giveUp)
      socket.removeListener('error', reject)
      resolve(Object.assign(socket, address))
    })
  })
