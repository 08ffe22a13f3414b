import type { PendingQuery, Row } from 'postgres'

/**
 * Sends a query, and sends it again when it was refused with a shutdown that is past. When a server goes down, the
 * driver keeps its farewell (FATAL, 57P01) with the connection, and after the reconnect rejects the first query with it
 * before anything was sent. A farewell that meets a query under way comes as CONNECTION_CLOSED instead, so nothing can
 * run twice.
 */
export const rerunUnsent = (send: () => PendingQuery<Row[]>): PendingQuery<Row[]> => {
  const query = send() as Settleable
  const { reject } = query
  query.reject = (error) => {
    if (!isFarewell(error)) return reject(error)
    const again = rerunUnsent(send) as Settleable
    again.isRaw = query.isRaw
    again.then(query.resolve, reject)
  }
  return query
}

/** The driver's query, with how it is settled and in which form rows are wanted (`values()`). */
interface Settleable extends PendingQuery<Row[]> {
  resolve: (rows: unknown) => void
  reject: (error: unknown) => void
  isRaw: unknown
}

const isFarewell = (error: unknown): boolean =>
  error instanceof Error &&
  Reflect.get(error, 'severity') === 'FATAL' &&
  ['57P01', '57P02'].includes(String(Reflect.get(error, 'code')))
