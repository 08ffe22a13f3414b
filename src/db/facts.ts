import { eq, sql } from 'drizzle-orm'
import type { Queryable } from './client.ts'
import { facts } from './schema.ts'

/** The value that was stored under a name; null: none was. Its type is what `writeFact` got under this name. */
export const readFact = async <T>(db: Queryable, name: string): Promise<T | null> => {
  const [fact] = await db.select({ value: facts.value }).from(facts).where(eq(facts.name, name))
  return (fact?.value as T | undefined) ?? null
}

/** Stores a value under a name, in place of an earlier one. */
export const writeFact = async <T>(db: Queryable, name: string, value: T): Promise<void> => {
  await db
    .insert(facts)
    .values({ name, value })
    .onConflictDoUpdate({ target: facts.name, set: { value, updatedAt: sql`now()` } })
}
