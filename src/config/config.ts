// The room config.
// Every setting, read once; all problems are reported at once.
// It never reads the database; other rooms receive the settings they need.

import { existsSync } from 'node:fs'
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { type SecondFactorPolicy, secondFactorPolicies } from '../access/second-factor-policy.ts'
import type { SyslogSettings } from '../audit/syslog/settings.ts'
import { messageOf } from '../caught-error.ts'
import { trustedProxies } from '../contract/begun.ts'
import { hostUrls, targetOf } from '../db/hosts.ts'
import { ConfigError } from '../errors.ts'
import type { MetricsSettings } from '../metrics/settings.ts'
import type { DirectorySettings } from '../mirror/entry/directory-settings.ts'
import { readSentinels } from '../redis/sentinels.ts'
import type { SourcesConfig } from '../sources/settings.ts'
import { defaultRemovals, type RemovalLimit } from '../sync/guard.ts'
import { type Region, toRegion } from '../text/identity-keys.ts'
import { readTextFile } from '../text-file.ts'
import type { TracingSettings } from '../tracing/settings.ts'
import { type DietConfig, readDiet } from './diet.ts'
import { readDirectories } from './directory.ts'
import { readSecurity, type SecurityConfig } from './security.ts'
import { readSources } from './sources.ts'
import { readSyslog } from './syslog.ts'
import { readTracing } from './tracing.ts'
import { trialProblems } from './trial.ts'
import {
  type Environment,
  isUrl,
  longestDuration,
  openVariables,
  readable,
  toDuration,
  toFlag,
  toPort,
  type Variables,
} from './variables.ts'

/** Milliseconds. */
const day = 86_400_000

/** Every setting, read once at start. Names in comments are the environment variables. */
export interface Config extends DirectorySettings, SourcesConfig, SecurityConfig, DietConfig {
  /** HOST, PORT; port 0 takes any free one. */
  host: string
  port: number
  /** DRAIN_PERIOD, milliseconds from the signal to stop until nothing more is accepted; 0: at once. */
  drainPeriod: number
  /** BASE_PATH: empty, or `/prefix` without a slash at its end. */
  basePath: string
  /** DATA_DIR, absolute. */
  dataDir: string
  /** DATABASE_URL, of one host or several (see hosts.ts); null: the embedded PostgreSQL in dataDir. */
  databaseUrl: string | null
  /** DATABASE_DIRECT_URL: the same database without PgBouncer; null: DATABASE_URL leads to PostgreSQL itself. */
  databaseDirectUrl: string | null
  /** DATABASE_REPLICA_URL: a standby for some reads; null: all go to DATABASE_URL. */
  databaseReplicaUrl: string | null
  /** REDIS_URL; null: each instance counts requests and caches responses by itself. */
  redisUrl: string | null
  /** REDIS_SENTINEL_PASSWORD; null: the sentinels of REDIS_URL want none. */
  sentinelPassword: string | null
  /** DRIFT_INTERVAL, milliseconds. */
  driftInterval: number
  /** ADMIN_PASSWORD: used by the first start only. */
  adminPassword: string | null
  /** JWT_SECRET; null: generated and stored in dataDir. */
  jwtSecret: string | null
  /** JWT_SECRET_PREVIOUS: earlier values of JWT_SECRET; they open the secrets of authenticator apps, but no token. */
  previousJwtSecrets: string[]
  /** LOG_KEY: secrets that sign the operation log, the current one first; empty: the one that signs tokens. */
  logSecrets: string[]
  /** LOG_RETENTION, milliseconds that entries of the operation log are kept; null: for ever. */
  logRetention: number | null
  /** TOKEN_TTL, seconds. */
  tokenTtl: number
  /** SESSION_MAX, milliseconds: a session ends this long after its sign-in, however often it is used. */
  sessionMax: number
  /** SECOND_FACTOR: who has to enrol an authenticator app at the next sign-in. */
  secondFactor: SecondFactorPolicy
  /** PUBLIC_URL: the address of the service in links that are mailed; null: as the request for the link wrote it. */
  publicUrl: string | null
  /** DEFAULT_REGION: the region of mobiles without a country code. */
  defaultRegion: Region
  /** TIME_ZONE, an IANA name. */
  timeZone: string
  logLevel: string
  /** SMTP_URL; null: mail becomes files in dataDir. */
  smtpUrl: string | null
  mailFrom: string
  /** TRUST_PROXY: false, true, a hop count or addresses and networks, in Fastify's form. */
  trustProxy: boolean | number | string
  /** CORS_ORIGIN: the origins allowed; empty: CORS is off. */
  corsOrigins: string[]
  /** PASSWORD_WORDS: names that may not make up a password, such as the organisation's. */
  passwordWords: string[]
  /** PASSWORD_TOOLS: whether encryptpwd and decryptpwd are enabled. */
  passwordTools: boolean
  /** SYNC_WAIT, milliseconds a sync request waits for its run to end. */
  syncWait: number
  /** SYNC_MAX_REMOVALS: a run that would disable or remove more is held. */
  syncMaxRemovals: RemovalLimit
  /** SYNC_WINS: which side wins for a mapped field that was changed on both sides. */
  syncWins: 'source' | 'local'
  /** BODY_LIMIT, bytes. */
  bodyLimit: number
  /** null: METRICS_PORT=off. */
  metrics: MetricsSettings | null
  /** Where the operation log is streamed to; null: SYSLOG_URL is not set. */
  syslog: SyslogSettings | null
  /** null: OTEL_EXPORTER_OTLP_ENDPOINT is not set. */
  tracing: TracingSettings | null
}

