import { sqlStateOf } from '../../db/sql-state.ts'

/** What the server refused whose database is copied; the cause is its error. The server of the copy is another one. */
export class SourceError extends Error {
  constructor(cause: unknown) {
    super('The database that is copied refused a query', { cause })
  }
}

/**
 * Work on the database that is copied.
 * @throws SourceError, and any error that no server has sent as it is
 */
export const ofSource = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw sqlStateOf(error) === null ? error : new SourceError(error)
  })
