import { semaphore } from '../concurrency/semaphore.ts'
import type { Logger } from '../runtime/log.ts'
import type { Connection } from './connection.ts'
import { DirectoryError } from './directory-error.ts'
import { statements } from './statements.ts'

export interface SessionOptions {
  /** Makes a connection that is ready to use. */
  open: () => Promise<Connection>
  /** Connections over which requests are pipelined. */
  size: number
  /** Requests in flight at the same time on one of them; more wait. */
  inFlight: number
  /** Milliseconds without a new attempt after a failed one: callers get its error at once. */
  pause: number
  log: Logger
}

/** What the connections to a directory do. */
export interface DirectoryPool {
  /** Connections with a request on them, or given to one caller alone. */
  used: number
  /** Connections that are open and have nothing to do. */
  idle: number
  /** Requests that wait because those before them are not answered yet. */
  waiting: number
}

/** The connections to one directory. A connection that failed is never used again; the next caller opens another. */
export interface Session {
  /** Runs `task`, which reads, on the connection that has the least to do; it shares it with others. */
  read<T>(task: (connection: Connection) => Promise<T>): Promise<T>
  /**
   * Runs `task`, which writes, on the one connection that all writes share. A server has one writer at a time, and slapd
   * gives half of its threads at most to one connection: the others are there for reads while many writes wait.
   */
  write<T>(task: (connection: Connection) => Promise<T>): Promise<T>
  /**
   * Gives a connection to one caller alone, until `release`. Transactions need that, and so do paged searches (slapd
   * keeps one search position per connection).
   */
  exclusive(): Promise<{ connection: Connection; release: () => void }>
  /** What its connections do now. */
  pool(): DirectoryPool
  /** Called when the directory is reached for the first time, and whenever it is reached again after a loss. */
  onUp(listener: () => void): void
  /** Ends all connections: the next caller opens another one. */
  renew(reason: string): void
  close(): void
}

/** Idle exclusive connections kept for the next caller. */
const idleKept = 2

export const createSession = ({ open, size, inFlight, pause, log }: SessionOptions): Session => {
  const listeners: (() => void)[] = []
  const connections = new Set<Connection>()
  const idle: Connection[] = []
  let state: 'new' | 'up' | 'down' | 'closed' = 'new'
  let lastFailure: { error: unknown; until: number } | null = null

  const onLost = (connection: Connection, reason: DirectoryError): void => {
    connections.delete(connection)
    const position = idle.indexOf(connection)
    if (position >= 0) idle.splice(position, 1)
    if (state !== 'up' || connections.size > 0) return
    state = 'down'
    log.warn({ reason: reason.message }, 'The directory was lost')
  }
  const onConnected = (connection: Connection): void => {
    connections.add(connection)
    connection.onEnd((reason) => onLost(connection, reason))
    if (state === 'up') return
    state = 'up'
    log.info('Connected to the directory')
    for (const listener of listeners) listener()
  }
  const connect = async (): Promise<Connection> => {
    if (state === 'closed') throw closedError()
    if (lastFailure && performance.now() < lastFailure.until) throw lastFailure.error
    const connection = await open().catch((error: unknown) => {
      lastFailure = { error, until: performance.now() + pause }
      if (state !== 'closed') state = 'down'
      throw error
    })
    lastFailure = null
    if (isClosed()) {
      connection.close()
      throw closedError()
    }
    onConnected(connection)
    return connection
  }
  /** A function, because the compiler does not see that `state` may change during an await. */
  const isClosed = (): boolean => state === 'closed'

  const openLane = () => {
    const requests = semaphore(inFlight, { batch: Math.ceil(inFlight / 4) })
    const connection = singleFlight(connect)
    const run = <T>(task: (connection: Connection) => Promise<T>): Promise<T> =>
      requests.run(async () => task(await connection.get()))
    return { requests, connection, run }
  }
  const writing = openLane()
  const lanes = [writing, ...Array.from({ length: size - 1 }, openLane)]

  return {
    read(task) {
      return lanes.reduce((least, other) => (other.requests.load < least.requests.load ? other : least)).run(task)
    },
    write: writing.run,
    async exclusive() {
      const connection = idle.pop() ?? (await connect())
      let released = false
      return {
        connection,
        release() {
          if (released || !connection.alive) return
          released = true
          if (idle.length < idleKept && !isClosed()) idle.push(connection)
          else connection.close()
        },
      }
    },
    pool() {
      const free = lanes.filter(({ requests, connection }) => connection.isOpen() && requests.load === 0).length
      return {
        used: connections.size - idle.length - free,
        idle: idle.length + free,
        waiting: lanes.reduce((sum, { requests }) => sum + Math.max(0, requests.load - inFlight), 0),
      }
    },
    onUp(listener) {
      listeners.push(listener)
    },
    renew(reason) {
      for (const connection of [...connections]) connection.close(statements.other_server({ problem: reason }))
    },
    close() {
      state = 'closed'
      for (const connection of [...connections]) connection.close()
    },
  }
}

const closedError = (): DirectoryError => new DirectoryError('unavailable', statements.closed())

/** Keeps one connection: callers that come while it is opened wait for it, a closed one is replaced. */
const singleFlight = (connect: () => Promise<Connection>) => {
  let current: Connection | null = null
  let opening: Promise<Connection> | null = null
  return {
    isOpen: (): boolean => current?.alive === true,
    async get(): Promise<Connection> {
      if (current?.alive) return current
      opening ??= connect().finally(() => {
        opening = null
      })
      current = await opening
      return current
    },
  }
}
