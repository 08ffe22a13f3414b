import { AsyncLocalStorage } from 'node:async_hooks'
import type { Sql, TransactionSql } from 'postgres'

/** A query was sent around the handle of the transaction it runs in. */
export class TransactionEscapeError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'TransactionEscapeError'
  }
}

/** The connection a transaction ran on is gone, and the transaction with it. */
export class ConnectionLostError extends Error {
  readonly code = 'CONNECTION_CLOSED'
  constructor() {
    super('The connection to the database was lost; the transaction was not committed')
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

/**
 * Makes two mistakes of transactions on postgres.js impossible.
 *
 * 1. A query beside the transaction's handle: on the embedded database (one connection) it would wait for ever for the
 *    transaction that waits for it; on a pool it would silently run outside. It throws TransactionEscapeError.
 * 2. A connection that closes inside a transaction: postgres.js 3.4 goes on to write `rollback` to the socket that is
 *    no more, which ends the process, or runs the rest of the callback on a new connection outside any transaction
 *    (porsager/postgres#1154, #1155, #1208). Here the callback's next query throws ConnectionLostError, its outcome is
 *    dropped, and `begin` rejects with the driver's error.
 *
 * @param connect creates the client with the `onclose` it is given.
 */
export const guardTransactions = (connect: (onclose: (connection: number) => void) => Sql): Sql => {
  const scopes = new AsyncLocalStorage<Scope>()
  const scopeOf = new Map<number, Scope>()
  const sql = connect((connection) => {
    const scope = scopeOf.get(connection)
    if (scope) scope.lost = true
  })

  const refuseInside = (): void => {
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
    refuseInside()
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

  return new Proxy(sql, {
    apply: (target, self, input) => {
      refuseInside()
      return Reflect.apply(target, self, input)
    },
    get: (target, name) => {
      if (name === 'begin') return begin
      const value: unknown = Reflect.get(target, name)
      if (name !== 'unsafe' && name !== 'reserve' && name !== 'file') return value
      return (...input: unknown[]) => {
        refuseInside()
        return (value as AnyFunction)(...input)
      }
    },
  })
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
