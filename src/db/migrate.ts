import { setTimeout as delay } from 'node:timers/promises'
import { drizzle } from 'drizzle-orm/postgres-js'
import { migrate } from 'drizzle-orm/postgres-js/migrator'
import type { Sql } from 'postgres'
import { ConfigError } from '../failures/errors.ts'
import { steadyTime } from '../runtime/clock.ts'
import type { Logger } from '../runtime/log.ts'
import { locks } from './locks.ts'
import { migrateInSteps } from './migrate-in-steps.ts'
import { claimForMove, ensureIdentity, refuseUnfinishedMove } from './move-claim.ts'
import { knownMigrations, migrationsFolder, newestAppliedMigration } from './schema-version.ts'
import { sqlStateOf } from './sql-state.ts'

/** How the schema is brought up to date. */
interface Migrating {
  /** Whose data the database is to get (see move-claim.ts). Default: it is in use. */
  movedFrom?: string | undefined
  /** Whether other instances may use the database meanwhile. */
  isShared: boolean
  log: Logger
}

/**
 * Brings the schema up to date. Instances that start together take turns.
 * @param sql a client of one connection, which holds the locks for the whole time.
 * @throws ConfigError when the database was created by a version from before the first release, or holds a part of the
 *   data only
 */
export const applyMigrations = async (sql: Sql, { movedFrom, isShared, log }: Migrating): Promise<void> => {
  await takeTurn(sql, locks.migrating, log)
  try {
    await takeTurn(sql, locks.migrations, log)
    if (movedFrom === undefined) await refuseUnfinishedMove(sql)
    else await claimForMove(sql, movedFrom)
    const newest = await newestAppliedMigration(drizzle(sql))
    refuseUnreleased(newest)
    // One transaction for an empty database, and where no other instance could wait.
    if (newest === null || !isShared) await migrate(drizzle(sql), { migrationsFolder })
    else await migrateInSteps(sql, newest, { inTurn: besideOthers(sql, log), unlocked: unlocked(sql, log), log })
    await ensureIdentity(sql)
  } finally {
    // When the connection is lost the server has released the locks, and that error is not the one to report.
    for (const lock of [locks.migrations, locks.migrating])
      await sql`select pg_advisory_unlock(${lock})`.catch(() => {})
  }
}

/**
 * Waits for the lock without a statement that waits: an index that is built beside others would wait for that statement.
 */
const takeTurn = async (sql: Sql, lock: number, log: Logger): Promise<void> => {
  for (let polls = 0; ; polls++) {
    const [row] = await sql<{ taken: boolean }[]>`select pg_try_advisory_lock(${lock}) as taken`
    if (row?.taken) return
    if (polls * turns.poll === turns.untold) {
      log.info('Migration: waiting for another instance that migrates this database, or did so when it was ended')
    }
    await delay(turns.poll)
  }
}

/**
 * Runs a step without the lock that earlier releases wait for by a statement. One that starts meanwhile finds a schema that
 * is newer than it needs, and does nothing; this release waits for the other lock.
 */
const unlocked =
  (sql: Sql, log: Logger) =>
  async (step: () => Promise<unknown>): Promise<void> => {
    await sql`select pg_advisory_unlock(${locks.migrations})`
    await besideOthers(sql, log, 0)(step)
    await takeTurn(sql, locks.migrations, log)
  }

/**
 * Milliseconds that a step waits for a table which others use, that it pauses, and after which it gives up; and between looks
 * whether another instance has finished, and after which its wait for that is told.
 */
const turns = { wait: 2000, pause: 1000, timeout: 600_000, poll: 200, untold: 5000 }

/**
 * Carries out a step while other instances serve. A change of a table waits until those who use it have finished, and
 * everyone who comes after waits behind it: behind a backup, which reads for minutes, that would stop the whole service. So
 * it waits for a short time only, lets the others pass, and tries again; also where it was chosen to end a deadlock with them.
 * @param wait milliseconds; 0: for ever, for a step that no other statement waits behind
 */
const besideOthers =
  (sql: Sql, log: Logger, wait = turns.wait) =>
  async (step: () => Promise<unknown>): Promise<void> => {
    await sql.unsafe(`set lock_timeout = ${wait}`)
    const until = steadyTime() + turns.timeout
    for (let isTold = false; ; await delay(turns.pause)) {
      try {
        await step()
        return
      } catch (error) {
        const isInTheWay = ['55P03', '40P01'].includes(sqlStateOf(error) ?? '')
        if (!isInTheWay || steadyTime() > until) throw error
        if (!isTold) log.info('Migration: a table is in use, perhaps by a backup; waiting for that')
        isTold = true
      }
    }
  }

/** The migrations from before the first release were squashed into one, which cannot be applied to a part of itself. */
const refuseUnreleased = (newest: number | null): void => {
  const first = knownMigrations()[0]?.when ?? 0
  if (newest === null || newest >= first) return
  throw new ConfigError([
    'DATABASE_URL (DATA_DIR, for the embedded database): this database was made by a version of Steward from before its first release and cannot be updated; use an empty one',
  ])
}
