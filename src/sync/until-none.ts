import type { SQL } from 'drizzle-orm'
import type { Tx } from '../db/client.ts'

/** Repeats a statement until it returns no row: for changes that follow from the changes of the previous round. */
export const untilNone = async (tx: Tx, statement: SQL): Promise<void> => {
  while ((await tx.execute(statement)).length > 0) {}
}