/**
 * The `.env` file of the working directory, overlaid by the process's own environment.
 * @throws ConfigError when there is one that cannot be read
 */
export const readEnvironment = (folder = process.cwd()): Environment => {
  const file = resolve(folder, '.env')
  return existsSync(file) ? { ...parseEnv(textOf(file)), ...process.env } : process.env
}

const textOf = (file: string): string => {
  try {
    // Some editors begin a file with U+FEFF, which would be a part of the first name.
    return readTextFile(file).replace(/^\uFEFF/, '')
  } catch (error) {
    throw new ConfigError([`${file} cannot be read (${messageOf(error)})`])
  }
}

/**
 * Turns the environment into a Config.
 * @throws ConfigError naming every wrong variable and its allowed values. Values of secrets are not repeated.
 *
 * Long: one entry for each setting.
 */
export const parseConfig = (environment: Environment): Config => {
  const variables = openVariables(environment)
  const { problems, read, parse, oneOf, flag, duration, integer, secrets } = variables
  const config: Config = {
    host: read('HOST') ?? '127.0.0.1',
    port: integer('PORT', 8888, 0, 65_535),
    drainPeriod: duration('DRAIN_PERIOD', 0, 0),
    basePath: parse(
      'BASE_PATH',
      '',
      (value) => (/^(\/[\w.~-]+)*\/?$/.test(value) ? value.replace(/\/$/, '') : undefined),
      'a path such as /steward',
    ),
    dataDir: resolve(read('DATA_DIR') ?? './data'),
    databaseUrl: parse<string | null>('DATABASE_URL', null, toDatabaseUrl, databaseForm),
    databaseDirectUrl: parse<string | null>('DATABASE_DIRECT_URL', null, toDatabaseUrl, databaseForm),
    databaseReplicaUrl: parse<string | null>(
      'DATABASE_REPLICA_URL',
      null,
      (value) => (hostUrls(value)?.length === 1 && targetOf(value) === null ? value : undefined),
      'a URL starting with postgres:// or postgresql://, with one host, without target_session_attrs',
    ),
    redisUrl: parse<string | null>(
      'REDIS_URL',
      null,
      toRedisUrl,
      'redis:// or rediss:// with a host, and no path but the number of a database; or redis-sentinel:// or rediss-sentinel:// with hosts, the name of the master and the number of a database',
    ),
    sentinelPassword: read('REDIS_SENTINEL_PASSWORD'),
    ...readDirectories(variables),
    driftInterval: duration('DRIFT_INTERVAL', 300_000, 1000, longestDuration),
    adminPassword: read('ADMIN_PASSWORD'),
    jwtSecret: parse<string | null>(
      'JWT_SECRET',
      null,
      (value) => (value.length >= 32 ? value : undefined),
      'at least 32 characters',
    ),
    previousJwtSecrets: secrets('JWT_SECRET_PREVIOUS'),
    logSecrets: secrets('LOG_KEY'),
    logRetention: parse<number | null>(
      'LOG_RETENTION',
      400 * day,
      (value) => (value.toLowerCase() === 'off' ? null : toDuration(value, day, longestDuration)),
      'off, or a duration such as 400d, from 1 to 3650 days',
    ),
    tokenTtl: duration('TOKEN_TTL', 1_800_000, 1000, longestDuration) / 1000,
    sessionMax: duration('SESSION_MAX', 30 * day, 60_000, longestDuration),
    secondFactor: oneOf('SECOND_FACTOR', secondFactorPolicies, 'optional'),
    publicUrl: parse<string | null>(
      'PUBLIC_URL',
      null,
      toPublicUrl,
      'an http:// or https:// URL without user, query and fragment, such as https://console.example.com/steward',
    ),
    defaultRegion: parse<Region>(
      'DEFAULT_REGION',
      'CN',
      toRegion,
      'the two letters of a country or region (ISO 3166-1), such as CN or DE',
    ),
    timeZone: parse(
      'TIME_ZONE',
      Intl.DateTimeFormat().resolvedOptions().timeZone,
      toTimeZone,
      'an IANA time zone such as Europe/Berlin',
    ),
    logLevel: oneOf('LOG_LEVEL', ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'info'),
    smtpUrl: parse<string | null>(
      'SMTP_URL',
      null,
      (value) => (isUrl(value, ['smtp:', 'smtps:']) && new URL(value).hostname !== '' ? value : undefined),
      'a URL starting with smtp:// or smtps://, with a host',
    ),
    mailFrom: read('MAIL_FROM') ?? 'Steward <steward@localhost>',
    trustProxy: parse<Config['trustProxy']>(
      'TRUST_PROXY',
      false,
      toTrustProxy,
      'on, off, a hop count, or addresses and networks such as 10.0.0.0/8, separated by commas',
    ),
    corsOrigins: parse(
      'CORS_ORIGIN',
      [],
      toOrigins,
      'origins such as https://console.example.org, separated by commas',
    ),
    passwordWords: parse('PASSWORD_WORDS', [], toWords, 'words of at least 3 characters, separated by commas'),
    passwordTools: flag('PASSWORD_TOOLS', true),
    ...readSources(variables),
    ...readSecurity(variables),
    ...readDiet(variables),
    syncWait: duration('SYNC_WAIT', 20_000, 0),
    syncMaxRemovals: parse(
      'SYNC_MAX_REMOVALS',
      defaultRemovals,
      toRemovals,
      'a number of records, a share of them, or both, such as 20,10%',
    ),
    syncWins: oneOf('SYNC_WINS', ['source', 'local'], 'source'),
    bodyLimit: integer('BODY_LIMIT', 1_048_576, 1024, 268_435_456),
    metrics: readMetrics(variables),
    syslog: readSyslog(variables),
    tracing: readTracing(variables),
  }
  if (config.adminPassword !== null && [...config.adminPassword].length < 8) {
    problems.push('ADMIN_PASSWORD: expected 8 to 128 characters')
  }
  if (config.databaseDirectUrl !== null && config.databaseUrl === null) {
    problems.push('DATABASE_DIRECT_URL: set DATABASE_URL too, to the address of PgBouncer')
  }
  if (config.databaseReplicaUrl !== null && config.databaseUrl === null) {
    problems.push('DATABASE_REPLICA_URL: set DATABASE_URL too, to the primary')
  }
  problems.push(...trialProblems(config))
  if (problems.length > 0) throw new ConfigError(problems)
  return config
}

