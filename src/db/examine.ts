import { drizzle } from 'drizzle-orm/postgres-js'
import { inTime } from '../concurrency/in-time.ts'
import { applicationName } from './application-name.ts'
import { connectServer } from './connect.ts'
import { isMoveUnfinished } from './move-claim.ts'
import { primaryUrl } from './primary.ts'
import { newestAppliedMigration, newestKnownMigration } from './schema-version.ts'

/** What a PostgreSQL server is like, before Steward uses it. */
export interface Examined {
  /** Such as 15.18. */
  version: string
  /** 150018 */
  versionNumber: number
  encoding: string
  /** Why it accepts no writes; null: it does. `default` is default_transaction_read_only. */
  readOnly: 'standby' | 'default' | null
  /** Whether tables can be created there. */
  mayCreate: boolean
  /** `none`: it is empty; `old`: the next start updates it; `newer`: a later version of Steward has updated it. */
  schema: 'none' | 'old' | 'current' | 'newer'
  /** Whether `steward move` has begun to fill it, and not finished: no service starts on it. */
  moveUnfinished: boolean
  /** Connections that are still free for users without special rights, and what limits them. */
  freeConnections: number
  connectionLimit: 'server' | 'role' | 'database'
  /** Connections of services, and of commands beside them. */
  services: number
  /** Whether this connection is encrypted; null: the server does not tell. */
  encrypted: boolean | null
}

/** Milliseconds for the sign-in with the first query, and for the others. */
const timeout = 5000

/** PgBouncer lets one sign in and then waits for PostgreSQL behind it, by default for two minutes. */
export class SilentServerError extends Error {
  readonly code = 'CONNECT_TIMEOUT'
  constructor() {
    super(`no answer within ${timeout / 1000} s`)
    this.name = 'SilentServerError'
  }
}

const answered = <T>(query: PromiseLike<T>): Promise<T> =>
  inTime(timeout, query, () => {
    throw new SilentServerError()
  })

/**
 * Reads, and changes nothing.
 * @throws SilentServerError; another Error when the server cannot be reached or refuses the login
 */
export const examineDatabase = async (url: string): Promise<Examined> => {
  const sql = connectServer(await primaryUrl(url), {
    ...{ max: 1, connect_timeout: (2 * timeout) / 1000, fetch_types: false, onnotice: () => {} },
    connection: { application_name: 'steward doctor' },
  })
  try {
    const [row] = await answered(sql<
      {
        version: string
        number: string
        encoding: string
        recovery: boolean
        readonly: string
        create: boolean
        free: Record<Examined['connectionLimit'], number | null>
        services: string
        ssl: boolean | null
      }[]
    >`
      select current_setting('server_version') as version, current_setting('server_version_num') as number,
        current_setting('server_encoding') as encoding, pg_is_in_recovery() as recovery,
        current_setting('default_transaction_read_only') as readonly,
        coalesce(has_schema_privilege(current_schema(), 'create'), false)
          and has_database_privilege(current_database(), 'create') as create,
        json_build_object(
          'server', current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
            - (select count(*) from pg_stat_activity where backend_type = 'client backend') + 1,
          'role', (select rolconnlimit - (select count(*) from pg_stat_activity where usename = rolname) + 1
            from pg_roles where rolname = session_user and rolconnlimit >= 0 and not rolsuper),
          'database', (select datconnlimit - (select count(*) from pg_stat_activity a where a.datname = d.datname) + 1
            from pg_database d where datname = current_database() and datconnlimit >= 0)) as free,
        (select count(*) from pg_stat_activity
          where datname = current_database() and application_name = ${applicationName}) as services,
        (select ssl from pg_stat_ssl where pid = pg_backend_pid()) as ssl`)
    if (row === undefined) throw new Error('the server returned nothing')
    const newest = await answered(newestAppliedMigration(drizzle(sql)))
    return {
      version: row.version,
      versionNumber: Number(row.number),
      encoding: row.encoding,
      readOnly: row.recovery ? 'standby' : row.readonly === 'off' ? null : 'default',
      mayCreate: row.create,
      schema: schemaState(newest),
      moveUnfinished: await answered(isMoveUnfinished(sql)),
      ...fewestFree(row.free),
      services: Number(row.services),
      encrypted: row.ssl,
    }
  } finally {
    await sql.end({ timeout: 1 })
  }
}

/** @param free null: not limited */
const fewestFree = (
  free: Record<Examined['connectionLimit'], number | null>,
): Pick<Examined, 'freeConnections' | 'connectionLimit'> => {
  const counts = (Object.keys(free) as Examined['connectionLimit'][]).map((connectionLimit) => ({
    connectionLimit,
    freeConnections: free[connectionLimit] ?? Number.POSITIVE_INFINITY,
  }))
  return counts.reduce((least, each) => (each.freeConnections < least.freeConnections ? each : least))
}

/** @param newest the creation time of the newest migration that was applied; null: none was */
const schemaState = (newest: number | null): Examined['schema'] => {
  if (newest === null) return 'none'
  const known = newestKnownMigration().when
  return newest === known ? 'current' : newest < known ? 'old' : 'newer'
}
