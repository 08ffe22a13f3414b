import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { receiverOf } from '../../audit/syslog/settings.ts'
import { trySyslog } from '../../audit/syslog/stream.ts'
import type { Config } from '../../config/config.ts'
import { describeFailure, firstCodeOf } from '../../db/connection-failure.ts'
import { examineDatabase, SilentServerError } from '../../db/examine.ts'
import { placeOf } from '../../db/hosts.ts'
import { lookAtHosts } from '../../db/primary.ts'
import { DirectoryError, openDirectory } from '../../ldap/directory.ts'
import { tryMailServer } from '../../mail/open-mail.ts'
import { misfitOf } from '../../mirror/entry/active-directory-fit.ts'
import { type DirectorySchema, readSchema } from '../../mirror/entry/directory-schema.ts'
import type { DirectoryProfile, ExternalDirectory } from '../../mirror/entry/directory-settings.ts'
import { memberOfIn, memberOfLacking } from '../../mirror/entry/member-of.ts'
import { lacksNtHash, ntHashLacking } from '../../mirror/entry/nt-hash.ts'
import { peopleDn } from '../../mirror/entry/places.ts'
import { refusalOfWrites } from '../../mirror/entry/probe-entry.ts'
import { probePasswordScheme, schemeNames, schemeSetting } from '../../mirror/passwords/password-scheme.ts'
import { mainDirectory } from '../../mirror/touch.ts'
import { tryRedis } from '../../redis/open-redis.ts'
import { noLog } from '../../runtime/log.ts'
import { openSources } from '../../sources/open-sources.ts'
import { slots } from '../../sources/slot.ts'
import { tryCollector } from '../../tracing/try-collector.ts'
import { describeError, type Finding, note, ok, problem } from './finding.ts'
import { checkFirstStart } from './first-start.ts'
import { schemeMisfit } from './tls-port.ts'

/** Connections that one instance opens. */
const ownConnections = 13

const databaseAdvice =
  'Check that the server runs and can be reached from here, and that user, password and database are right.'

const bouncerAdvice = 'PgBouncer does not answer while PostgreSQL behind it cannot be reached: check that server first.'

