import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import type { Sql } from 'postgres'
import { type Client, NotBegunError, succession } from './succession.ts'
import {
  type AnyFunction,
  type Callback,
  ConnectionLostError,
  outcomeOf,
  type Scope,
  TransactionEscapeError,
} from './transaction-scope.ts'

export interface GuardedClient {
  sql: Sql
  /** Takes no more queries, waits up to `patience` milliseconds for those it has, ends the rest. */
  end(patience: number): Promise<void>
}

/**
 * Makes four faults around postgres.js 3.4 impossible.
 *
 * 1. A query beside the transaction's handle: on the embedded database (one connection) it would wait for ever for the
 *    transaction that waits for it; on a pool it would silently run outside. It throws TransactionEscapeError.
 * 2. A connection that closes inside a transaction: the driver goes on to write `rollback` to the socket that is
 *    no more, which ends the process, or runs the rest of the callback on a new connection outside any transaction
 *    (porsager/postgres#1154, #1155, #1208). Here the callback's next query throws ConnectionLostError, its outcome is
 *    dropped, and `begin` rejects with the driver's error.
 * 3. The driver's own `end` forgets queries that wait for a connection, and opens one for them when it has ended.
 * 4. A connection that closed carries what was left of its past into its next life (see succession.ts).
 *
 * @param connect creates the client with the `onclose` it is given.
 * @param connectShort creates another one for short queries (see `newestClient`); without it they go to the same one. It
 * has one connection: where several are never all idle, the driver searches all it was asked before for every query.
 * @param catchEscapes whether to look for fault 1. It takes an AsyncLocalStorage, which slows down everything that
 * happens in the process (Node 20 follows every promise for it).
 * @param renews whether to avoid fault 4; not on the embedded database, whose connections must follow each other.
 */
export const guardClient = (
  connect: Connect,
  { catchEscapes, renews, connectShort }: { catchEscapes: boolean; renews: boolean; connectShort?: Connect },
): GuardedClient => {
  let ending = false
  const scopes = catchEscapes ? new AsyncLocalStorage<Scope>() : null
  /** The transaction whose `begin` is being sent: the driver does that before `begin` returns. */
  let beginning: Scope | undefined
  const scopeOf = new Map<number, Scope>()
  const open = (onclose: () => void): Sql =>
    connect((connection) => {
      const scope = scopeOf.get(connection)
      if (scope) scope.lost = true
      onclose()
    })
  /** `begin` finds its connection through this internal option of `unsafe`: the one place that tells which it is. */
  const noting = (options: { onexecute?: (connection: Connection) => unknown } = {}): object => {
    const { onexecute } = options
    const scope = beginning
    if (!onexecute || !scope) return options
    const noted = (connection: Connection): unknown => {
      scopeOf.set(connection.id, scope)
      return onexecute(connection)
    }
    return { ...options, onexecute: noted }
  }
  const clients = succession(open, { renews, noting })
  const short = connectShort ? succession(connectShort, { renews, noting: (options) => options }) : clients

  const refuse = (): void => {
    if (ending) throw new ConnectionLostError('The database is being closed')
    if (scopes?.getStore()?.open) {
      throw new TransactionEscapeError(
        'A query was made outside its transaction: inside db.transaction(…) use the handle the callback is given',
      )
    }
  }

  const begin = async (...input: [Callback] | [string, Callback]): Promise<unknown> => {
    for (;;) {
      refuse()
      try {
        return await transaction(...input)
      } catch (error) {
        if (!(error instanceof NotBegunError)) throw error
      }
    }
  }

  const transaction = async (...input: [Callback] | [string, Callback]): Promise<unknown> => {
    const callback = input[input.length - 1] as Callback
    const options = input.length === 2 ? input[0] : ''
    const scope: Scope = { open: false, lost: false }
    try {
      const start = (): Promise<unknown> => {
        beginning = scope
        try {
          return clients.current().begin(options, (tx) => {
            scope.open = true
            return outcomeOf(scope, callback, tx)
          })
        } finally {
          beginning = undefined
        }
      }
      return await (scopes ? scopes.run(scope, start) : start())
    } finally {
      scope.open = false
      for (const [connection, held] of scopeOf) if (held === scope) scopeOf.delete(connection)
    }
  }

  const guarded = new Proxy(clients.current(), {
    apply: (_, self, input) => {
      refuse()
      return Reflect.apply(clients.current(), self, input)
    },
    get: (_, name) => {
      if (name === 'begin') return begin
      if (name === newest || name === newestShort) {
        refuse()
        return (name === newest ? clients : short).newest()
      }
      const value: unknown = name === 'unsafe' ? clients.query : Reflect.get(clients.current(), name)
      if (name !== 'unsafe' && name !== 'reserve' && name !== 'file') return value
      return (...input: unknown[]) => {
        refuse()
        return (value as AnyFunction)(...input)
      }
    },
  })

  const end = async (patience: number): Promise<void> => {
    ending = true
    const started = performance.now()
    // Connections are handed out in order: when this has run, no query before it is still waiting for one.
    const both = [...new Set([clients, short])]
    const settled = Promise.all(both.map(({ query }) => Promise.resolve(query('select 1')).catch(() => {})))
    await Promise.race([settled, delay(patience, undefined, { ref: false })])
    const left = Math.max(0, patience - (performance.now() - started)) / 1000
    await Promise.all(both.map((each) => each.end(left)))
  }

  return { sql: guarded, end }
}

/** Creates a client of the driver with the `onclose` it is given. */
export type Connect = (onclose: (connection: number) => void) => Sql

const newest = Symbol('newest client')
const newestShort = Symbol('newest client for short queries')

/**
 * The client of the driver that a guarded one stands for now.
 * @param short the one for queries that take well below a millisecond: many of them are sent together over one
 * connection, which spares most of what sending costs. A long one would hold up those behind it.
 * @throws where it would refuse a query
 */
export const newestClient = (guarded: Sql, short = false): Client => Reflect.get(guarded, short ? newestShort : newest)

/** What the driver tells of a connection. */
interface Connection {
  id: number
}
