import { sql } from 'drizzle-orm'
import { inTime } from '../in-time.ts'
import type { Db } from './client.ts'
import { knownMigrations } from './migrate.ts'

/** What is missing for requests to be served; null: nothing. */
export type Missing = 'database' | 'schema' | null

/**
 * Milliseconds the database has to answer: the usual timeout of a probe, and longer than the embedded one is ever busy.
 */
const patience = 5000

/** Checks whether the database answers, and has a schema that this build can use. Never throws. */
export const openReadiness = (db: Db): (() => Promise<Missing>) => {
  // Of this build's newest migration; the database records that of each migration that it has applied.
  const wanted = knownMigrations().at(-1)?.when ?? 0
  const look = async (): Promise<Missing> => {
    const [row] = await db.execute<{ there: boolean }>(
      sql`select to_regclass('drizzle.__drizzle_migrations') is not null as there`,
    )
    if (row?.there !== true) return 'schema'
    const [applied] = await db.execute<{ newest: string | null }>(
      sql`select max(created_at)::text as newest from drizzle.__drizzle_migrations`,
    )
    return Number(applied?.newest ?? 0) >= wanted ? null : 'schema'
  }
  const noAnswer = (): Missing => 'database'
  return () => inTime(patience, look().catch(noAnswer), noAnswer)
}
