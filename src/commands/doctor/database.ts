import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../../config/config.ts'
import { describeFailure, firstCodeOf } from '../../db/connection-failure.ts'
import { movedProblem } from '../../db/embedded/moved-away.ts'
import { type Examined, examineDatabase, SilentServerError } from '../../db/examine.ts'
import { placeOf } from '../../db/hosts.ts'
import { lackOf, lacks } from '../../db/lack.ts'
import { lookAtHosts } from '../../db/primary.ts'
import { sqlStateOf } from '../../db/sql-state.ts'
import { describeError, type Finding, note, ok, problem } from './finding.ts'
import { checkFirstStart } from './first-start.ts'

/** Connections that one instance opens. */
const ownConnections = 13

const databaseAdvice =
  'Check that the server runs and can be reached from here, and that user, password and database are right.'

const bouncerAdvice = 'PgBouncer does not answer while PostgreSQL behind it cannot be reached: check that server first.'

/** PostgreSQL; reads, and changes nothing. */
export const checkDatabase = async (config: Config, running: boolean): Promise<Finding[]> => {
  const { databaseUrl, databaseDirectUrl, databaseReplicaUrl, dataDir } = config
  if (databaseUrl === null) {
    const moved = movedProblem(dataDir)
    if (moved !== null) return [problem(moved, 'Start with the DATABASE_URL of the server, or DATABASE_URL_FILE.')]
    const known = ok(`the embedded PostgreSQL in ${dataDir}${running ? ', which a running service has open' : ''}`)
    return existsSync(join(dataDir, 'postgres')) ? [known] : [known, ...checkFirstStart(config)]
  }
  const found = await Promise.all([
    databaseDirectUrl === null ? [] : checkHosts('DATABASE_DIRECT_URL', databaseDirectUrl),
    databaseReplicaUrl === null ? [] : checkReplica(databaseReplicaUrl),
    checkMainDatabase(databaseUrl, config),
  ])
  return found.flat()
}

const readOnlyAdvice: Readonly<Record<NonNullable<Examined['readOnly']>, string>> = {
  standby: 'Name the primary server, not a standby.',
  default:
    'Set default_transaction_read_only to off, for the server, the database and the user; some servers turn it on when their disk is full.',
}

const limitAdvice: Readonly<Record<Examined['connectionLimit'], string>> = {
  server: 'Raise max_connections of the server.',
  role: 'Raise the limit of the user: ALTER ROLE … CONNECTION LIMIT …',
  database: 'Raise the limit of the database: ALTER DATABASE … CONNECTION LIMIT …',
}

/** What the server refused needs advice of its own: it can be reached. */
const adviceAbout = (error: unknown): string => {
  const lack = lackOf(error)
  if (lack !== null) return lacks[lack].advice
  return sqlStateOf(error) === '42501' ? ownerAdvice : databaseAdvice
}

const ownerAdvice = 'Make the user the owner of the database and of its tables: REASSIGN OWNED BY … TO …'

const checkMainDatabase = async (databaseUrl: string, config: Config): Promise<Finding[]> => {
  try {
    const found = await examineDatabase(databaseUrl)
    return [
      ...(await checkHosts('DATABASE_URL', databaseUrl)),
      found.versionNumber < 130_000
        ? problem(`DATABASE_URL: PostgreSQL ${found.version} is too old`, 'Use PostgreSQL 13 or newer.')
        : ok(`DATABASE_URL: PostgreSQL ${found.version}`),
      ...(found.encoding === 'UTF8'
        ? []
        : [problem(`DATABASE_URL: the encoding is ${found.encoding}`, "Create the database with encoding 'UTF8'.")]),
      ...(found.readOnly === null
        ? []
        : [problem('DATABASE_URL: the server accepts no writes', readOnlyAdvice[found.readOnly])]),
      ...(found.mayCreate
        ? []
        : [
            problem(
              'DATABASE_URL: this user may not create tables',
              'Make the user the owner of the database: ALTER DATABASE … OWNER TO …',
            ),
          ]),
      found.moveUnfinished
        ? problem(
            'DATABASE_URL: a move into this database has not finished, so that it does not hold all data',
            'Repeat steward move, or use another database.',
          )
        : schemaFinding(found.schema),
      ...(found.schema === 'none' ? checkFirstStart(config) : []),
      ...(found.freeConnections < ownConnections
        ? [
            note(
              `DATABASE_URL: ${found.freeConnections} connections are free, and an instance opens up to ${ownConnections}`,
              limitAdvice[found.connectionLimit],
            ),
          ]
        : []),
    ]
  } catch (error) {
    // The driver's own, whose messages are such as `write CONNECTION_CLOSED 127.0.0.1:6432`.
    if (!firstCodeOf(error).startsWith('CONNECT'))
      return [problem(`DATABASE_URL: ${describeError(error)}`, adviceAbout(error))]
    const reason = error instanceof SilentServerError ? error.message : describeFailure(error)
    return [problem(`DATABASE_URL: ${reason}`, `${databaseAdvice} ${bouncerAdvice}`)]
  }
}

/** Of several servers, each: a standby that cannot be used is noticed before it is needed. */
const checkHosts = async (setting: string, url: string): Promise<Finding[]> => {
  const seen = await lookAtHosts(url)
  if (seen.length === 1 && setting === 'DATABASE_URL') return []
  const primaries = seen.filter(({ role }) => role === 'primary').length
  return seen.map(({ url, role, says }) => {
    const text = `${setting}: ${placeOf(url)} ${says}`
    if (seen.length === 1 && role !== 'primary') return problem(text, databaseAdvice)
    if (role === 'away') return note(text, 'Until it can be used, the service depends on the others.')
    return role === 'primary' && primaries > 1
      ? problem(text, 'Several servers accept changes: stop all but one, and make the others its standbys.')
      : ok(text)
  })
}

/** The service works without it. */
const checkReplica = async (replicaUrl: string): Promise<Finding[]> =>
  (await lookAtHosts(replicaUrl)).map(({ url, role, says }) => {
    const text = `DATABASE_REPLICA_URL: ${placeOf(url)} ${says}`
    return role === 'standby' ? ok(text) : note(text, 'Name a standby of the server that DATABASE_URL leads to.')
  })

const schemaFinding = (schema: Awaited<ReturnType<typeof examineDatabase>>['schema']): Finding =>
  ({
    none: ok('DATABASE_URL: there are no tables yet; the first start creates them'),
    old: ok('DATABASE_URL: the tables are of an earlier version; the next start updates them'),
    current: ok('DATABASE_URL: the tables are of this version'),
    newer: problem(
      'DATABASE_URL: the tables are of a later version of Steward',
      'Install that version, or restore a backup of this one into an empty database.',
    ),
  })[schema]
