import type { TransactionSql } from 'postgres'
import { asPrepared } from './frequent.ts'

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
  /** Its connection was closed before the end. */
  lost: boolean
}

export type AnyFunction = (...input: unknown[]) => unknown
export type Callback = (tx: TransactionSql) => unknown

/** The callback's result; it never settles once the connection is lost, so that no rollback or commit is sent. */
export const outcomeOf = (
  scope: Scope,
  callback: Callback,
  tx: TransactionSql,
  isFrequent: (text: string) => boolean,
): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const whileConnected =
      (settle: (value: unknown) => void) =>
      (value: unknown): void => {
        if (!scope.lost) settle(value)
      }
    const run = async (): Promise<unknown> => callback(scopedHandle(scope, tx, isFrequent))
    run().then(whileConnected(resolve), whileConnected(reject))
  })

const scopedHandle = (scope: Scope, tx: TransactionSql, isFrequent: (text: string) => boolean): TransactionSql => {
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
        return (text: string, parameters?: unknown[], options?: object) => {
          refuseAfter()
          return (value as AnyFunction)(...asPrepared(isFrequent, text, parameters, options))
        }
      }
      if (name !== 'savepoint') return value
      return async (...input: [Callback] | [string, Callback]) => {
        refuseAfter()
        const callback = input[input.length - 1] as Callback
        const nested = (inner: TransactionSql): Promise<unknown> => outcomeOf(scope, callback, inner, isFrequent)
        return input.length === 2 ? target.savepoint(input[0], nested) : target.savepoint(nested)
      }
    },
  })
}
