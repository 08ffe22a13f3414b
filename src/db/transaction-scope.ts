import type { TransactionSql } from 'postgres'
import { asPrepared, type IsFrequent } from './frequent.ts'
import { commit, inTransactionText } from './in-order.ts'

/** A query bypassed the handle of the transaction it runs in. */
export class TransactionEscapeError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'TransactionEscapeError'
  }
}

/** The connection of the transaction was lost and the transaction with it, or the database is being closed. */
export class ConnectionLostError extends Error {
  readonly code = 'CONNECTION_CLOSED'
  constructor(message = 'The connection to the database was lost; the transaction was not committed') {
    super(message)
    this.name = 'ConnectionLostError'
  }
}

/** One transaction, from `begin` to its end. */
export interface Scope {
  /** Its callback is running. */
  open: boolean
  /** Its connection was closed before the end, or `begin` failed. */
  lost: boolean
  /** Settles with what the server answers to `begin`, which is sent together with the first reads. */
  readonly begun: Deferred<void>
  /** Settles instead of the driver's promise, where the callback sent the `commit` itself, or `begin` failed. */
  readonly ended: Deferred<unknown>
  /** Resolves when the callback's own `commit` was answered; null: it has sent none. */
  committed: Promise<void> | null
}

/** A promise, and what settles it. */
interface Deferred<T> {
  promise: Promise<T>
  resolve: (value: T) => void
  reject: (error: unknown) => void
}

const deferred = <T>(): Deferred<T> => {
  const parts: Partial<Deferred<T>> = {}
  const promise = new Promise<T>((resolve, reject) => Object.assign(parts, { resolve, reject }))
  // The caller that waits for it is told, and there may be none.
  promise.catch(() => {})
  return { ...parts, promise } as Deferred<T>
}

export const newScope = (): Scope => ({
  open: false,
  lost: false,
  begun: deferred(),
  ended: deferred(),
  committed: null,
})

/** Ends a transaction whose `begin` failed: its callback goes no further, and its result is dropped. */
export const failBegin = (scope: Scope, error: unknown): void => {
  scope.lost = true
  scope.begun.reject(error)
  scope.ended.reject(error)
}

export type AnyFunction = (...input: unknown[]) => unknown
export type Callback = (tx: TransactionSql) => unknown

/**
 * The callback's result, for the driver. It never settles once the connection is lost, so that no rollback or commit is
 * sent, nor if the callback has sent the commit itself.
 */
export const runCallback = (
  scope: Scope,
  callback: Callback,
  tx: TransactionSql,
  isFrequent: IsFrequent,
): Promise<unknown> =>
  new Promise((resolve, reject) => {
    // Until then, queries of the callback may still wait to be sent.
    const end = (settle: () => void): void => void scope.begun.promise.then(settle, () => {})
    settled(scope, () => callback(scopedHandle(scope, tx, isFrequent, queryOrder(scope)))).then(
      (value) =>
        end(() => {
          if (scope.committed === null) resolve(value)
          else scope.committed.then(() => scope.ended.resolve(value), scope.ended.reject)
        }),
      (error) =>
        end(() => {
          if (scope.committed === null) reject(error)
          else scope.committed.catch(() => {}).then(() => scope.ended.reject(error))
        }),
    )
  })

/** What the callback comes to, unless the connection is lost meanwhile. */
const settled = (scope: Scope, callback: () => unknown): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const whileConnected =
      (settle: (value: unknown) => void) =>
      (value: unknown): void => {
        if (!scope.lost) settle(value)
      }
    const run = async (): Promise<unknown> => callback()
    run().then(whileConnected(resolve), whileConnected(reject))
  })

/** The parts of the driver's query that send it, when it is awaited. */
interface DriverQuery extends Promise<{ command?: string }> {
  handler: (query: DriverQuery) => unknown
  reject: (error: unknown) => void
}

/**
 * Sends the queries of a transaction in their order, the first of them together with `begin`. If that fails, the server
 * carries out what was sent after it, each on its own. So until it is answered, only reads are sent, and what does nothing
 * outside of a transaction; the rest waits.
 */
const queryOrder = (scope: Scope) => {
  let begun = false
  let waiting = 0
  scope.begun.promise.then(
    () => {
      begun = true
    },
    () => {},
  )
  return (query: DriverQuery, text: string): void => {
    if (begun) return
    const { handler } = query
    query.handler = (one) => {
      if (begun || (waiting === 0 && maySendBeforeBegin(text))) return handler(one)
      waiting += 1
      return scope.begun.promise.then(() => handler(one), one.reject)
    }
  }
}

const maySendBeforeBegin = (text: string): boolean =>
  text === commit || /^\s*select\b/i.test(text) || text.includes(inTransactionText)

const trackCommit = (scope: Scope, query: DriverQuery): void => {
  const { handler } = query
  query.handler = (one) => {
    scope.committed = one.then(({ command }) => {
      // The server rolls back a transaction in which a statement failed.
      if (command !== 'COMMIT') throw new Error('A statement failed; the transaction was not committed')
    })
    scope.committed.catch(() => {})
    return handler(one)
  }
}

const scopedHandle = (
  scope: Scope,
  tx: TransactionSql,
  isFrequent: IsFrequent,
  order: (query: DriverQuery, text: string) => void,
  isNested = false,
): TransactionSql => {
  const requireOpen = (): void => {
    if (scope.lost) throw new ConnectionLostError()
    if (!scope.open || scope.committed !== null) {
      throw new TransactionEscapeError('A query was made on the handle of a transaction that has ended')
    }
  }
  return new Proxy(tx, {
    apply: (target, self, input) => {
      requireOpen()
      const made: unknown = Reflect.apply(target, self, input)
      const [{ raw }] = input
      if (raw) order(made as DriverQuery, raw[0])
      return made
    },
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name)
      if (name === 'unsafe') {
        return (text: string, parameters?: unknown[], options?: object) => {
          requireOpen()
          const query = (value as AnyFunction)(...asPrepared(isFrequent, text, parameters, options)) as DriverQuery
          order(query, text)
          if (text === commit) {
            if (isNested) throw new TransactionEscapeError('A savepoint cannot commit its transaction')
            trackCommit(scope, query)
          }
          return query
        }
      }
      if (name !== 'savepoint') return value
      return async (...input: [Callback] | [string, Callback]) => {
        requireOpen()
        const callback = input[input.length - 1] as Callback
        const nested = (inner: TransactionSql): Promise<unknown> =>
          settled(scope, () => callback(scopedHandle(scope, inner, isFrequent, order, true)))
        // The driver sends the savepoint by itself.
        await scope.begun.promise
        return input.length === 2 ? target.savepoint(input[0], nested) : target.savepoint(nested)
      }
    },
  })
}
