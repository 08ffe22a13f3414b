import type { PendingQuery, Row, Sql } from 'postgres'
import { fixQueues, type Queued } from './driver-queue.ts'
import { ConnectionLostError } from './transaction-scope.ts'
import { isConnectionLost } from './unavailable.ts'
import { type PendingItems, pendingItems } from './under-way.ts'

/** The driver's clients over time: new work goes to the newest, older ones finish what they have sent. */
export interface RenewedClient {
  driver(): Sql
  /** The newest client, as `prepared` uses it; `driver` has its handle for all else. */
  newest(): Client
  /** Runs a query on the newest client, as the driver's `unsafe` does. */
  query: Unsafe
  /** Runs a transaction of the newest client, which ends after it, also when it has lost other connections. */
  trackTransaction<T>(transaction: () => Promise<T>): Promise<T>
  /** Queries of the newest client that were sent and not answered, and those that wait for a connection. */
  load(): { sent: number; waiting: number }
  /** Ends all of them; work that is not finished after `timeout` seconds is cancelled. */
  end(timeout: number): Promise<void>
}

export type Unsafe = (text: string, parameters?: unknown[], options?: object) => PendingQuery<Row[]>

/** What the driver reveals about a connection. */
export interface Connection extends Queued {
  id: number
  /** Of a connection that a transaction holds: sends the next statement that waits, or lets further ones be sent. */
  reserved: (() => unknown) | null
}

interface BeginOptions {
  /** Called when the query has been sent. */
  onexecute?: (connection: Connection) => unknown
}

/** Sends a `begin` of the driver, with its options or others. */
export type SendBegin = (
  send: (options: BeginOptions) => PendingQuery<Row[]>,
  options?: BeginOptions,
) => { execute(): PromiseLike<unknown> }

/** A transaction whose `begin` was never sent: it can be started again. */
export class NotBegunError extends Error {}

/** The parts of the driver's query that show and decide its state. */
interface DriverQuery extends PendingQuery<Row[]> {
  resolve: (rows: unknown) => void
  reject: (error: unknown) => void
  /** The form of the rows (`values()`). */
  isRaw: unknown
  /** null until the query is given to a connection. */
  state: unknown
}

export interface Client {
  /** The driver's own. Its result must be passed to `watch`. */
  unsafe: Unsafe
  /** Calls `retry` where this client can no longer run the query. */
  watch(query: PendingQuery<Row[]>, retry: () => PendingQuery<Row[]>): PendingQuery<Row[]>
}

interface OwnClient extends Client {
  sql: Sql
  pending: PendingItems<DriverQuery>
  transactions: Set<Promise<unknown>>
}

/**
 * Milliseconds that queries have to finish after a connection of their client was lost: some of them will never be answered.
 * Transactions are not limited. The driver says of each whether its own connection was lost, and one that takes long is a backup
 * or an import.
 */
const gracePeriod = 10_000

/**
 * Creates a new client as soon as a connection of the present one is lost, because in postgres.js 3.4.9 a lost
 * connection damages the next one:
 * - It keeps what was about to be written and assumes a timer that will send it, so that nothing is sent any more
 *   (CONNECT_TIMEOUT at every use).
 * - A query that it gets between the loss and its detection waits for ever.
 * - It keeps the server's last message (FATAL, 57P01) and rejects the next query with it.
 * Queries that were not sent move to the new client.
 * @param connect creates a client that never closes a connection for being idle or old
 * @param renews false: one client for ever, where two at a time would disturb each other
 * @param pipelines whether a connection gets queries while one is not answered
 * @param sendBegin sends the `begin` of the driver's transactions
 */
