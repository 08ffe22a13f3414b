import { setTimeout as delay } from 'node:timers/promises'
import { drizzle } from 'drizzle-orm/postgres-js'
import { migrate } from 'drizzle-orm/postgres-js/migrator'
import type { Sql } from 'postgres'
import { ConfigError } from '../failures/errors.ts'
import { steadyTime } from '../runtime/clock.ts'
import { locks } from './locks.ts'
import { claimForMove, ensureIdentity, refuseUnfinishedMove } from './move-claim.ts'
import { knownMigrations, migrationsFolder, newestAppliedMigration } from './schema-version.ts'
import { sqlStateOf } from './sql-state.ts'

/**
 * Brings the schema up to date. The lock makes instances that start together take turns: the migrator takes no lock.
 * @param sql a client of one connection, which holds the lock for the whole time.
 * @param movedFrom whose data the database is to get (see move-claim.ts); null: it is in use
 * @throws ConfigError when the database was created by a version from before the first release, or holds a part of the
 *   data only
 */
export const applyMigrations = async (sql: Sql, movedFrom: string | null = null): Promise<void> => {
  await sql`select pg_advisory_lock(${locks.migrations})`
  try {
    if (movedFrom === null) await refuseUnfinishedMove(sql)
    else await claimForMove(sql, movedFrom)
    await refuseUnreleased(sql)
    await whileOthersServe(sql, () => migrate(drizzle(sql), { migrationsFolder }))
    await ensureIdentity(sql)
  } finally {
    // When the connection is lost the server has released the lock, and that error is not the one to report.
    await sql`select pg_advisory_unlock(${locks.migrations})`.catch(() => {})
  }
}

/** Milliseconds that a migration waits for a table which others use, that it pauses, and after which it gives up. */
const turns = { wait: 2000, pause: 1000, timeout: 600_000 }

/**
 * Carries out migrations while other instances serve. A change of a table waits until those who use it have finished, and
 * everyone who comes after waits behind it: behind a backup, which reads for minutes, that would stop the whole service. So
 * it waits for a short time only, lets the others pass, and tries again; also where it was chosen to end a deadlock with them.
 */
const whileOthersServe = async (sql: Sql, attempt: () => Promise<void>): Promise<void> => {
  await sql.unsafe(`set lock_timeout = ${turns.wait}`)
  for (const until = steadyTime() + turns.timeout; ; await delay(turns.pause)) {
    try {
      await attempt()
      break
    } catch (error) {
      const isInTheWay = ['55P03', '40P01'].includes(sqlStateOf(error) ?? '')
      if (!isInTheWay || steadyTime() > until) throw error
    }
  }
  // The embedded database goes on with this session.
  await sql`reset lock_timeout`
}

/** The migrations from before the first release were squashed into one, which cannot be applied to a part of itself. */
const refuseUnreleased = async (sql: Sql): Promise<void> => {
  const newest = await newestAppliedMigration(drizzle(sql))
  const first = knownMigrations()[0]?.when ?? 0
  if (newest === null || newest >= first) return
  throw new ConfigError([
    'DATABASE_URL (DATA_DIR, for the embedded database): this database was made by a version of Steward from before its first release and cannot be updated; use an empty one',
  ])
}
