import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseEnv } from 'node:util'

/** Every setting, read once at start. Names in comments are the environment variables. */
export interface Config {
  /** HOST, PORT; port 0 takes any free one. */
  host: string
  port: number
  /** BASE_PATH: empty, or `/prefix` without a slash at its end. */
  basePath: string
  /** DATA_DIR, absolute. */
  dataDir: string
  /** DATABASE_URL; null: the embedded PostgreSQL in dataDir. */
  databaseUrl: string | null
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
  /** BODY_LIMIT, bytes. */
  bodyLimit: number
}

export const passwordSchemes = ['argon2', 'pbkdf2-sha512', 'ssha512'] as const
export type PasswordScheme = (typeof passwordSchemes)[number]

export interface ExternalDirectory {
  kind: 'external'
  /** ldap:// or ldaps:// */
  url: string
  baseDn: string
  bindDn: string
  bindPassword: string
  /** LDAP_CA_FILE's content. */
  ca: string | null
  startTls: boolean
  /** LDAP_TIMEOUT, milliseconds for one operation. */
  timeout: number
  /** LDAP_TRANSACTIONS: whether bulk writes may use transactions (RFC 5805) where the server offers them. */
  transactions: boolean
}

export interface EmbeddedDirectory {
  kind: 'embedded'
  /** EMBEDDED_LDAP_PORT on 127.0.0.1; 0 takes any free one. */
  port: number
  baseDn: string
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

type Environment = Readonly<Record<string, string | undefined>>

/** `.env` of the folder the process was started in, overlaid by the process's own environment. */
export const readEnvironment = (folder = process.cwd()): Environment => {
  const file = resolve(folder, '.env')
  return existsSync(file) ? { ...parseEnv(readFileSync(file, 'utf8')), ...process.env } : process.env
}

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/**
 * Turns the environment into a Config.
 * @throws ConfigError naming every variable that is wrong and what it may be. Values of secrets are not repeated.
 */
export const parseConfig = (environment: Environment): Config => {
  const problems: string[] = []
  /** An empty variable counts as unset: that is how a shell or a compose file clears one. */
  const read = (name: string): string | null => environment[name]?.trim() || null
  const parse = <T>(name: string, fallback: T, convert: (value: string) => T | undefined, expected: string): T => {
    const value = read(name)
    if (value === null) return fallback
    const converted = convert(value)
    if (converted !== undefined) return converted
    problems.push(`${name}: expected ${expected}`)
    return fallback
  }
  const oneOf = <const T extends string>(name: string, values: readonly T[], fallback: T): T =>
    parse(
      name,
      fallback,
      (value) => values.find((known) => known.toLowerCase() === value.toLowerCase()),
      values.join(', '),
    )
  const flag = (name: string, fallback: boolean): boolean =>
    parse(name, fallback, toFlag, 'on or off (also true/false, yes/no, 1/0)')
  const duration = (name: string, fallback: number, minimum: number): number =>
    parse(
      name,
      fallback,
      (value) => {
        const match = /^(\d{1,9})(ms|s|m|h|d)?$/.exec(value)
        const milliseconds = match ? Number(match[1]) * (units[match[2] ?? 's'] ?? Number.NaN) : Number.NaN
        return milliseconds >= minimum && milliseconds <= 3_650 * 86_400_000 ? milliseconds : undefined
      },
      `a duration such as 90s, 30m or 2h, at least ${minimum / 1000} s`,
    )
  const integer = (name: string, fallback: number, minimum: number, maximum: number): number =>
    parse(name, fallback, (value) => toInteger(value, minimum, maximum), `a whole number from ${minimum} to ${maximum}`)
  const url = (name: string, protocols: readonly string[]): string | null =>
    parse<string | null>(
      name,
      null,
      (value) => (URL.canParse(value) && protocols.includes(new URL(value).protocol) ? value : undefined),
      `a URL starting with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
    )
  const required = (name: string, why: string): string => {
    const value = read(name)
    if (value === null) problems.push(`${name}: required ${why}`)
    return value ?? ''
  }

  const ldap = (): Config['ldap'] => {
    const ldapUrl = url('LDAP_URL', ['ldap:', 'ldaps:'])
    const port = parse<number | 'off'>(
      'EMBEDDED_LDAP_PORT',
      1389,
      (value) => (value === 'off' ? 'off' : toInteger(value, 0, 65_535)),
      'a port from 0 to 65535, or off',
    )
    if (read('LDAP_URL') === null) {
      return port === 'off' ? null : { kind: 'embedded', port, baseDn: 'dc=steward,dc=local' }
    }
    const caFile = read('LDAP_CA_FILE')
    let ca: string | null = null
    try {
      if (caFile !== null) ca = readFileSync(caFile, 'utf8')
    } catch (error) {
      problems.push(`LDAP_CA_FILE: cannot be read (${error instanceof Error ? error.message : String(error)})`)
    }
    const startTls = flag('LDAP_STARTTLS', false)
    if (startTls && ldapUrl?.startsWith('ldaps:')) problems.push('LDAP_STARTTLS: goes with ldap://, not with ldaps://')
    const why = 'when LDAP_URL is set'
    return {
      kind: 'external',
      url: ldapUrl ?? '',
      baseDn: required('LDAP_BASE_DN', why),
      bindDn: required('LDAP_BIND_DN', why),
      bindPassword: required('LDAP_BIND_PASSWORD', why),
      ca,
      startTls,
      timeout: duration('LDAP_TIMEOUT', 15_000, 100),
      transactions: flag('LDAP_TRANSACTIONS', true),
    }
  }

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
    ldap: ldap(),
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
    logSecrets: parse('LOG_KEY', [], toSecrets, 'secrets of at least 32 characters each, separated by spaces'),
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
    syncWait: duration('SYNC_WAIT', 20_000, 0),
    bodyLimit: integer('BODY_LIMIT', 1_048_576, 1024, 268_435_456),
  }
  if (config.adminPassword !== null && [...config.adminPassword].length < 8) {
    problems.push('ADMIN_PASSWORD: expected 8 to 128 characters')
  }
  if (problems.length > 0) throw new ConfigError(problems)
  return config
}

const toFlag = (value: string): boolean | undefined => {
  if (/^(on|true|yes|1)$/i.test(value)) return true
  return /^(off|false|no|0)$/i.test(value) ? false : undefined
}

const toInteger = (value: string, minimum: number, maximum: number): number | undefined =>
  /^\d{1,15}$/.test(value) && Number(value) >= minimum && Number(value) <= maximum ? Number(value) : undefined

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

const toSecrets = (value: string): string[] | undefined => {
  const secrets = value.split(/\s+/)
  return secrets.every((secret) => secret.length >= 32) ? secrets : undefined
}

const toOrigins = (value: string): string[] | undefined => {
  const origins = value.split(',').map((origin) => origin.trim())
  return origins.every((origin) => URL.canParse(origin) && new URL(origin).origin === origin) ? origins : undefined
}
