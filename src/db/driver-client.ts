import type { Sql } from 'postgres'
import { inTime } from '../concurrency/in-time.ts'
import { driverTransactions } from './driver-transactions.ts'
import { asPrepared, frequentStatements } from './frequent.ts'
import { type Client, openRenewedClient } from './renewed-client.ts'
import { type AnyFunction, ConnectionLostError, TransactionEscapeError } from './transaction-scope.ts'

export interface DriverClient {
  sql: Sql
  /** What its connections do now. */
  pools(): PoolFigures[]
  /** Accepts no more queries, waits up to `timeout` milliseconds for those in progress, cancels the rest. */
  end(timeout: number): Promise<void>
}

/** What the connections of a pool do. A connection that carries several queries counts once for each, up to its size. */
export interface PoolFigures {
  pool: 'main' | 'short'
  /** The most connections that it opens. */
  size: number
  /** Connections that a transaction holds or a query is on. */
  used: number
  /** Queries and transactions that wait for a connection. */
  waiting: number
}

/**
 * Prevents six faults around postgres.js 3.4.
 *
 * 1. A query that bypasses the transaction's handle. On the embedded database (one connection) it would wait for the
 *    transaction, which waits for it. On a pool it would silently run outside of the transaction. It throws
 *    TransactionEscapeError.
 * 2. A connection that closes inside a transaction. The driver then writes `rollback` to the closed socket, which ends
 *    the process, or runs the rest of the callback on a new connection outside of any transaction
 *    (porsager/postgres#1154, #1155, #1208). Here the callback's next query throws ConnectionLostError, its result is
 *    dropped, and `begin` rejects with the driver's error.
 * 3. The driver's own `end` forgets queries that wait for a connection, and opens one for them after it has ended.
 * 4. A connection that closed keeps state that damages the next one (see renewed-client.ts).
 * 5. Behind a query that is not answered yet it sends another one that is not prepared as Parse, Describe and Flush.
 *    PgBouncer counts only what ends with Sync: when the first is answered it gives the server's connection to others, and
 *    the second waits for ever, or others get its answer. With PgBouncer a connection has one query at a time;
 *    only within a transaction, which holds the server's connection, it has several.
 * 6. Where its connections are never all busy at once, each query takes longer than the one before, and a lone caller gets
 *    another connection for each query (see driver-queue.ts).
 *
 * The driver stays nevertheless: the project requires it, and 3.4.9, its newest version, has all six. `pg` 8.23 would
 * need a guard against the first alone, and was measured as faster; docs/decisions.md has the figures.
 *
 * @param connect creates the client with the `onclose` it is given.
 * @param connectShort creates a second client for short queries (see `newestShortClient`); without it they use the same one.
 * It has one connection: over one, more of them are sent together.
 * @param catchEscapes whether to check for fault 1. It needs an AsyncLocalStorage, which slows down the whole process
 * (Node 20 follows every promise for it).
 * @param renews whether to prevent fault 4; not on the embedded database, which allows one connection at a time.
 * @param pipelines false: PgBouncer is in between (fault 5).
 */
export const openDriverClient = (
  connect: Connect,
  { catchEscapes, renews, pipelines = true, connectShort }: DriverClientOptions,
): DriverClient => {
  let ending = false
  const isFrequent = frequentStatements()
  const transactions = driverTransactions({
    catchEscapes,
    pipelines,
    isFrequent,
    requireUsable: () => requireUsable(),
    client: () => clients,
  })
  const open = (onclose: () => void): Sql =>
    connect((connection) => {
      transactions.connectionClosed(connection)
      onclose()
    })
  const clients = openRenewedClient(open, { renews, pipelines, sendBegin: transactions.sendBegin })
  const short = connectShort
    ? openRenewedClient(connectShort, { renews, pipelines, sendBegin: (send, options = {}) => send(options) })
    : clients

  const requireUsable = (): void => {
    if (ending) throw new ConnectionLostError('The database is being closed')
    if (transactions.isInside()) {
      throw new TransactionEscapeError(
        'A query was made outside its transaction: inside db.transaction(…) use the handle the callback is given',
      )
    }
  }

  const guarded = new Proxy(clients.driver(), {
    apply: (_, self, input) => {
      requireUsable()
      const made: unknown = Reflect.apply(clients.driver(), self, input)
      // The driver sends this one by itself.
      if (!pipelines && made instanceof Promise) Object.assign(Reflect.get(made, 'options'), withoutPipelining)
      return made
    },
    get: (_, name) => {
      if (name === 'begin') return transactions.begin
      if (name === newest || name === newestShort) {
        requireUsable()
        return (name === newest ? clients : short).newest()
      }
      if (name === 'unsafe') {
        return (text: string, parameters?: unknown[], options?: object) => {
          requireUsable()
          return clients.query(...asPrepared(isFrequent, text, parameters, options))
        }
      }
      const value: unknown = Reflect.get(clients.driver(), name)
      if (name !== 'reserve' && name !== 'file') return value
      return (...input: unknown[]) => {
        requireUsable()
        return (value as AnyFunction)(...input)
      }
    },
  })

  const end = async (timeout: number): Promise<void> => {
    ending = true
    const started = performance.now()
    // Connections are given out in order: when this query has run, no earlier query waits for one.
    const distinctClients = [...new Set([clients, short])]
    const settled = Promise.all(distinctClients.map(({ query }) => Promise.resolve(query('select 1')).catch(() => {})))
    await inTime(timeout, settled, () => {})
    const left = Math.max(0, timeout - (performance.now() - started)) / 1000
    await Promise.all(distinctClients.map((each) => each.end(left)))
  }

  const figuresOf = (
    pool: PoolFigures['pool'],
    { driver: current, load }: typeof clients,
    holding: number,
  ): PoolFigures => {
    const { sent, waiting } = load()
    const size = current().options.max
    return { pool, size, used: Math.min(size, holding + sent), waiting }
  }
  const pools = (): PoolFigures[] => [
    figuresOf('main', clients, transactions.open()),
    ...(short === clients ? [] : [figuresOf('short', short, 0)]),
  ]

  return { sql: guarded, pools, end }
}

/** Of a query: while it is on its way, its connection gets no other. */
const withoutPipelining = { onexecute: () => false }

interface DriverClientOptions {
  catchEscapes: boolean
  renews: boolean
  pipelines?: boolean
  connectShort?: Connect
}

/** Creates a client of the driver with the `onclose` it is given. */
export type Connect = (onclose: (connection: number) => void) => Sql

const newest = Symbol('newest client')
const newestShort = Symbol('newest client for short queries')

/**
 * The driver's client that this client uses now.
 * @throws where it would refuse a query
 */
export const newestClient = (guarded: Sql): Client => Reflect.get(guarded, newest)

/**
 * The same for queries that take well below a millisecond. Many of them are pipelined over one connection, which avoids most
 * of the cost of sending. A long query would delay those behind it.
 */
export const newestShortClient = (guarded: Sql): Client => Reflect.get(guarded, newestShort)