export const openRenewedClient = (
  connect: (onclose: () => void) => Sql,
  { renews, pipelines, sendBegin }: { renews: boolean; pipelines: boolean; sendBegin: SendBegin },
): RenewedClient => {
  const old = new Set<Sql>()
  let ending = false

  const open = (): OwnClient => {
    const sql = connect(() => replace(client))
    const driverUnsafe = sql.unsafe as unknown as Unsafe
    const needsNoGuard = pipelines && sql.options.max === 1
    const unsafe: Unsafe = needsNoGuard
      ? driverUnsafe
      : (text, parameters, options: BeginOptions = {}) => {
          const onexecute = (connection: Connection): unknown => {
            fixQueues(connection)
            // The driver gives a connection no further query where this does not return true.
            return options.onexecute ? options.onexecute(connection) : pipelines
          }
          return driverUnsafe(text, parameters, { ...options, onexecute })
        }
    const pending = pendingItems<DriverQuery>()
    const client: OwnClient = {
      sql,
      unsafe,
      pending,
      transactions: new Set(),
      watch: (query, again) => watch(client, query, again),
    }
    // The driver's `begin` uses this; where it was not sent, the whole transaction must be restarted.
    const begin = (text: string, parameters?: unknown[], options?: object) =>
      sendBegin(
        (ownOptions) =>
          watch(client, unsafe(text, parameters, ownOptions), () => {
            throw new NotBegunError('The transaction has not begun')
          }),
        options,
      )
    sql.unsafe = begin as unknown as Sql['unsafe']
    return client
  }

  const replace = (client: OwnClient): void => {
    const { sql, pending } = client
    if (!renews || ending || client !== current) return
    current = open()
    // The query builder has set how values are read and written, once, at the first client.
    Object.assign(current.sql.options.parsers, sql.options.parsers)
    Object.assign(current.sql.options.serializers, sql.options.serializers)
    for (const query of pending.items()) if (query.state === null) query.cancel()
    old.add(sql)
    setTimeout(() => void retire(client), gracePeriod).unref()
  }

  const retire = async ({ sql, pending, transactions }: OwnClient): Promise<void> => {
    const lost = new ConnectionLostError('The connection to the database was lost')
    for (const query of pending.items()) query.reject(lost)
    await Promise.allSettled(transactions)
    old.delete(sql)
    await sql.end({ timeout: 0 })
  }

  const watch = (client: OwnClient, started: PendingQuery<Row[]>, retry: () => PendingQuery<Row[]>) => {
    const query = started as DriverQuery
    const { resolve, reject } = query
    const place = client.pending.add(query)
    query.resolve = (rows) => {
      client.pending.remove(place)
      resolve(rows)
    }
    query.reject = (error) => {
      // The driver may reject one query twice; only the first time counts.
      if (!client.pending.remove(place)) return
      const unsent = (query.state === null && client !== current) || isShutdownNotice(error)
      if (isConnectionLost(error)) replace(client)
      if (!unsent) return reject(error)
      try {
        const next = retry() as DriverQuery
        next.isRaw = query.isRaw
        next.then(resolve, reject)
      } catch (refusal) {
        reject(refusal)
      }
    }
    return query
  }

  const query: Unsafe = (text, parameters, options) =>
    watch(current, current.unsafe(text, parameters, options), () => query(text, parameters, options))

  let current = open()
  return {
    driver: () => current.sql,
    newest: () => current,
    query,
    trackTransaction(transaction) {
      const { transactions } = current
      const running = transaction()
      transactions.add(running)
      return running.finally(() => transactions.delete(running))
    },
    load() {
      const queries = current.pending.items()
      const waiting = queries.filter(({ state }) => state === null).length
      return { sent: queries.length - waiting, waiting }
    },
    async end(timeout) {
      ending = true
      await Promise.all([...old, current.sql].map((sql) => sql.end({ timeout })))
    },
  }
}

/**
 * The server's last message reaches a running query as CONNECTION_CLOSED. With its own code it is not about this query.
 */
const isShutdownNotice = (error: unknown): boolean =>
  error instanceof Error &&
  Reflect.get(error, 'severity') === 'FATAL' &&
  ['57P01', '57P02'].includes(String(Reflect.get(error, 'code')))
