import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { type DietConfig, readDiet } from './config/diet.ts'
import {
  type EmbeddedDirectory,
  type ExternalDirectory,
  type PasswordScheme,
  passwordSchemes,
  readDirectory,
} from './config/directory.ts'
import { toRedisUrl } from './config/redis.ts'
import { defaultRemovals, type RemovalLimit, toRemovals } from './config/removals.ts'
import { readSecurity, type SecurityConfig } from './config/security.ts'
import { readSources, type SourcesConfig } from './config/sources.ts'
import { type Environment, openVariables, toFlag } from './config/variables.ts'

export type { EmbeddedDirectory, ExternalDirectory, PasswordScheme } from './config/directory.ts'
export type { RemovalLimit } from './config/removals.ts'
export type { SourceConfig } from './config/sources.ts'

/** Every setting, read once at start. Names in comments are the environment variables. */
export interface Config extends SourcesConfig, SecurityConfig, DietConfig {
  /** HOST, PORT; port 0 takes any free one. */
  host: string
  port: number
  /** BASE_PATH: empty, or `/prefix` without a slash at its end. */
  basePath: string
  /** DATA_DIR, absolute. */
  dataDir: string
  /** DATABASE_URL; null: the embedded PostgreSQL in dataDir. */
  databaseUrl: string | null
  /** REDIS_URL; null: each instance counts requests and keeps answers by itself. */
  redisUrl: string | null
  /** null: no directory at all (no LDAP_URL and EMBEDDED_LDAP_PORT=off). */
  ldap: ExternalDirectory | EmbeddedDirectory | null
  /** LDAP_GROUP_CLASS */
  groupClass: 'groupOfNames' | 'groupOfUniqueNames'
  /** LDAP_PASSWORD_SCHEME */
  passwordScheme: PasswordScheme
  /** DRIFT_INTERVAL, milliseconds. */
  driftInterval: number
  /** ADMIN_PASSWORD: the first start only. */
  adminPassword: string | null
  /** JWT_SECRET; null: generated and kept in dataDir. */
  jwtSecret: string | null
  /** LOG_KEY: secrets the operation log is signed with, the current one first; empty: the one that signs tokens. */
  logSecrets: string[]
  /** TOKEN_TTL, seconds. */
  tokenTtl: number
  /** TIME_ZONE, an IANA name. */
  timeZone: string
  logLevel: string
  /** SMTP_URL; null: mail becomes files in dataDir. */
  smtpUrl: string | null
  mailFrom: string
  /** TRUST_PROXY: false, true, a hop count or addresses and networks, as Fastify takes it. */
  trustProxy: boolean | number | string
  /** CORS_ORIGIN: the origins allowed; empty: CORS is off. */
  corsOrigins: string[]
  /** PASSWORD_TOOLS: whether encryptpwd and decryptpwd answer. */
  passwordTools: boolean
  /** SYNC_WAIT, milliseconds a sync request waits for its run to end. */
  syncWait: number
  /** SYNC_MAX_REMOVALS: a run that would disable or remove more is held. */
  syncMaxRemovals: RemovalLimit
  /** SYNC_WINS: whose word counts for a mapped field that was changed on both sides. */
  syncWins: 'source' | 'local'
  /** BODY_LIMIT, bytes. */
  bodyLimit: number
}

/** Thrown with every bad setting at once, one line each. */
export class ConfigError extends Error {
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    super(`The configuration is not usable:\n${problems.map((problem) => `  ${problem}`).join('\n')}`)
    this.name = 'ConfigError'
    this.problems = problems
  }
}

/** `.env` of the folder the process was started in, overlaid by the process's own environment. */
export const readEnvironment = (folder = process.cwd()): Environment => {
  const file = resolve(folder, '.env')
  return existsSync(file) ? { ...parseEnv(readFileSync(file, 'utf8')), ...process.env } : process.env
}

/**
 * Turns the environment into a Config.
 * @throws ConfigError naming every variable that is wrong and what it may be. Values of secrets are not repeated.
 */
export const parseConfig = (environment: Environment): Config => {
  const variables = openVariables(environment)
  const { problems, read, parse, oneOf, flag, duration, integer, url, secrets } = variables
  const config: Config = {
    host: read('HOST') ?? '127.0.0.1',
    port: integer('PORT', 8888, 0, 65_535),
    basePath: parse(
      'BASE_PATH',
      '',
      (value) => (/^(\/[\w.~-]+)*\/?$/.test(value) ? value.replace(/\/$/, '') : undefined),
      'a path such as /steward',
    ),
    dataDir: resolve(read('DATA_DIR') ?? './data'),
    databaseUrl: url('DATABASE_URL', ['postgres:', 'postgresql:']),
    redisUrl: parse<string | null>(
      'REDIS_URL',
      null,
      toRedisUrl,
      'redis:// or rediss:// with a host, and no path but the number of a database',
    ),
    ldap: readDirectory(variables),
    groupClass: oneOf('LDAP_GROUP_CLASS', ['groupOfNames', 'groupOfUniqueNames'], 'groupOfNames'),
    passwordScheme: oneOf('LDAP_PASSWORD_SCHEME', passwordSchemes, 'argon2'),
    driftInterval: duration('DRIFT_INTERVAL', 300_000, 1000),
    adminPassword: read('ADMIN_PASSWORD'),
    jwtSecret: parse<string | null>(
      'JWT_SECRET',
      null,
      (value) => (value.length >= 32 ? value : undefined),
      'at least 32 characters',
    ),
    logSecrets: secrets('LOG_KEY'),
    tokenTtl: duration('TOKEN_TTL', 1_800_000, 1000) / 1000,
    timeZone: parse(
      'TIME_ZONE',
      Intl.DateTimeFormat().resolvedOptions().timeZone,
      toTimeZone,
      'an IANA time zone such as Europe/Berlin',
    ),
    logLevel: oneOf('LOG_LEVEL', ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'info'),
    smtpUrl: url('SMTP_URL', ['smtp:', 'smtps:']),
    mailFrom: read('MAIL_FROM') ?? 'Steward <steward@localhost>',
    trustProxy: parse<Config['trustProxy']>('TRUST_PROXY', false, toTrustProxy, 'on, off, a hop count, or addresses'),
    corsOrigins: parse(
      'CORS_ORIGIN',
      [],
      toOrigins,
      'origins such as https://console.example.org, separated by commas',
    ),
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
  }
  if (config.adminPassword !== null && [...config.adminPassword].length < 8) {
    problems.push('ADMIN_PASSWORD: expected 8 to 128 characters')
  }
  if (problems.length > 0) throw new ConfigError(problems)
  return config
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
  return toFlag(value) ?? (/^[\da-f.:/, ]+$/i.test(value) ? value : undefined)
}

const toOrigins = (value: string): string[] | undefined => {
  const origins = value.split(',').map((origin) => origin.trim())
  return origins.every((origin) => URL.canParse(origin) && new URL(origin).origin === origin) ? origins : undefined
}