const readMetrics = ({ read, parse }: Variables): MetricsSettings | null => {
  const port = parse<number | 'off'>('METRICS_PORT', 'off', toPort, 'a port from 0 to 65535, or off')
  const host = read('METRICS_HOST') ?? '127.0.0.1'
  const token = parse<string | null>('METRICS_TOKEN', null, toToken, 'at least 16 characters, without spaces')
  return port === 'off' ? null : { host, port, token }
}

const toToken = (value: string): string | undefined => (/^[\x21-\x7e]{16,}$/.test(value) ? value : undefined)

const toPublicUrl = (value: string): string | undefined => {
  if (!URL.canParse(value)) return undefined
  const { protocol, username, password, search, hash, href } = new URL(value)
  const isPlain = [username, password, search, hash].every((part) => part === '')
  return isPlain && (protocol === 'https:' || protocol === 'http:') ? href.replace(/\/+$/, '') : undefined
}

const toTimeZone = (value: string): string | undefined => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone
  } catch {
    return undefined
  }
}

const toTrustProxy = (value: string): boolean | number | string | undefined => {
  if (/^\d{1,3}$/.test(value)) return Number(value)
  return toFlag(value) ?? toProxies(value)
}

/** Addresses and networks that `trustedProxies` understands, each written out: it would take `1.5` for 1.0.0.5. */
const toProxies = readable((value: string): string | undefined => {
  trustedProxies(value)
  return value.split(',').every((part) => isIP(part.trim().replace(/\/.*/, '')) !== 0) ? value : undefined
})

