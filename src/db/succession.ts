import type { PendingQuery, Row, Sql } from 'postgres'
import { isUnavailable } from './unavailable.ts'

/** The driver's clients, one after the other: new work goes to the newest, older ones finish what they have sent. */
export interface Succession {
  current(): Sql
  /** Asks the newest client, as the driver's `unsafe` does. */
  query: Unsafe
  /** Ends all of them; what is still under way after `timeout` seconds is cut off. */
  end(timeout: number): Promise<void>
}

export type Unsafe = (text: string, parameters?: unknown[], options?: object) => PendingQuery<Row[]>

/** A transaction whose `begin` was never sent: it can begin anew. */
export class NotBegunError extends Error {}

/** The parts of the driver's query that tell and decide what becomes of it. */
interface DriverQuery extends PendingQuery<Row[]> {
  resolve: (rows: unknown) => void
  reject: (error: unknown) => void
  /** In which form rows are wanted (`values()`). */
  isRaw: unknown
  /** null until it is given to a connection. */
  state: unknown
}

interface Client {
  sql: Sql
  unsafe: Unsafe
  pending: Set<DriverQuery>
}

/** Milliseconds that queries and transactions under way have once a connection of their client was lost. */
const lastWords = 10_000

/**
 * Begins a new client as soon as a connection of the present one is lost, because in postgres.js 3.4.9 nothing may be
 * left to such a connection: it keeps what was about to be written and believes that a timer is set to send it, so that
 * nothing is sent any more (CONNECT_TIMEOUT at every use); what it is given between the loss and its notice of it waits
 * for ever; and it keeps the server's farewell (FATAL, 57P01) and rejects the next query with that. What was not sent
 * goes over to the new client.
 * @param connect creates a client that closes no connection by itself: none for being idle or old
 * @param renews false: one client for ever, where two at a time would come in each other's way
 */
export const succession = (connect: (onclose: () => void) => Sql, { renews }: { renews: boolean }): Succession => {
  const old = new Set<Sql>()
  let ending = false

  const open = (): Client => {
    const sql = connect(() => succeed(client))
    const unsafe = sql.unsafe as unknown as Unsafe
    const client: Client = { sql, unsafe, pending: new Set() }
    // The driver's `begin` asks through this; where it was not sent, the whole transaction has to go.
    const begin: Unsafe = (...input) =>
      watch(client, unsafe(...input), () => {
        throw new NotBegunError('The transaction has not begun')
      })
    sql.unsafe = begin as unknown as Sql['unsafe']
    return client
  }

  const succeed = ({ sql, pending }: Client): void => {
    if (!renews || ending || sql !== current.sql) return
    current = open()
    // The query builder has set how values are read and written, once, at the first client.
    Object.assign(current.sql.options.parsers, sql.options.parsers)
    Object.assign(current.sql.options.serializers, sql.options.serializers)
    for (const query of pending) if (query.state === null) query.cancel()
    old.add(sql)
    setTimeout(() => {
      old.delete(sql)
      void sql.end({ timeout: 0 })
    }, lastWords).unref()
  }

  const watch = (client: Client, started: PendingQuery<Row[]>, again: () => PendingQuery<Row[]>) => {
    const query = started as DriverQuery
    const { resolve, reject } = query
    client.pending.add(query)
    query.resolve = (rows) => {
      client.pending.delete(query)
      resolve(rows)
    }
    query.reject = (error) => {
      // The driver may reject one twice; only the first time counts.
      if (!client.pending.delete(query)) return
      const unsent = (query.state === null && client !== current) || isFarewell(error)
      if (isUnavailable(error)) succeed(client)
      if (!unsent) return reject(error)
      try {
        const next = again() as DriverQuery
        next.isRaw = query.isRaw
        next.then(resolve, reject)
      } catch (refusal) {
        reject(refusal)
      }
    }
    return query
  }

  const query: Unsafe = (...input) => watch(current, current.unsafe(...input), () => query(...input))

  let current = open()
  return {
    current: () => current.sql,
    query,
    async end(timeout) {
      ending = true
      await Promise.all([...old, current.sql].map((sql) => sql.end({ timeout })))
    },
  }
}

/** A farewell that meets a query under way comes as CONNECTION_CLOSED; one that comes as such is not about this query. */
const isFarewell = (error: unknown): boolean =>
  error instanceof Error &&
  Reflect.get(error, 'severity') === 'FATAL' &&
  ['57P01', '57P02'].includes(String(Reflect.get(error, 'code')))
