import { AsyncLocalStorage } from 'node:async_hooks'
import { traced } from '../tracing/span.ts'
import type { IsFrequent } from './frequent.ts'
import { type Connection, NotBegunError, type RenewedClient, type SendBegin } from './renewed-client.ts'
import { type Callback, failBegin, newScope, runCallback, type Scope } from './transaction-scope.ts'

export interface DriverTransactionsOptions {
  /** Whether it is known of a query that it is made inside of a transaction; see `isInside`. */
  catchEscapes: boolean
  /** false: a connection has one query at a time, until a transaction holds it. */
  pipelines: boolean
  isFrequent: IsFrequent
  /** @throws where no query is accepted */
  requireUsable: () => void
  client: () => Pick<RenewedClient, 'driver' | 'trackTransaction'>
}

/** Transactions of the driver that know when their connection is lost; see `openDriverClient`, faults 1 and 2. */
export const driverTransactions = (options: DriverTransactionsOptions) => {
  const { catchEscapes, pipelines, isFrequent, requireUsable, client } = options
  const scopes = catchEscapes ? new AsyncLocalStorage<Scope>() : null
  /** The transaction whose `begin` is being sent: the driver does that before `begin` returns. */
  let scopeOfSentBegin: Scope | undefined
  const scopeByConnection = new Map<number, Scope>()
  /**
   * The driver's `begin` finds its connection through the internal option `onexecute`: no other place tells which one it
   * is. It awaits what `execute` returns before it runs the callback: here that `begin` was sent, not that it was answered.
   */
  const sendBegin: SendBegin = (send, options = {}) => {
    const { onexecute } = options
    const scope = scopeOfSentBegin
    if (!onexecute || !scope) return send(options)
    const execute = async (): Promise<void> => {
      const connection = await new Promise<Connection>((sent, failed) => {
        const answered = send({
          ...options,
          onexecute(connection) {
            scopeByConnection.set(connection.id, scope)
            const proceed = (): void => sent(connection)
            if (pipelines) proceed()
            else scope.begun.promise.then(proceed, () => {})
            return onexecute(connection)
          },
        })
        answered.then(
          () => scope.begun.resolve(),
          (error: unknown) => {
            failBegin(scope, error)
            failed(error)
          },
        )
      })
      // As after an answer: otherwise the driver sends one statement of the transaction after the other.
      if (pipelines) connection.reserved?.()
    }
    return { execute }
  }
  /** Transactions that have begun and not ended: each holds a connection. */
  let openTransactions = 0

  const begin = (...input: [Callback] | [string, Callback]): Promise<unknown> =>
    traced('transaction', transactionSpan, () => untilBegun(...input))

  const untilBegun = async (...input: [Callback] | [string, Callback]): Promise<unknown> => {
    for (;;) {
      requireUsable()
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
    const scope = newScope()
    try {
      const start = (): Promise<unknown> => {
        scopeOfSentBegin = scope
        try {
          return client()
            .driver()
            .begin(options, (tx) => {
              scope.open = true
              openTransactions += 1
              return runCallback(scope, callback, tx, isFrequent)
            })
        } finally {
          scopeOfSentBegin = undefined
        }
      }
      return await client().trackTransaction(() =>
        Promise.race([scopes ? scopes.run(scope, start) : start(), scope.ended.promise]),
      )
    } finally {
      if (scope.open) openTransactions -= 1
      scope.open = false
      for (const [connection, held] of scopeByConnection) if (held === scope) scopeByConnection.delete(connection)
    }
  }

  return {
    begin,
    sendBegin,
    /** Transactions that have begun and not ended. */
    open: (): number => openTransactions,
    /** Whether this is called by the callback of a transaction; false where escapes are not caught. */
    isInside: (): boolean => scopes?.getStore()?.open === true,
    /** Call it when a connection was closed: a transaction on it goes no further. */
    connectionClosed(connection: number): void {
      const scope = scopeByConnection.get(connection)
      if (scope) scope.lost = true
    },
  }
}

const transactionSpan = { kind: 'client', attributes: { 'db.system.name': 'postgresql' } } as const
