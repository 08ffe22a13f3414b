// The room db.
// The database: one client for both kinds of PostgreSQL, transactions, tables, migrations, paging and lists.
// It never knows what a row means, nor which caller asks for it.

import { drizzle, type PostgresJsDatabase } from 'drizzle-orm/postgres-js'
import postgres from 'postgres'
import { ConfigError } from '../failures/errors.ts'
import type { Logger } from '../runtime/log.ts'
import { applicationName } from './application-name.ts'
import { type ConnectOptions, connectOnce, connectServer } from './connect.ts'
import { type Connect, openDriverClient, type PoolFigures } from './driver-client.ts'
import { startEmbedded } from './embedded/server.ts'
import { startUpkeep } from './embedded/upkeep.ts'
import { type Listen, listenOn } from './listen.ts'
import { applyMigrations } from './migrate.ts'
import { followPrimary, type Primary, primaryUrl } from './primary.ts'
import { whenReachable } from './reachable.ts'
import { onPrimary, openReading, type Reading, type Replica, type StandbyReads } from './replica.ts'
import { serverSettings, sessionLimits } from './server-settings.ts'
import { keepStatistics } from './statistics.ts'

/**
 * The query builder, the same on both kinds. Raw `db.execute(sql`…`)` differs from the typed builder: timestamps are
 * returned as PostgreSQL's text (`2026-01-31 10:00:00.123+00`), bigint as text, and Date or object parameters are not
 * serialised. Pass ISO text, and `JSON.stringify(…)` with `::jsonb`.
 */
export type Db = PostgresJsDatabase & { $client: postgres.Sql }
/** The handle of a transaction. While one is open, every query inside it uses this handle and never `Db`. */
export type Tx = Parameters<Parameters<Db['transaction']>[0]>[0]
/** The first argument of a query function. */
export type Queryable = Db | Tx

export interface Database {
  db: Db
  /** `embedded` has one connection, one process, no LISTEN and no COPY. */
  kind: 'embedded' | 'postgres'
  /** Receives what `notify` sends on a channel; only on `postgres`. */
  listen?: Listen
  /** For reads that may go to a standby. */
  reading: Reading
  /** Whether there is a standby for them. */
  hasReplica: boolean
  /** How many reads went where since the start; null: there is no standby. */
  standbyReads(): StandbyReads | null
  /** What its connections do now, without those that listen. */
  pools(): PoolFigures[]
  /** Waits up to 3 s for queries in progress, then cancels them. */
  close(): Promise<void>
}

export interface DatabaseOptions {
  /** postgres://…; null: the embedded PostgreSQL in `dataDir`. */
  url: string | null
  /** The same database without PgBouncer, where `url` leads to one in transaction mode. Default: `url`. */
  directUrl?: string | null
  /** A standby for reads (see replica.ts); it may be away. Default: none. */
  replicaUrl?: string | null
  dataDir: string
  log: Logger
  /** Milliseconds to wait at start for a server that does not answer yet; default 30 s. */
  timeout?: number
  /** Its schema stays as it is: it is known to be up to date, or is not to be changed. */
  upToDate?: boolean
  /** Whose data `steward move` puts there; see move-claim.ts. */
  movedFrom?: string
  /** false: the embedded database skips every fsync. Only for tests: a power cut loses it. */
  durable?: boolean
  /**
   * On a server: whether a query that bypasses its transaction's handle is an error (see driver-client.ts). The tests
   * set it.
   * The embedded database, where such a query would wait for ever, always checks.
   */
  catchEscapes?: boolean
}

/**
 * Opens the database and brings its schema up to date.
 * @throws ConfigError naming DATABASE_URL or DATA_DIR when only an administrator can solve the problem.
 */
export const openDatabase = async (options: DatabaseOptions): Promise<Database> =>
  options.url === null ? openEmbedded(options) : openServer(options.url, options)

