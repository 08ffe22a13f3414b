import type { SQL } from 'drizzle-orm'
import type { Tx } from '../db/client.ts'

/** Repeats a statement until it answers no row any more: for what follows from what it did the time before. */
export const untilNone = async (tx: Tx, statement: SQL): Promise<void> => {
  while ((await tx.execute(statement)).length > 0) {}
}
