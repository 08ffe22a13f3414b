// The room config.
// Every setting, read once; all problems are reported at once.
// It never reads the database; other rooms receive the settings they need.

import { resolve } from 'node:path'
import type { SyslogSettings } from '../audit/syslog/settings.ts'
import { ConfigError } from '../failures/errors.ts'
import { isSender } from '../mail/sender.ts'
import type { MetricsSettings } from '../metrics/settings.ts'
import type { DirectorySettings } from '../mirror/entry/directory-settings.ts'
import type { SourcesConfig } from '../sources/settings.ts'
import { type Region, toRegion } from '../text/identity-keys.ts'
import type { TracingSettings } from '../tracing/settings.ts'
import { type DatabaseConfig, readDatabase } from './database.ts'
import { type DietConfig, readDiet } from './diet.ts'
import { readDirectories } from './directory.ts'
import type { Environment } from './environment.ts'
import { type HttpConfig, readHttp } from './http.ts'
import { readMetrics } from './metrics.ts'
import { describeMisspelled, type Misspelled } from './misspelled.ts'
import { type RedisConfig, readRedis } from './redis.ts'
import { readSecurity, type SecurityConfig } from './security.ts'
import { readSignIn, type SignInConfig } from './sign-in.ts'
import { readSources } from './sources.ts'
import { readSync, type SyncConfig } from './sync.ts'
import { readSyslog } from './syslog.ts'
import { readTimeZone } from './time-zone.ts'
import { readTracing } from './tracing.ts'
import { trialProblems } from './trial.ts'
import { day, isUrl, longestDuration, openVariables, toDuration } from './variables.ts'

/** Every setting, read once at start. Names in comments are the environment variables. */
export interface Config
  extends HttpConfig,
    DatabaseConfig,
    RedisConfig,
    DirectorySettings,
    SignInConfig,
    SourcesConfig,
    SecurityConfig,
    DietConfig,
    SyncConfig {
  /** DATA_DIR, absolute. */
  dataDir: string
  /** DRIFT_INTERVAL, milliseconds. */
  driftInterval: number
  /** LOG_KEY: secrets that sign the operation log, the current one first; empty: the one that signs tokens. */
  logSecrets: string[]
  /** LOG_RETENTION, milliseconds that entries of the operation log are kept; null: for ever. */
  logRetention: number | null
  /** DEFAULT_REGION: the region of mobiles without a country code. */
  defaultRegion: Region
  /** TIME_ZONE, an IANA name. */
  timeZone: string
  logLevel: string
  /** SMTP_URL; null: mail becomes files in dataDir. */
  smtpUrl: string | null
  mailFrom: string
  /** null: METRICS_PORT=off. */
  metrics: MetricsSettings | null
  /** Where the operation log is streamed to; null: SYSLOG_URL is not set. */
  syslog: SyslogSettings | null
  /** null: OTEL_EXPORTER_OTLP_ENDPOINT is not set. */
  tracing: TracingSettings | null
  /** What is set and ignored, because only almost the name of a setting. */
  misspelled: readonly Misspelled[]
}

/**
 * Turns the environment into a Config.
 * @throws ConfigError naming every wrong variable and its allowed values. Values of secrets are not repeated.
 */
export const parseConfig = (environment: Environment): Config => {
  const variables = openVariables(environment)
  const { problems, read, parse, oneOf, duration, secrets } = variables
  const settings: Omit<Config, 'misspelled'> = {
    ...readHttp(variables),
    dataDir: resolve(read('DATA_DIR') ?? './data'),
    ...readDatabase(variables),
    ...readRedis(variables),
    ...readDirectories(variables),
    driftInterval: duration('DRIFT_INTERVAL', 300_000, 1000, longestDuration),
    ...readSignIn(variables),
    logSecrets: secrets('LOG_KEY'),
    logRetention: parse<number | null>(
      'LOG_RETENTION',
      400 * day,
      (value) => (value.toLowerCase() === 'off' ? null : toDuration(value, day, longestDuration)),
      'off, or a duration such as 400d, from 1 to 3650 days',
    ),
    defaultRegion: parse<Region>(
      'DEFAULT_REGION',
      'CN',
      toRegion,
      'the two letters of a country or region (ISO 3166-1), such as CN or DE',
    ),
    timeZone: readTimeZone(variables, Intl.DateTimeFormat().resolvedOptions().timeZone),
    logLevel: oneOf('LOG_LEVEL', ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'info'),
    smtpUrl: parse<string | null>(
      'SMTP_URL',
      null,
      (value) => (isUrl(value, ['smtp:', 'smtps:']) && new URL(value).hostname !== '' ? value : undefined),
      'a URL starting with smtp:// or smtps://, with a host',
    ),
    mailFrom: parse(
      'MAIL_FROM',
      'Steward <steward@localhost>',
      (value) => (isSender(value) ? value : undefined),
      'one mail address, perhaps with a name: Steward <steward@example.org>',
    ),
    ...readSources(variables),
    ...readSecurity(variables),
    ...readDiet(variables),
    ...readSync(variables),
    metrics: readMetrics(variables),
    syslog: readSyslog(variables),
    tracing: readTracing(variables),
  }
  const misspelled = variables.misspelled()
  const config = { ...settings, misspelled }
  problems.push(...trialProblems(config))
  // It may be what is missing. Some names are a problem already.
  const named = new Set(problems.flatMap((one) => one.split(/\W+/)))
  const hints = misspelled.filter(({ name }) => !named.has(name))
  if (problems.length > 0) throw new ConfigError([...problems, ...hints.map(describeMisspelled)])
  return config
}
