import type { Config } from '../../config/config.ts'
import { hostUrls } from '../../db/hosts.ts'
import { wantedHashes } from '../../mirror/passwords/other-hashes.ts'
import { schemeSetting } from '../../mirror/passwords/password-scheme.ts'
import { mainDirectory } from '../../mirror/touch.ts'
import { readSentinels } from '../../redis/sentinels.ts'
import { slots } from '../../sources/slot.ts'
import type { Settings } from './facts.ts'

/** The security-relevant part of the configuration. It contains no secret. */
export const settingsOf = (config: SecurityRelevant): Settings => ({
  directory: config.ldap?.kind ?? 'none',
  driftInterval: config.driftInterval,
  sources: slots.filter((slot) => config.sources[slot] !== null),
  guessableSecrets: Object.entries({
    JWT_SECRET: config.jwtSecret,
    LOG_KEY: config.logSecrets[0],
    BACKUP_KEY: config.backupSecrets[0],
    ALERT_WEBHOOK_SECRET: config.alertWebhookSecret,
  }).flatMap(([name, secret]) => (secret && isGuessable(secret) ? [name] : [])),
  generatedSecret: config.jwtSecret === null,
  logKeyMissing: config.logSecrets.length === 0,
  adminPasswordKept: config.adminPassword !== null,
  clearConnections: clearConnections(config),
  smtpMissing: config.smtpUrl === null,
  clearOrigins: config.corsOrigins.filter((origin) => origin.startsWith('http:') && !isLoopback(origin)),
  trustsAnyClient: config.trustProxy === true,
  openToNetwork: config.trustProxy === false && !isLoopbackName(config.host),
  embeddedDatabase: config.databaseUrl === null,
  backupKeyMissing: config.backupSecrets.length === 0,
  backupsUnscheduled: config.backupSchedule === null,
  fastPasswordHashes: fastPasswordHashes(config),
  ntHashes: wantedHashes(config).includes('nt'),
  sessionMax: config.sessionMax,
})

export type SecurityRelevant = Pick<
  Config,
  | 'adminPassword'
  | 'alertWebhookSecret'
  | 'backupSchedule'
  | 'backupSecrets'
  | 'corsOrigins'
  | 'databaseUrl'
  | 'databaseDirectUrl'
  | 'databaseReplicaUrl'
  | 'driftInterval'
  | 'host'
  | 'furtherDirectories'
  | 'jwtSecret'
  | 'ldap'
  | 'logSecrets'
  | 'ntHash'
  | 'passwordScheme'
  | 'publicUrl'
  | 'redisUrl'
  | 'sessionMax'
  | 'smtpUrl'
  | 'sources'
  | 'trustProxy'
>

/** Settings that name a hash that can be guessed fast. */
const fastPasswordHashes = ({ passwordScheme, furtherDirectories }: SecurityRelevant): string[] => [
  ...(passwordScheme === 'ssha512' ? [schemeSetting(mainDirectory)] : []),
  ...furtherDirectories.flatMap((each) =>
    each.ownScheme && each.passwordScheme === 'ssha512' ? [schemeSetting(each.number)] : [],
  ),
]

/**
 * Settings whose connections are not encrypted. The URLs of the platforms and of the webhook are not checked: the
 * configuration refuses unencrypted ones.
 */
const clearConnections = (config: SecurityRelevant): string[] => {
  const { ldap, sources, databaseUrl, databaseDirectUrl, databaseReplicaUrl, publicUrl, redisUrl, smtpUrl } = config
  const isClear = ({ url, startTls }: { url: string; startTls: boolean }): boolean =>
    url.startsWith('ldap:') && !startTls && !isLoopback(url)
  const source = sources.extldap
  return [
    ...(ldap?.kind === 'external' && [ldap.url, ...ldap.otherUrls].some((url) => isClear({ ...ldap, url }))
      ? ['LDAP_URL']
      : []),
    ...(source?.connector === 'ldap' && isClear(source.settings) ? ['EXTLDAP_URL'] : []),
    ...(databaseUrl !== null && isClearDatabase(databaseUrl) ? ['DATABASE_URL'] : []),
    ...(databaseDirectUrl !== null && isClearDatabase(databaseDirectUrl) ? ['DATABASE_DIRECT_URL'] : []),
    ...(databaseReplicaUrl !== null && isClearDatabase(databaseReplicaUrl) ? ['DATABASE_REPLICA_URL'] : []),
    ...(redisUrl !== null && isClearRedis(redisUrl) ? ['REDIS_URL'] : []),
    ...(publicUrl?.startsWith('http:') && !isLoopback(publicUrl) ? ['PUBLIC_URL'] : []),
    ...(smtpUrl !== null && isClearMail(smtpUrl) ? ['SMTP_URL'] : []),
  ]
}

/** A socket on this machine has no host, and needs no TLS. */
const isClearDatabase = (url: string): boolean => {
  const urls = hostUrls(url) ?? []
  const query = urls[0]?.searchParams
  const mode = query?.get('sslmode') ?? query?.get('ssl') ?? ''
  const isFar = urls.some(({ hostname }) => hostname !== '' && !isLoopbackName(hostname))
  return isFar && !/^(require|verify-ca|verify-full|true)$/.test(mode)
}

/** What the sentinels name may be anywhere, but where they are the servers are as a rule. */
const isClearRedis = (url: string): boolean =>
  (readSentinels(url)?.urls ?? [url]).some((each) => each.startsWith('redis:') && !isLoopback(each))

/** With smtp:// nodemailer encrypts only if the server offers it, and an attacker can suppress the offer. */
const isClearMail = (url: string): boolean => {
  const { protocol, searchParams } = new URL(url)
  const encrypts = searchParams.get('requireTLS') === 'true' || searchParams.get('secure') === 'true'
  return protocol === 'smtp:' && !encrypts && !isLoopback(url)
}

const isLoopback = (url: string): boolean => isLoopbackName(new URL(url).hostname)

const isLoopbackName = (host: string): boolean => /^(localhost|127(\.\d+){3}|\[?::1\]?)$/i.test(host)

/** Random secrets have more than a dozen different characters and contain no words. */
const isGuessable = (secret: string): boolean =>
  new Set(secret).size < 12 || /change.?(me|it|this)|secret|password|example|default|steward/i.test(secret)