/** PostgreSQL; reads, and changes nothing. */
export const checkDatabase = async (config: Config, running: boolean): Promise<Finding[]> => {
  const { databaseUrl, databaseDirectUrl, databaseReplicaUrl, dataDir } = config
  if (databaseUrl === null) {
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
      ...(found.writable
        ? []
        : [problem('DATABASE_URL: the server accepts no writes', 'Name the primary server, not a standby.')]),
      ...(found.mayCreate
        ? []
        : [
            problem(
              'DATABASE_URL: this user may not create tables',
              'Make the user the owner of the database: ALTER DATABASE … OWNER TO …',
            ),
          ]),
      schemaFinding(found.schema),
      ...(found.schema === 'none' ? checkFirstStart(config) : []),
      ...(found.freeConnections < ownConnections
        ? [
            note(
              `DATABASE_URL: ${found.freeConnections} connections are free, and an instance opens up to ${ownConnections}`,
              'Raise max_connections of the server.',
            ),
          ]
        : []),
    ]
  } catch (error) {
    // The driver's own, whose messages are such as `write CONNECTION_CLOSED 127.0.0.1:6432`.
    if (!firstCodeOf(error).startsWith('CONNECT'))
      return [problem(`DATABASE_URL: ${describeError(error)}`, databaseAdvice)]
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

export const checkRedis = async ({ redisUrl, sentinelPassword }: Config): Promise<Finding[]> => {
  if (redisUrl === null) return []
  try {
    await tryRedis(redisUrl, sentinelPassword)
    return [ok('REDIS_URL: Redis can be used')]
  } catch (error) {
    const advice = 'Check that Redis 6 or newer runs there, and its user and password.'
    return [problem(`REDIS_URL: Redis cannot be used (${describeError(error)})`, advice)]
  }
}

/** Every server of every directory: bind, base entry, whether it accepts changes, whether it verifies our hashes. */
export const checkDirectory = async (config: Config): Promise<Finding[]> => {
  const { ldap } = config
  if (ldap === null) return [note('no directory', 'Set LDAP_URL, or EMBEDDED_LDAP_PORT to a port.')]
  const findings: Finding[] = ldap.kind === 'embedded' ? [ok('the embedded directory')] : []
  const external = [...(ldap.kind === 'embedded' ? [] : [{ ...config, ldap, prefix: 'LDAP', number: mainDirectory }])]
  const further = config.furtherDirectories.map((each) => ({ ...each, prefix: `LDAP_${each.number}` }))
  const servers = [...external, ...further].flatMap((profile) =>
    [profile.ldap.url, ...profile.ldap.otherUrls].map((url) => checkLdapServer(profile, url)),
  )
  return [...findings, ...(await Promise.all(servers)).flat()]
}

/** An external directory, with what the names of its settings begin with. */
type NamedProfile = DirectoryProfile<ExternalDirectory> & { prefix: string; number: number }

/** A proxy may sign in by itself, and then wait for the directory behind it. */
const patiently = (ldap: ExternalDirectory): ExternalDirectory => ({ ...ldap, timeout: Math.min(ldap.timeout, 5000) })

const checkLdapServer = async (profile: NamedProfile, url: string): Promise<Finding[]> => {
  const { ldap, prefix } = profile
  const isActiveDirectory = profile.activeDirectory !== null
  const options = { ...patiently(ldap), isActiveDirectory, url, otherUrls: [], log: noLog }
  const directory = openDirectory(options)
  try {
    const { vendor } = await directory.features()
    const reached = ok(`${prefix}_URL: ${url}${vendor === '' ? '' : ` (${vendor})`} accepts ${prefix}_BIND_DN`)
    const misfit = await misfitOf(directory)
    if (misfit !== null) {
      return [reached, problem(misfit.replaceAll(/\bLDAP_/g, `${prefix}_`), 'See docs/active-directory.md.')]
    }
    const schema = profile.memberOf || profile.ntHash ? await readSchema(directory) : null
    const ofSchema = schemaFindings(profile, url, schema)
    if ((await directory.read(ldap.baseDn, [])) === null) {
      const created = ok(`${prefix}_BASE_DN: ${ldap.baseDn} does not exist yet; the first start creates it`)
      return [reached, ...ofSchema, created]
    }
    // The entries that are tried for a moment need it.
    if ((await directory.read(peopleDn(ldap.baseDn), [])) === null) return [reached, ...ofSchema]
    const refusal = await refusalOfWrites(directory)
    if (refusal !== null) {
      const advice = `Give ${prefix}_BIND_DN the right to write below ${prefix}_BASE_DN, and name servers that accept changes.`
      return [reached, ...ofSchema, problem(`${prefix}_URL: ${url} accepts no changes (${refusal.message})`, advice)]
    }
    if (isActiveDirectory) return [reached, ok(`${prefix}_KIND: ${url} is an Active Directory`)]
    return [reached, ...ofSchema, await schemeFinding(profile, url)]
  } catch (error) {
    const misfit = error instanceof DirectoryError && error.code === null ? await schemeMisfit(url) : null
    if (misfit !== null) {
      const advice = url.startsWith('ldaps:')
        ? `Write ldap:// and set ${prefix}_STARTTLS=on, or name the port for ldaps://, usually 636.`
        : 'Write ldaps://, or name the port for ldap://, usually 389.'
      return [problem(`${prefix}_URL: ${url}: ${misfit}`, advice)]
    }
    const advice = `Check the address, ${prefix}_BIND_DN, ${prefix}_BIND_PASSWORD, and for ldaps:// ${prefix}_CA_FILE.`
    return [problem(`${prefix}_URL: ${url}: ${describeError(error)}`, advice)]
  } finally {
    await directory.close()
  }
}

/** What the settings want, and the schema rules out: the start would be refused. */
const schemaFindings = (
  { prefix, memberOf, ntHash }: NamedProfile,
  url: string,
  schema: DirectorySchema | null,
): Finding[] => [
  ...(memberOf && memberOfIn(schema) === 'lacking'
    ? [problem(`${prefix}_MEMBER_OF: ${url}: people could not have memberOf`, `${memberOfLacking}.`)]
    : []),
  ...(ntHash && lacksNtHash(schema)
    ? [problem(`${prefix}_NT_HASH: ${url}: people could not have NT hashes`, `${ntHashLacking}.`)]
    : []),
]

const schemeFinding = async ({ ldap, number, passwordScheme }: NamedProfile, url: string): Promise<Finding> => {
  const options = { ...patiently(ldap), url, otherUrls: [], log: noLog }
  const setting = schemeSetting(number)
  const { verdict, reason } = await probePasswordScheme(options, schemeNames[passwordScheme], setting)
  const named = `${setting}: ${url}`
  if (verdict === 'disproved') return problem(`${named}: people could not sign in`, `${reason?.text}.`)
  if (verdict === 'unknown') return note(`${named}: whether people could sign in was not found out`, `${reason?.text}.`)
  return ok(`${named} verifies ${passwordScheme}`)
}

const mailAdvice =
  "Check host, port, user and password of SMTP_URL. Name certificate authorities of your own in Node's NODE_EXTRA_CA_CERTS."

export const checkMail = async ({ smtpUrl, mailFrom, dataDir }: Config): Promise<Finding[]> => {
  if (smtpUrl === null) return [ok(`every mail becomes a file in ${dataDir}/mail`)]
  const failure = await tryMailServer({ smtpUrl, from: mailFrom })
  return failure === null
    ? [ok('SMTP_URL: the mail server accepts the sign-in')]
    : [problem(`SMTP_URL: ${failure}`, mailAdvice)]
}

/** The receiver of the operation log, by a connection that sends nothing. */
export const checkSyslog = async ({ syslog }: Config): Promise<Finding[]> => {
  if (syslog === null) return []
  const receiver = receiverOf(syslog)
  try {
    await trySyslog(syslog)
    return [
      ok(`SYSLOG_URL: ${receiver} accepts the connection${syslog.tls === null ? ', which is not encrypted' : ''}`),
    ]
  } catch (error) {
    const advice = syslog.tls
      ? 'Check the address, SYSLOG_CA_FILE, and SYSLOG_CERT_FILE where the receiver wants a certificate.'
      : 'Check the address, and that the receiver listens there.'
    return [problem(`SYSLOG_URL: ${receiver}: ${describeError(error)}`, advice)]
  }
}

/** The collector of spans, without which the service works as well. */
export const checkTracing = async ({ tracing }: Config): Promise<Finding[]> => {
  if (tracing === null) return []
  const collector = `OTEL_EXPORTER_OTLP_ENDPOINT: ${tracing.url}`
  return tryCollector(tracing).then(
    () => [ok(`${collector} takes spans`)],
    (error: unknown) => [
      note(
        `${collector} takes no spans (${describeError(error)})`,
        'Check the address, and OTEL_EXPORTER_OTLP_HEADERS.',
      ),
    ],
  )
}

/** The organisations, by the diagnosis that the console shows. Reads only. */
export const checkSources = async ({ sources }: Config): Promise<Finding[]> => {
  const open = openSources(sources, { log: noLog, mirror: null })
  try {
    const found = await Promise.all(
      slots.map(async (slot): Promise<Finding[]> => {
        const source = open.bySlot[slot]
        if (source === null) return []
        const { steps } = await source.diagnose(AbortSignal.timeout(60_000))
        return steps.map(({ step, ok: good, found, advice }): Finding => {
          const text = `${slot} (${source.connector}), ${step}: ${found}`
          return good ? { state: advice === '' ? 'ok' : 'note', text, advice } : problem(text, advice)
        })
      }),
    )
    return found.flat()
  } finally {
    await open.close()
  }
}
