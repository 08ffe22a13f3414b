import { existsSync, readdirSync } from 'node:fs'
import type { Config } from '../../config/config.ts'
import { isTrial } from '../../config/trial.ts'
import { type Database, openDatabase } from '../../db/client.ts'
import { connectServer } from '../../db/connect.ts'
import { DiskFullError } from '../../db/embedded/free-space.ts'
import { examineDatabase } from '../../db/examine.ts'
import { identityOf, misfitOf, readMoveClaim, refuseUnfinishedMove, relationsIn } from '../../db/move-claim.ts'
import { primaryUrl } from '../../db/primary.ts'
import { whenReachable } from '../../db/reachable.ts'
import { newestAppliedMigration, newestKnownMigration, schemaVersion } from '../../db/schema-version.ts'
import { serverSettings } from '../../db/server-settings.ts'
import { ConfigError } from '../../failures/errors.ts'
import { isInstalled } from '../../people/installed.ts'
import { noLog } from '../../runtime/log.ts'
import { commandLine } from '../../terminal/command-name.ts'
import { neverStarted, openUnlessServed, requireDatabase } from '../existing-database.ts'
import type { MoveArguments } from './arguments.ts'

/** A database that is moved, as it is: no migration was applied to it. */
export interface Source extends Database {
  /** See db/move-claim.ts. */
  identity: string
}

const stopAdvice = `stop it (systemctl stop steward, docker stop …, or Ctrl+C), run ${commandLine('move')} again, and start it with the new settings afterwards`

/**
 * Opens the installation that is moved.
 * @param alone whether no service may use it meanwhile
 * @throws ConfigError when it cannot be moved as it is, naming what to do
 */
export const openSource = async (config: Config, alone: boolean): Promise<Source> => {
  const { databaseUrl: url } = config
  requireDatabase(config)
  if (url !== null && alone) await refuseServed(url)
  const database = await openUnlessServed(config, stopAdvice, { log: noLog, upToDate: true })
  try {
    const { db } = database
    await refuseUnfinishedMove(db.$client)
    if ((await newestAppliedMigration(db)) === null) throw neverStarted(config)
    const [here, known] = [await schemaVersion(db), newestKnownMigration()]
    const setting = url === null ? 'DATA_DIR' : 'DATABASE_URL'
    const again = 'start the service of this version once, and stop it again'
    if (here.when !== known.when) {
      throw new ConfigError([
        `${setting}: its tables are of another version of Steward (${here.tag}; this one has ${known.tag}): ${again}`,
      ])
    }
    const identity = await identityOf(db.$client)
    if (identity === null) {
      throw new ConfigError([`${setting}: no service of this version of Steward has started there yet: ${again}`])
    }
    if (!(await isInstalled(db))) throw neverStarted(config)
    return { ...database, identity }
  } catch (error) {
    await database.close()
    throw error
  }
}

const refuseServed = async (url: string): Promise<void> => {
  const { services } = await whenReachable({ url }, { timeout: 0, log: noLog }, () => examineDatabase(url))
  if (services > 0) {
    throw new ConfigError([
      `DATABASE_URL: ${services} connections of Steward are open there; a service still runs: ${stopAdvice}`,
    ])
  }
}

/**
 * What is in the way of a move into that target; empty: nothing. Changes nothing.
 * @param source null: it is not known, because the source is in use
 */
export const examineTarget = async (to: MoveArguments['to'], source: string | null): Promise<string[]> => {
  if (to.kind === 'trial') {
    const isFree = !existsSync(to.dataDir) || readdirSync(to.dataDir).length === 0 || isTrial(to.dataDir)
    return isFree ? [] : [`--data-dir: ${to.dataDir} is not empty; name a folder that does not exist yet`]
  }
  const reached = <T>(work: () => Promise<T>): Promise<T> =>
    asTarget(whenReachable(to, { timeout: 0, log: noLog }, work))
  const found = await reached(() => examineDatabase(to.url))
  const { claim, relations } = await reached(() => contentOf(to.url))
  return [
    ...(found.versionNumber < 130_000 ? [`--to: PostgreSQL ${found.version} is too old; use 13 or newer`] : []),
    ...(found.encoding === 'UTF8' ? [] : [`--to: the encoding is ${found.encoding}; create it with encoding 'UTF8'`]),
    ...(found.readOnly === null
      ? []
      : [
          '--to: the server accepts no writes; name the primary server, not a standby, and set default_transaction_read_only to off',
        ]),
    ...(found.mayCreate ? [] : ['--to: this user may not create tables; make it the owner of the database']),
    ...[misfitOf(claim, source, relations)].filter((problem) => problem !== null),
  ]
}

const contentOf = async (url: string) => {
  const sql = connectServer(await primaryUrl(url), {
    ...{ max: 1, connect_timeout: 5, fetch_types: false, onnotice: () => {} },
    // As the move itself has them, which PgBouncer refuses.
    connection: serverSettings,
  })
  try {
    return { claim: await readMoveClaim(sql), relations: await relationsIn(sql) }
  } finally {
    await sql.end({ timeout: 1 })
  }
}

/** Opens the target, which nothing else uses from now on until the move has finished. */
export const openTarget = (to: MoveArguments['to'], source: string): Promise<Database> =>
  asTarget(
    to.kind === 'server'
      ? openDatabase({ url: to.url, dataDir: '', log: noLog, timeout: 0, movedFrom: source })
      : openDatabase({ url: null, dataDir: to.dataDir, log: noLog, movedFrom: source }),
  )

/** Errors name the settings of an installation; here the arguments are at fault. */
const asTarget = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    if (!(error instanceof ConfigError) || error instanceof DiskFullError) throw error
    const named = error.problems.map((each) =>
      each
        .replace(/^DATABASE_URL\b/, '--to')
        .replace(/^DATA_DIR\b/, '--data-dir')
        .replace('set DATABASE_DIRECT_URL to PostgreSQL itself', 'name PostgreSQL itself'),
    )
    throw new ConfigError(named)
  })
