import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../config/config.ts'
import { describeMisspelled } from '../config/misspelled.ts'
import { ConfigError } from '../failures/errors.ts'
import { listenProblem, listenProblems } from '../network/listen-problem.ts'
import { openSteward, type Steward } from './steward.ts'

/** Milliseconds a stop may take before the rest is dropped. */
const stopWithin = 10_000

export interface StartOptions {
  config: Config
  log: FastifyBaseLogger
  /** Closed after the service. */
  afterwards?: () => Promise<void>
}

export interface Started {
  steward: Steward
  /** The address it listens on, with the base path. */
  url: string
  /** Information for the operator, line by line. */
  announcement: string[]
}

const httpSettings = { host: 'HOST', port: 'PORT' }
const metricsSettings = { host: 'METRICS_HOST', port: 'METRICS_PORT' }
const embeddedSettings = { host: 'EMBEDDED_LDAP_HOST', port: 'EMBEDDED_LDAP_PORT' }

/**
 * Before the database is migrated and entries are written. Where something embedded is, only the addresses are tried: who has
 * the ports has its folder, too, and the lock of the folder says more.
 * @throws ConfigError naming every setting that cannot be listened on
 */
const checkPlaces = async ({ host, port, metrics, ldap, databaseUrl }: Config): Promise<void> => {
  const wanted = (own: number): number => (databaseUrl === null ? 0 : own)
  const problems = await listenProblems([
    { host, port: wanted(port), settings: httpSettings },
    ...(metrics === null ? [] : [{ host: metrics.host, port: wanted(metrics.port), settings: metricsSettings }]),
    ...(ldap?.kind === 'embedded' ? [{ host: ldap.host, port: 0, settings: embeddedSettings }] : []),
  ])
  if (problems.length > 0) throw new ConfigError(problems)
}

/**
 * Opens the service and listens. From then on SIGTERM or SIGINT lets DRAIN_PERIOD pass, which a second signal ends,
 * finishes the work in progress and closes everything, so that the process ends with 0; with 1 when that takes too long.
 * @throws ConfigError when the address cannot be listened on, and the errors of `openSteward`
 */
export const start = async ({ config, log, afterwards = async () => {} }: StartOptions): Promise<Started> => {
  for (const one of config.misspelled) log.warn(describeMisspelled(one))
  await checkPlaces(config)
  const steward = await openSteward({ config, log })

  let stopping = false
  const stop = async (signal: string): Promise<void> => {
    if (stopping) return void steward.drain()
    stopping = true
    if (config.drainPeriod > 0)
      log.info(`${signal}: not ready any more, and stopping in ${config.drainPeriod / 1000} s`)
    await steward.drain()
    log.info(`${signal}: finishing what is under way`)
    setTimeout(() => {
      log.error('stopping took too long; what was left is dropped')
      process.exit(1)
    }, stopWithin).unref()
    await steward.close()
    await afterwards()
    log.info('stopped')
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal))

  const { host, port } = config
  try {
    await steward.app.listen({ host, port })
  } catch (error) {
    await steward.close()
    throw listenProblem(error, { host, port, settings: httpSettings })
  }
  const url = addressOf(config, steward)
  return { steward, url, announcement: announcement(config, steward, url) }
}

const addressOf = (config: Config, { app }: Steward): string => {
  const address = app.server.address()
  const port = typeof address === 'object' && address !== null ? address.port : config.port
  const host = config.host.includes(':') ? `[${config.host}]` : config.host
  return `http://${host}:${port}${config.basePath}`
}

const announcement = (config: Config, { mirror, metricsUrl, generatedPassword }: Steward, url: string): string[] => {
  const lines = [
    `Steward listens on ${url}`,
    `  console        ${url}/console`,
    `  documentation  ${url}/docs`,
    `  database       ${config.databaseUrl === null ? `embedded PostgreSQL in ${config.dataDir}` : 'PostgreSQL (DATABASE_URL)'}`,
  ]
  if (mirror.address === null) lines.push('  directory      none (EMBEDDED_LDAP_PORT=off and no LDAP_URL)')
  else {
    const { url: ldapUrl, ldapsUrl, baseDn, embedded } = mirror.address
    lines.push(`  directory      ${ldapUrl} ${baseDn}${embedded ? ' (built in: not OpenLDAP)' : ''}`)
    if (ldapsUrl !== null) lines.push(`                 ${ldapsUrl}`)
  }
  if (metricsUrl !== null) lines.push(`  metrics        ${metricsUrl}`)
  if (generatedPassword !== null) {
    lines.push('', `  First start: sign in as admin with the password ${generatedPassword}`, '  It is not shown again.')
  }
  return lines
}

/** Ends a process that could not start: a wrong setting is printed as a line, a bug with its stack. */
export const failToStart = (error: unknown): void => {
  const text =
    error instanceof ConfigError ? error.message : error instanceof Error ? (error.stack ?? error.message) : error
  process.stderr.write(`${text}\n`)
  process.exitCode = 1
  setTimeout(() => process.exit(1), 2000).unref()
}
