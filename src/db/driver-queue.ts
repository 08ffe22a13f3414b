/** The driver's list of its connections in one state, for example of those that are open and idle. */
export interface DriverQueue {
  readonly length: number
  push(connection: unknown): unknown
  shift(): unknown
  /** @returns null: it is not there */
  remove(connection: unknown): unknown
}

/** What the driver reveals about a connection and its lists. */
export interface Queued {
  /** Where the driver has it: while a query is being sent, still where it was before. */
  queue: DriverQueue
  /** The driver calls `start` when it has put the connection into the list of the idle ones. */
  idleTimer: { start(): void }
}

const boundedQueues = new WeakSet<DriverQueue>()
/** The lists of idle connections. */
const idleQueues = new WeakSet<DriverQueue>()
const fixedConnections = new WeakSet<Queued>()

/**
 * Mends the driver's lists that this connection, which a query is being sent on, is in now and will be in when it is idle.
 * They are bounded (see `boundQueue`), and of the idle connections the one that was used last is taken first. The driver takes the
 * one that has been idle for longest, so that a lone caller goes round ten connections, each of which has to prepare every
 * statement, and none stays warm.
 */
export const fixQueues = (connection: Queued): void => {
  boundQueue(connection.queue)
  if (fixedConnections.has(connection)) return
  fixedConnections.add(connection)
  const { idleTimer } = connection
  const { start } = idleTimer
  idleTimer.start = () => {
    boundQueue(connection.queue)
    idleQueues.add(connection.queue)
    start()
  }
}

/**
 * Lets the driver's list hold its connections alone. Its own keeps an empty place for each one that was taken from the front
 * until all were taken at the same time, and searches these places for each query: ten connections that were never all
 * busy at once needed more processor time with every query (54 µs each after 80,000, 125 µs after 160,000).
 */
export const boundQueue = (queue: DriverQueue): void => {
  if (boundedQueues.has(queue)) return
  boundedQueues.add(queue)
  const connections: unknown[] = []
  while (queue.length > 0) connections.push(queue.shift())
  Object.defineProperties(queue, {
    length: { get: () => connections.length },
    shift: { value: () => (idleQueues.has(queue) ? connections.pop() : connections.shift()) },
    push: {
      value: (connection: unknown) => {
        connections.push(connection)
        return connection
      },
    },
    remove: {
      value: (connection: unknown) => {
        const place = connections.indexOf(connection)
        return place < 0 ? null : connections.splice(place, 1)[0]
      },
    },
  })
}
