import { type Finding, when } from './concern.ts'
import type { Facts, Settings } from './facts.ts'
import { counted, listed } from './wording.ts'

/** Weaknesses of the settings, and of the users with the highest rank. */
export const findInConfiguration = (facts: Facts): Finding[] => [
  ...findSecrets(facts),
  ...findConnections(facts),
  ...findPeople(facts),
  ...findDefaults(facts),
]

/** Those of the settings alone. */
export const findInSettings = (settings: Settings): Finding[] =>
  [findSecrets, findConnections, findDefaults].flatMap((find) => find({ settings }))

const findSecrets = ({ settings }: Pick<Facts, 'settings'>): Finding[] => [
  ...settings.guessableSecrets.map(
    (name): Finding => ({
      kind: 'secretGuessable',
      description: `${name} looks like an example or a pattern, which is easy to guess.`,
      suggestion: `Set ${name} to the output of: openssl rand -base64 48.${name === 'JWT_SECRET' ? ' All users sign in again then.' : ' If it accepts several values, keep the current one after it.'}`,
      params: { name },
    }),
  ),
  ...when(settings.generatedSecret, () => ({
    kind: 'secretGenerated',
    description: 'Tokens are signed with a secret that was generated and is kept in DATA_DIR/secrets.',
    suggestion: 'That is safe for one instance. Set JWT_SECRET if there are several, or if secrets are kept elsewhere.',
  })),
  ...when(settings.logKeyMissing, () => ({
    kind: 'logKeyMissing',
    description: 'The operation log is signed with a key that is derived from the secret for tokens.',
    suggestion:
      'Set LOG_KEY, so that an attacker who learns one of them cannot forge both; list the current secret after it (JWT_SECRET, or the content of DATA_DIR/secrets/jwt).',
  })),
  ...when(settings.adminPasswordKept, () => ({
    kind: 'adminPasswordKept',
    description: 'ADMIN_PASSWORD is set, but was used only at the first start.',
    suggestion:
      'Remove it from the settings, and change the password if others could read them: POST /api/user/changePwd.',
  })),
]

const findConnections = ({ settings }: Pick<Facts, 'settings'>): Finding[] => [
  ...settings.clearConnections.map(
    (name): Finding => ({
      kind: 'connectionClear',
      description: `The connection of ${name} is not encrypted: passwords can be read on the network.`,
      suggestion: encryption[name] ?? `Set ${name} to an encrypted connection.`,
      params: { name },
    }),
  ),
  ...when(settings.openToNetwork, () => ({
    kind: 'openToNetwork',
    description: 'HOST is an address that other machines can reach, and no proxy with TLS is configured.',
    suggestion:
      'Put a proxy with TLS in front of the service, set HOST to 127.0.0.1, and set TRUST_PROXY to the proxy.',
  })),
  ...when(settings.trustsAnyClient, () => ({
    kind: 'trustsAnyClient',
    description: 'TRUST_PROXY is on: any client can claim any address, which affects rate limits, locks and the log.',
    suggestion: 'Set TRUST_PROXY to the number of proxies in front of the service, or to their addresses.',
  })),
  ...when(settings.clearOrigins.length > 0, () => ({
    kind: 'originClear',
    description: `CORS_ORIGIN allows ${listed(settings.clearOrigins)}, which is not encrypted: an attacker on the network can act as its users.`,
    suggestion: 'Set CORS_ORIGIN to origins with https:// only.',
    params: { names: settings.clearOrigins.slice(0, 5).join(', ') },
  })),
]