const toWords = (value: string): string[] | undefined => {
  const words = value.split(',').map((word) => word.trim())
  return words.every((word) => [...word].length >= 3) ? words : undefined
}

const toOrigins = (value: string): string[] | undefined => {
  const origins = value.split(',').map((origin) => origin.trim())
  return origins.every((origin) => URL.canParse(origin) && new URL(origin).origin === origin) ? origins : undefined
}

/** What `openDatabase` needs of the configuration. */
export const databaseOf = (
  config: Pick<Config, 'databaseUrl' | 'databaseDirectUrl' | 'databaseReplicaUrl' | 'dataDir'>,
) => ({
  url: config.databaseUrl,
  directUrl: config.databaseDirectUrl,
  replicaUrl: config.databaseReplicaUrl,
  dataDir: config.dataDir,
})

const databaseForm =
  'a URL starting with postgres:// or postgresql://, with one host or several, separated by commas; target_session_attrs, where it has it, primary or read-write'

/** Steward writes: a server that accepts no changes is of no use. */
const toDatabaseUrl = (value: string): string | undefined => {
  const isOurs = [null, 'primary', 'read-write'].includes(targetOf(value))
  return hostUrls(value) !== null && isOurs ? value : undefined
}

/** A URL of which the Redis client uses every part: it would ignore a query, and read a path as a database number. */
const toRedisUrl = (value: string): string | undefined => {
  if (readSentinels(value) !== null) return value
  if (!URL.canParse(value)) return undefined
  const { protocol, hostname, pathname, search, hash, username, password } = new URL(value)
  const isRedis = protocol === 'redis:' || protocol === 'rediss:'
  const isDecodable = !/%(?![\da-f]{2})/i.test(username + password)
  return isRedis && hostname !== '' && /^(\/\d{0,4})?$/.test(pathname) && search + hash === '' && isDecodable
    ? value
    : undefined
}

/** `20,10%`; one of the two parts may be left out and then counts as zero. */
const toRemovals = (value: string): RemovalLimit | undefined => {
  const [, records, percent] = /^(?:(\d{1,9})(?:\s*,\s*(?=.)|$))?(?:(\d{1,3}(?:\.\d{1,3})?)\s*%)?$/.exec(value) ?? []
  if ((records === undefined && percent === undefined) || Number(percent ?? 0) > 100) return undefined
  return { records: Number(records ?? 0), share: Number(percent ?? 0) / 100 }
}
