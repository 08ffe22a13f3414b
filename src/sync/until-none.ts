import type { SQL } from 'drizzle-orm'
import type { Tx } from '../db/client.ts'

/** Repeats a statement until it returns no row: for changes that follow from those of the time before. */
export const untilNone = async (tx: Tx, statement: SQL): Promise<void> => {
  while ((await tx.execute(statement)).length > 0) {}
}