const encryption: Readonly<Record<string, string>> = {
  LDAP_URL:
    'Set LDAP_URL to a URL with ldaps://, or set LDAP_STARTTLS=on; LDAP_CA_FILE names the certificate authority.',
  EXTLDAP_URL:
    'Set EXTLDAP_URL to a URL with ldaps://, or set EXTLDAP_STARTTLS=on; EXTLDAP_CA_FILE names the certificate authority.',
  DATABASE_URL: 'Append ?sslmode=verify-full to DATABASE_URL.',
  DATABASE_DIRECT_URL: 'Append ?sslmode=verify-full to DATABASE_DIRECT_URL.',
  DATABASE_REPLICA_URL: 'Append ?sslmode=verify-full to DATABASE_REPLICA_URL.',
  PUBLIC_URL: 'Set PUBLIC_URL to the address with https://: its links set passwords.',
  REDIS_URL: 'Set REDIS_URL to a URL with rediss://.',
  SMTP_URL: 'Set SMTP_URL to a URL with smtps://, or append ?requireTLS=true for STARTTLS.',
}

const findPeople = ({
  people: { administrators, withoutFactor, withoutFactorNames, sessions, idleSessions },
}: Facts): Finding[] => [
  ...when(withoutFactor > 0, () => ({
    kind: 'factorMissing',
    description: `${withoutFactor} of ${counted(administrators, 'administrator')} ${withoutFactor === 1 ? 'has' : 'have'} no second factor: ${listed(withoutFactorNames, withoutFactor)}.`,
    suggestion: 'Each enrols an authenticator app of their own: POST /api/v1/operations/second-factor/totp.',
    params: { count: withoutFactor, administrators, names: withoutFactorNames.slice(0, 5).join(', ') },
  })),
  ...when(idleSessions > 0, () => ({
    kind: 'idleSessions',
    description: `${idleSessions} of ${counted(sessions, 'open session')} ${idleSessions === 1 ? 'was' : 'were'} not used for three days.`,
    suggestion:
      'End those that are not needed: GET /api/v1/operations/sessions, then DELETE …/sessions/{sessionId}. Unused ones end after 7 days.',
    params: { count: idleSessions, sessions },
  })),
]

const findDefaults = ({ settings }: Pick<Facts, 'settings'>): Finding[] => [
  ...when(settings.smtpMissing, () => ({
    kind: 'smtpMissing',
    description: 'There is no mail server: codes and notifications are only written to files in DATA_DIR/mail.',
    suggestion: 'Set SMTP_URL and MAIL_FROM.',
  })),
  ...when(settings.fastPasswordHashes.length > 0, () => ({
    kind: 'fastPasswordHash',
    description: `${listed(settings.fastPasswordHashes)} ${settings.fastPasswordHashes.length === 1 ? 'is' : 'are'} ssha512: a graphics card guesses billions of passwords a second against a stolen copy.`,
    suggestion: `Load the argon2 or pw-pbkdf2 module in the directory server and set ${listed(settings.fastPasswordHashes)} to argon2 or pbkdf2-sha512.`,
    params: { names: settings.fastPasswordHashes.join(', ') },
  })),
  ...when(settings.ntHashes, () => ({
    kind: 'ntHashes',
    description:
      'LDAP_NT_HASH is on: the directory has an NT hash of each password, an MD4 without a salt. It is as good as the password for MSCHAPv2, and a graphics card guesses billions of passwords a second against a stolen copy.',
    suggestion:
      'Use EAP-TTLS with PAP for Wi-Fi and set LDAP_NT_HASH to off. Where PEAP is needed, let only the account of the RADIUS server read the hashes, and over TLS.',
  })),
  ...when(settings.backupsUnscheduled, () => ({
    kind: 'backupsUnscheduled',
    description: 'BACKUP_SCHEDULE is off: a backup is made only on request.',
    suggestion: 'Remove BACKUP_SCHEDULE to make one every day at 03:00, or set another time.',
  })),
  ...when(settings.backupKeyMissing, () => ({
    kind: 'backupKeyMissing',
    description: 'BACKUP_KEY is not set, so backups are not encrypted.',
    suggestion:
      'Set BACKUP_KEY to the output of: openssl rand -base64 48. Keep a copy elsewhere: without it no backup can be read.',
  })),
  ...when(settings.embeddedDatabase, () => ({
    kind: 'databaseEmbedded',
    description: 'The database is the embedded one, for one instance on one machine.',
    suggestion: 'Set DATABASE_URL to a PostgreSQL server for production.',
  })),
]
