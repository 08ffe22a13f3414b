import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import type { Sql, TransactionSql } from 'postgres'

/** A query was sent around the handle of the transaction it runs in. */
export class TransactionEscapeError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'TransactionEscapeError'
  }
}

/** The connection a transaction ran on is gone and the transaction with it, or the database is being closed. */
export class ConnectionLostError extends Error {
  readonly code = 'CONNECTION_CLOSED'
  constructor(message = 'The connection to the database was lost; the transaction was not committed') {
    super(message)
    this.name = 'ConnectionLostError'
  }
}

/** One transaction, from its `begin` to its end. */
interface Scope {
  /** Its callback runs. */
  open: boolean
  /** Its connection closed under it. */
  lost: boolean
}

export interface GuardedClient {
  sql: Sql
  /** Takes no more queries, waits up to `patience` milliseconds for those it has, ends the rest. */
  end(patience: number): Promise<void>
}

/**
 * Makes three faults around postgres.js impossible.
 *
 * 1. A query beside the transaction's handle: on the embedded database (one connection) it would wait for ever for the
 *    transaction that waits for it; on a pool it would silently run outside. It throws TransactionEscapeError.
 * 2. A connection that closes inside a transaction: postgres.js 3.4 goes on to write `rollback` to the socket that is
 *    no more, which ends the process, or runs the rest of the callback on a new connection outside any transaction
 *    (porsager/postgres#1154, #1155, #1208). Here the callback's next query throws ConnectionLostError, its outcome is
 *    dropped, and `begin` rejects with the driver's error.
 * 3. The driver's own `end` forgets queries that wait for a connection, and opens one for them when it has ended.
 *
 * @param connect creates the client with the `onclose` it is given.
 */
export const guardClient = (connect: (onclose: (connection: number) => void) => Sql): GuardedClient => {
  let ending = false
  const scopes = new AsyncLocalStorage<Scope>()
  const scopeOf = new Map<number, Scope>()
  const sql = connect((connection) => {
    const scope = scopeOf.get(connection)
    if (scope) scope.lost = true
  })

  const refuse = (): void => {
    if (ending) throw new ConnectionLostError('The database is being closed')
    if (scopes.getStore()?.open) {
      throw new TransactionEscapeError(
        'A query was made outside its transaction: inside db.transaction(…) use the handle the callback is given',
      )
    }
  }

  // `begin` finds its connection through this internal option of `unsafe`: the one place that tells which it is.
  const unsafe = sql.unsafe as unknown as AnyFunction
  sql.unsafe = ((
    text: string,
    parameters?: unknown[],
    options?: { onexecute?: (connection: Connection) => unknown },
  ) => {
    const scope = scopes.getStore()
    const onexecute = options?.onexecute
    if (!onexecute || !scope) return unsafe(text, parameters, options)
    return unsafe(text, parameters, {
      ...options,
      onexecute: (connection: Connection) => {
        scopeOf.set(connection.id, scope)
        return onexecute(connection)
      },
    })
  }) as unknown as Sql['unsafe']

  const begin = async (...input: [Callback] | [string, Callback]): Promise<unknown> => {
    refuse()
    const callback = input[input.length - 1] as Callback
    const options = input.length === 2 ? input[0] : ''
    const scope: Scope = { open: false, lost: false }
    try {
      return await scopes.run(scope, () =>
        sql.begin(options, (tx) => {
          scope.open = true
          return outcomeOf(scope, callback, tx)
        }),
      )
    } finally {
      scope.open = false
      for (const [connection, held] of scopeOf) if (held === scope) scopeOf.delete(connection)
    }
  }

  const guarded = new Proxy(sql, {
    apply: (target, self, input) => {
      refuse()
      return Reflect.apply(target, self, input)
    },
    get: (target, name) => {
      if (name === 'begin') return begin
      const value: unknown = Reflect.get(target, name)
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
    const settled = Promise.resolve(unsafe('select 1')).catch(() => {})
    await Promise.race([settled, delay(patience, undefined, { ref: false })])
    await sql.end({ timeout: Math.max(0, patience - (performance.now() - started)) / 1000 })
  }

  return { sql: guarded, end }
}

interface Connection {
  id: number
}
type AnyFunction = (...input: unknown[]) => unknown
type Callback = (tx: TransactionSql) => unknown

/** What the callback comes to; nothing at all once the connection is lost, so that no rollback or commit is sent. */
const outcomeOf = (scope: Scope, callback: Callback, tx: TransactionSql): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const whileConnected =
      (settle: (value: unknown) => void) =>
      (value: unknown): void => {
        if (!scope.lost) settle(value)
      }
    const run = async (): Promise<unknown> => callback(guardHandle(scope, tx))
    run().then(whileConnected(resolve), whileConnected(reject))
  })

const guardHandle = (scope: Scope, tx: TransactionSql): TransactionSql => {
  const refuseAfter = (): void => {
    if (scope.lost) throw new ConnectionLostError()
    if (!scope.open) throw new TransactionEscapeError('A query was made on the handle of a transaction that has ended')
  }
  return new Proxy(tx, {
    apply: (target, self, input) => {
      refuseAfter()
      return Reflect.apply(target, self, input)
    },
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name)
      if (name === 'unsafe') {
        return (...input: unknown[]) => {
          refuseAfter()
          return (value as AnyFunction)(...input)
        }
      }
      if (name !== 'savepoint') return value
      return (...input: [Callback] | [string, Callback]) => {
        refuseAfter()
        const callback = input[input.length - 1] as Callback
        const nested = (inner: TransactionSql): Promise<unknown> => outcomeOf(scope, callback, inner)
        return input.length === 2 ? target.savepoint(input[0], nested) : target.savepoint(nested)
      }
    },
  })
}
