import { hostUrls, targetOf } from '../db/hosts.ts'
import { tlsProblem } from '../db/tls.ts'
import type { Variables } from './variables.ts'

export interface DatabaseConfig {
  /** DATABASE_URL, of one host or several (see hosts.ts); null: the embedded PostgreSQL in dataDir. */
  databaseUrl: string | null
  /** DATABASE_DIRECT_URL: the same database without PgBouncer; null: DATABASE_URL leads to PostgreSQL itself. */
  databaseDirectUrl: string | null
  /** DATABASE_REPLICA_URL: a standby for some reads; null: all go to DATABASE_URL. */
  databaseReplicaUrl: string | null
}

/** Where the data is. */
export const readDatabase = ({ problems, parse }: Variables): DatabaseConfig => {
  const databaseUrl = parse<string | null>('DATABASE_URL', null, toDatabaseUrl, databaseForm)
  const databaseDirectUrl = parse<string | null>('DATABASE_DIRECT_URL', null, toDatabaseUrl, databaseForm)
  const databaseReplicaUrl = parse<string | null>('DATABASE_REPLICA_URL', null, toReplicaUrl, replicaForm)
  if (databaseDirectUrl !== null && databaseUrl === null) {
    problems.push('DATABASE_DIRECT_URL: set DATABASE_URL too, to the address of PgBouncer')
  }
  if (databaseReplicaUrl !== null && databaseUrl === null) {
    problems.push('DATABASE_REPLICA_URL: set DATABASE_URL too, to the primary')
  }
  const urls = {
    DATABASE_URL: databaseUrl,
    DATABASE_DIRECT_URL: databaseDirectUrl,
    DATABASE_REPLICA_URL: databaseReplicaUrl,
  }
  for (const [name, url] of Object.entries(urls)) {
    const problem = url && tlsProblem(url)
    if (problem) problems.push(`${name}: ${problem}`)
  }
  return { databaseUrl, databaseDirectUrl, databaseReplicaUrl }
}

const encoded = 'in user and password # / ? @ and % are percent-encoded (# as %23)'

const databaseForm = `a URL starting with postgres:// or postgresql://, with one host or several, separated by commas; target_session_attrs, where it has it, primary or read-write; ${encoded}`

/** Steward writes: a server that accepts no changes is of no use. */
const toDatabaseUrl = (value: string): string | undefined => {
  const mayWrite = [null, 'primary', 'read-write'].includes(targetOf(value))
  return hostUrls(value) !== null && mayWrite ? value : undefined
}

const replicaForm = `a URL starting with postgres:// or postgresql://, with one host, without target_session_attrs; ${encoded}`

const toReplicaUrl = (value: string): string | undefined =>
  hostUrls(value)?.length === 1 && targetOf(value) === null ? value : undefined

/** What `openDatabase` needs of the configuration. */
export const databaseOf = (config: DatabaseConfig & { dataDir: string }) => ({
  url: config.databaseUrl,
  directUrl: config.databaseDirectUrl,
  replicaUrl: config.databaseReplicaUrl,
  dataDir: config.dataDir,
})
