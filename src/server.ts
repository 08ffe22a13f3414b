import { pino } from 'pino'
import { type Config, ConfigError, parseConfig, readEnvironment } from './config.ts'
import { listenProblem } from './listen-problem.ts'
import { openSteward, type Steward } from './steward.ts'

/** Milliseconds a stop may take before what is left is dropped. */
const stopWithin = 10_000

const main = async (): Promise<void> => {
  const config = parseConfig(readEnvironment())
  const log = pino({ level: config.logLevel, base: null })
  const steward = await openSteward({ config, log })

  let stopping = false
  const stop = async (signal: string): Promise<void> => {
    if (stopping) return
    stopping = true
    log.info(`${signal}: finishing what is under way`)
    setTimeout(() => {
      log.error('stopping took too long; what was left is dropped')
      process.exit(1)
    }, stopWithin).unref()
    await steward.close()
    log.info('stopped')
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal))

  const { host, port } = config
  try {
    await steward.app.listen({ host, port })
  } catch (error) {
    await steward.close()
    throw listenProblem(error, { host, port, settings: { host: 'HOST', port: 'PORT' } })
  }
  announce(config, steward)
}

const announce = (config: Config, { app, mirror, generatedPassword }: Steward): void => {
  const address = app.server.address()
  const port = typeof address === 'object' && address !== null ? address.port : config.port
  const host = config.host.includes(':') ? `[${config.host}]` : config.host
  const url = `http://${host}:${port}${config.basePath}`
  const lines = [
    `Steward listens on ${url}`,
    `  documentation  ${url}/docs`,
    `  database       ${config.databaseUrl === null ? `embedded PostgreSQL in ${config.dataDir}` : 'PostgreSQL (DATABASE_URL)'}`,
  ]
  if (mirror.address === null) lines.push('  directory      none (EMBEDDED_LDAP_PORT=off and no LDAP_URL)')
  else {
    const { url: ldapUrl, baseDn, embedded } = mirror.address
    lines.push(
      `  directory      ${ldapUrl} ${baseDn}${embedded ? ' (built in, for trying out: not OpenLDAP, no TLS)' : ''}`,
    )
  }
  if (generatedPassword !== null) {
    lines.push('', `  First start: sign in as admin with the password ${generatedPassword}`, '  It is not shown again.')
  }
  process.stdout.write(`${lines.join('\n')}\n`)
}

main().catch((error: unknown) => {
  // What the administrator can mend is a line; everything else is a bug, and its stack helps.
  const text =
    error instanceof ConfigError ? error.message : error instanceof Error ? (error.stack ?? error.message) : error
  process.stderr.write(`${text}\n`)
  process.exitCode = 1
  setTimeout(() => process.exit(1), 2000).unref()
})
