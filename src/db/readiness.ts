import { inTime } from '../concurrency/in-time.ts'
import type { Db } from './client.ts'
import { type Lack, lackOf } from './lack.ts'
import { newestAppliedMigration, newestKnownMigration } from './schema-version.ts'

/** What is missing for requests to be served; null: nothing. */
export type Missing = 'database' | 'schema' | Lack | null

/**
 * Milliseconds the database has to answer: the usual timeout of a probe, and longer than the embedded one is ever busy.
 */
const timeout = 5000

/** Checks whether the database answers, and has a schema that this build can use. Never throws. */
export const openReadiness = (db: Db): (() => Promise<Missing>) => {
  const wanted = newestKnownMigration().when
  const look = async (): Promise<Missing> => (((await newestAppliedMigration(db)) ?? 0) >= wanted ? null : 'schema')
  const noAnswer = (): Missing => 'database'
  return () =>
    inTime(
      timeout,
      look().catch((error: unknown) => lackOf(error) ?? 'database'),
      noAnswer,
    )
}
