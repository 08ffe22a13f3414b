import type { Db } from './client.ts'

/** What is made once for each client of a database, such as statements that were prepared or counts that were made there. */
export const perDatabase = <T>(make: (db: Db) => T): ((db: Db) => T) => {
  const known = new WeakMap<Db, T>()
  return (db) => {
    const made = known.get(db) ?? make(db)
    known.set(db, made)
    return made
  }
}
