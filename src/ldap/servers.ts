import { messageOf } from '../failures/caught-error.ts'
import type { Statement } from '../failures/statement.ts'
import { steadyTime } from '../runtime/clock.ts'
import type { Logger } from '../runtime/log.ts'
import type { Connection } from './connection.ts'
import { DirectoryError } from './directory-error.ts'
import { joined, statements } from './statements.ts'

/**
 * The servers of one directory, in the order of preference. All connections go to one of them, the current one: a server
 * that follows another one may be behind it, and must not be read while the other is written.
 */
export interface Servers {
  /** Where connections go now. */
  current(): string
  /**
   * Connects to the current server. When it cannot be reached, the next one that can becomes the current one.
   * @throws DirectoryError `unavailable` when none can be reached
   */
  open(): Promise<Connection>
  /**
   * Call it when the current server can be reached and is of no use, such as one that accepts no changes. It is left
   * alone for a while, or until every other one was found to be of no use.
   * @returns whether another one is current now
   */
  leave(reason: string): boolean
  close(): void
}

export interface ServersOptions {
  urls: readonly [string, ...string[]]
  connect: (url: string) => Promise<Connection>
  /** Whether the preferred server can replace the current one, which lacks nothing that the current one has. */
  canReplace: (preferred: string, current: string) => Promise<boolean>
  /** Called when another server has become the current one: connections to the one before have to be ended. */
  switched: () => void
  log: Logger
  /** Milliseconds between attempts to return to a preferred server; one that was left is not tried for two of them. */
  returnInterval: number
  now?: () => number
}

export const openServers = (options: ServersOptions): Servers => {
  const { urls, connect, canReplace, switched, log, returnInterval, now = steadyTime } = options
  let current: string = urls[0]
  let closed = false
  /** URL → until when it is left alone, milliseconds since 1970. */
  const left = new Map<string, number>()

  const isLeft = (url: string): boolean => (left.get(url) ?? 0) > now()
  const moveTo = (url: string, reason: string): void => {
    log.warn({ from: current, to: url, reason }, 'Another server of LDAP_URL is used from now on')
    current = url
    switched()
  }
  /** The current one, then the others in their order, those last that were left. */
  const candidates = (): string[] => {
    const others = urls.filter((url) => url !== current)
    return [current, ...others.filter((url) => !isLeft(url)), ...others.filter(isLeft)]
  }

  /** A new connection, unless the current server was changed while it was opened. */
  const tryServer = async (url: string, since: string, failures: unknown[]): Promise<Connection | 'changed' | null> => {
    const connection = await connect(url).catch((error: unknown) => {
      failures.push(error)
      return null
    })
    if (current !== since) {
      connection?.close()
      return 'changed'
    }
    return connection
  }

  const open = async (): Promise<Connection> => {
    const failures: unknown[] = []
    // Once more for each change of the current server meanwhile; they cannot change for ever while they are tried.
    for (let round = 0; round <= urls.length; round++) {
      const since = current
      for (const url of candidates()) {
        const connection = await tryServer(url, since, failures)
        if (connection === 'changed') break
        if (connection === null) continue
        if (url !== since) moveTo(url, messageOf(failures[0]))
        return connection
      }
      if (current === since) break
    }
    throw allFailed(failures)
  }

  const tryToReturn = async (): Promise<void> => {
    const since = current
    for (const url of urls) {
      if (url === since) return
      if (isLeft(url)) continue
      const can = await canReplace(url, since).catch(() => false)
      if (closed || current !== since) return
      if (can) return moveTo(url, 'it can be reached again, and is preferred')
    }
  }
  let returning = false
  const timer = setInterval(() => {
    if (returning || current === urls[0]) return
    returning = true
    void tryToReturn().finally(() => {
      returning = false
    })
  }, returnInterval)
  timer.unref()

  return {
    current: () => current,
    open,
    leave(reason) {
      left.set(current, now() + 2 * returnInterval)
      const next = urls.find((url) => !isLeft(url))
      if (next === undefined) return false
      moveTo(next, reason)
      return true
    },
    close() {
      closed = true
      clearInterval(timer)
    },
  }
}

const statedOf = (error: unknown): Statement =>
  error instanceof DirectoryError ? error.stated : statements.said({ words: messageOf(error) })

/** The first failure, with its code, and the reasons of all. */
const allFailed = (failures: readonly unknown[]): unknown => {
  const [first] = failures
  if (!(first instanceof DirectoryError)) return first
  const reasons = new Map(failures.map((failure) => [messageOf(failure), statedOf(failure)]))
  if (reasons.size <= 1) return first
  const { kind, code, answered } = first
  return new DirectoryError(kind, joined([...reasons.values()]), { code, answered, cause: first })
}
