import { receiverOf } from '../../audit/syslog/settings.ts'
import { trySyslog } from '../../audit/syslog/stream.ts'
import type { Config } from '../../config/config.ts'
import { DirectoryError, openDirectory } from '../../ldap/directory.ts'
import { tryMailServer } from '../../mail/open-mail.ts'
import { misfitOf } from '../../mirror/entry/active-directory-fit.ts'
import { type DirectorySchema, readSchema } from '../../mirror/entry/directory-schema.ts'
import type { DirectoryProfile, ExternalDirectory } from '../../mirror/entry/directory-settings.ts'
import { memberOfIn, memberOfLacking } from '../../mirror/entry/member-of.ts'
import { lacksNtHash, ntHashLacking } from '../../mirror/entry/nt-hash.ts'
import { peopleDn } from '../../mirror/entry/places.ts'
import { posixGroupStructural } from '../../mirror/entry/posix.ts'
import { refusalOfWrites } from '../../mirror/entry/probe-entry.ts'
import { lackingIn, posixLackingIn } from '../../mirror/entry/schema-needs.ts'
import { probePasswordScheme, schemeNames, schemeSetting } from '../../mirror/passwords/password-scheme.ts'
import { mainDirectory } from '../../mirror/touch.ts'
import { redisAdvice, tryRedis } from '../../redis/open-redis.ts'
import { noLog } from '../../runtime/log.ts'
import { openSources } from '../../sources/open-sources.ts'
import { slots } from '../../sources/slot.ts'
import { tryCollector } from '../../tracing/try-collector.ts'
import { describeError, type Finding, note, ok, problem, sentence } from './finding.ts'
import { schemeMisfit } from './tls-port.ts'

export const checkRedis = async ({ redisUrl, sentinelPassword }: Config): Promise<Finding[]> => {
  if (redisUrl === null) return []
  try {
    await tryRedis(redisUrl, sentinelPassword)
    return [ok('REDIS_URL: Redis can be used')]
  } catch (error) {
    return [problem(`REDIS_URL: Redis cannot be used (${describeError(error)})`, `${sentence(redisAdvice(error))}.`)]
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
    const schema = isActiveDirectory ? null : await readSchema(directory).catch(notShown)
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

/** A server that answers and does not show its schema: a start asks no more of it. @throws any other error */
const notShown = (error: unknown): null => {
  if (error instanceof DirectoryError && error.answered) return null
  throw error
}

/** The setting of a directory that the main one has as `name`. */
const settingOf = (prefix: string, name: string): string =>
  prefix === 'LDAP' ? name : `${prefix}_${name.replace(/^LDAP_/, '')}`

/** What entries need, and the schema does not have. */
const entryFindings = (profile: NamedProfile, url: string, schema: DirectorySchema | null): Finding[] => {
  if (schema === null || profile.activeDirectory !== null) return []
  const { prefix, posix } = profile
  const [lacking, posixLacking] = [lackingIn(schema, profile), posixLackingIn(schema, profile)]
  const posixSetting = posix?.everyGroup ? 'LDAP_GROUP_CLASS' : 'POSIX_ACCOUNTS'
  const isStructural = posix?.everyGroup === true && schema.objectClass('posixGroup')?.auxiliary === false
  return [
    ...(lacking.length > 0
      ? [
          problem(
            `${prefix}_URL: ${url}: the schema lacks what entries need: ${lacking.join(', ')}`,
            `Load the schemas that have them (OpenLDAP: core, cosine and inetorgperson), or leave attributes out with ${prefix}_ATTRIBUTES.`,
          ),
        ]
      : []),
    ...(posixLacking.length > 0
      ? [
          problem(
            `${settingOf(prefix, posixSetting)}: ${url}: the schema has no ${posixLacking.join(', ')}, so entries do not show POSIX accounts and groups`,
            'Load a schema that has them (OpenLDAP: nis, or rfc2307bis where groups are to be POSIX groups).',
          ),
        ]
      : []),
    ...(isStructural
      ? [
          problem(
            `${prefix}_GROUP_CLASS: ${url}: groups could not be POSIX groups`,
            `${sentence(posixGroupStructural)}.`,
          ),
        ]
      : []),
  ]
}

/** What the settings want, and the schema rules out: the start would be refused. */
const schemaFindings = (profile: NamedProfile, url: string, schema: DirectorySchema | null): Finding[] => [
  ...entryFindings(profile, url, schema),
  ...settingFindings(profile, url, schema),
]

const settingFindings = (
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
