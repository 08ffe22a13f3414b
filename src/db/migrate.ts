import { fileURLToPath } from 'node:url'
import { drizzle } from 'drizzle-orm/postgres-js'
import { migrate } from 'drizzle-orm/postgres-js/migrator'
import type { Sql } from 'postgres'
import { locks } from './locks.ts'

/** The folder is not compiled: the path holds from src/db and from dist/db alike. */
export const migrationsFolder = fileURLToPath(new URL('../../src/db/migrations', import.meta.url))

/**
 * Brings the schema up to date. Instances that start together do it one after the other: the migrator takes no lock.
 * @param sql a client of one connection, which holds the lock for the whole time.
 */
export const applyMigrations = async (sql: Sql): Promise<void> => {
  await sql`select pg_advisory_lock(${locks.migrations})`
  try {
    await migrate(drizzle(sql), { migrationsFolder })
  } finally {
    // When the connection is lost the server has let go of the lock, and that error is not the one to report.
    await sql`select pg_advisory_unlock(${locks.migrations})`.catch(() => {})
  }
}