const openServer = async (url: string, options: DatabaseOptions): Promise<Database> => {
  const {
    directUrl = null,
    replicaUrl = null,
    log,
    timeout = 30_000,
    upToDate = false,
    movedFrom,
    catchEscapes = false,
  } = options
  const wait = { timeout, log }
  // What needs a session of its own: migrations, which hold a lock, and LISTEN.
  const direct = { url: directUrl ?? url, setting: directUrl === null ? 'DATABASE_URL' : 'DATABASE_DIRECT_URL' }
  const ready = async (): Promise<Record<string, string>> => {
    const at = await primaryUrl(direct.url)
    const connect = (settings: Record<string, string>, own: ConnectOptions = {}) =>
      connectServer(at, { ...ofSessions, ...own, max: 1, connection: { ...ofSessions.connection, ...settings } })
    const limits = await sessionLimits(connect)
    if (upToDate) return limits
    const single = connectOnce((onclose) => connect(limits, { onclose }))
    try {
      await applyMigrations(single, { movedFrom, isShared: true, log })
      return limits
    } finally {
      await single.end({ timeout: 5 })
    }
  }
  const limits = await whenReachable(direct, wait, ready)
  const ofLongSessions = { ...ofSessions, connection: { ...ofSessions.connection, ...limits } }
  const primary = await whenReachable(direct, wait, () => followPrimary(direct.url, log))
  const shared =
    directUrl === null ? null : await whenReachable({ url }, wait, () => sharedAddress(url, directUrl, log))
  const { url: at, options: own } = shared ?? primary
  const settings = shared === null ? ofLongSessions : ofTransactions
  const clientOf =
    (max: number): Connect =>
    (onclose) =>
      connectServer(at, { ...settings, ...own, max, onclose })
  const pipelines = shared === null
  // One connection that carries one query at a time would be slower than ten.
  const connectShort = pipelines ? { connectShort: clientOf(1) } : {}
  const { sql, pools, end } = openDriverClient(clientOf(10), { catchEscapes, renews: true, pipelines, ...connectShort })
  const listener = connectServer(primary.url, { ...ofLongSessions, ...primary.patientOptions })
  const stopStatistics = keepStatistics(sql, log)
  const replica = replicaUrl === null ? null : openReplica(replicaUrl, settings, pipelines)
  const close = async (): Promise<void> => {
    stopStatistics()
    await Promise.all([end(stopTimeout), listener.end({ timeout: 0 }), replica?.close()])
    await Promise.all([primary.close(), shared?.close()])
  }
  const db = build(sql)
  const standby = replica && openReading({ db, replica }, log)
  return {
    db,
    kind: 'postgres',
    listen: listenOn(listener),
    reading: standby?.reading ?? onPrimary(db),
    hasReplica: standby !== null,
    standbyReads: () => standby?.counts ?? null,
    pools,
    close,
  }
}

/** Connects when it is read from for the first time. */
const openReplica = (url: string, settings: typeof ofSessions | typeof ofTransactions, pipelines: boolean) => {
  const open = () => {
    const own = { isLost: false }
    const connect: Connect = (onclose) => {
      const lose = (connection: number): void => {
        own.isLost = true
        onclose(connection)
      }
      return connectServer(url, { ...settings, connect_timeout: 2, max: 1, onclose: lose })
    }
    const { sql, end } = openDriverClient(connect, { catchEscapes: false, renews: true, pipelines })
    return Object.assign(own, { db: build(sql), end })
  }
  type Connection = ReturnType<typeof open>
  const all = new Set<Connection>()
  /** The one that was used last is taken first, so that few are open. */
  const idle: Connection[] = []
  const add = (): Connection => {
    const connection = open()
    all.add(connection)
    return connection
  }
  return {
    take() {
      const own = idle.pop() ?? (all.size < maxReads ? add() : null)
      if (own === null) return null
      own.isLost = false
      return {
        db: own.db,
        isLost: () => own.isLost,
        giveBack: () => void (all.has(own) && idle.push(own)),
        discard() {
          own.isLost = true
          all.delete(own)
          void own.end(0)
        },
      }
    },
    close: async () => void (await Promise.all([...all].map(({ end }) => end(stopTimeout)))),
  } satisfies Replica & { close(): Promise<void> }
}

/** Reads on standbys at once; further ones go to the primary. */
const maxReads = 8

/**
 * Where PgBouncer is.
 * @throws ConfigError when it leads to another database than the direct URL
 */
const sharedAddress = async (url: string, directUrl: string, log: Logger): Promise<Primary> => {
  const [here, there] = await Promise.all([serverOf(url, ofTransactions), serverOf(directUrl, ofSessions)])
  if (here !== there) throw new ConfigError(['DATABASE_DIRECT_URL: this is another database than that of DATABASE_URL'])
  return followPrimary(url, log)
}

/** What tells one database of one server from all others. */
const serverOf = async (url: string, settings: typeof ofSessions | typeof ofTransactions): Promise<unknown> => {
  const single = connectServer(await primaryUrl(url), { ...settings, max: 1 })
  try {
    const [row] = await single`select pg_postmaster_start_time()::text || current_database() as server`
    return row?.server
  } finally {
    await single.end({ timeout: 5 })
  }
}

const openEmbedded = async (options: DatabaseOptions): Promise<Database> => {
  const { dataDir, log, upToDate = false, movedFrom, durable = true } = options
  const server = await startEmbedded({ dataDir, durable, log })
  // There is one session, so its connection is never closed for being idle or old.
  const settings = { ...quiet, path: server.socketPath, max: 1, idle_timeout: 0, max_lifetime: null, ...identity }
  const { sql, pools, end } = openDriverClient((onclose) => postgres({ ...settings, onclose }), {
    catchEscapes: true,
    renews: false,
  })
  const stops = [startUpkeep(sql, log), keepStatistics(sql, log)]
  const close = async (): Promise<void> => {
    for (const stop of stops) stop()
    await end(stopTimeout)
    await server.close()
  }
  try {
    if (!upToDate) await applyMigrations(sql, { movedFrom, isShared: false, log })
  } catch (error) {
    await close()
    throw error
  }
  const db = build(sql)
  return { db, kind: 'embedded', reading: onPrimary(db), hasReplica: false, standbyReads: () => null, pools, close }
}

/** Milliseconds that queries in progress have when the database is closed. */
const stopTimeout = 3000

const identity = { user: 'postgres', database: 'postgres', host: 'localhost' }

const quiet = {
  onnotice: () => {},
  // The driver's own back-off grows to 20 s: a request would wait that long after the server is back.
  backoff: (attempt: number) => Math.min(0.05 * 2 ** attempt, 1),
  connection: { application_name: applicationName, ...serverSettings },
  // The driver would ask every new connection for the array types, in a promise without a handler: a connection lost at
  // that moment would end the process. The query builder reads and writes arrays by itself.
  fetch_types: false,
  // Where a connection has as many queries on their way as this allows (100 by default), the driver sends `begin` behind them
  // and does not note that a transaction begins: it waits for ever, or fails, and what others send there is never committed.
  max_pipeline: Number.MAX_SAFE_INTEGER,
}

const ofSessions = { ...quiet, connect_timeout: 5, idle_timeout: 0, max_lifetime: null }

/**
 * With PgBouncer in transaction mode the next transaction may have another connection of the server: prepared statements
 * would not be there, and it refuses parameters that it does not restore, as those of the planner.
 */
const ofTransactions = {
  ...ofSessions,
  prepare: false,
  connection: { application_name: applicationName, TimeZone: 'UTC' },
}

/** Without the schema: the query builder would make a relational query of each table for each transaction. */
const build = (sql: postgres.Sql): Db => drizzle(sql, { casing: 'snake_case' })
