import { type Finding, when } from './concern.ts'
import type { Facts } from './facts.ts'
import { counted, listed } from './wording.ts'

/** Weaknesses of the settings, and of the users with the highest rank. */
export const findInConfiguration = (facts: Facts): Finding[] => [
  ...findSecrets(facts),
  ...findConnections(facts),
  ...findPeople(facts),
  ...findDefaults(facts),
]

const findSecrets = ({ settings }: Facts): Finding[] => [
  ...settings.guessableSecrets.map(
    (name): Finding => ({
      kind: 'secretGuessable',
      description: `${name} looks like an example or a pattern, which is easy to guess.`,
      suggestion: `Set ${name} to the output of: openssl rand -base64 48.${name === 'JWT_SECRET' ? ' All users sign in again then.' : ' Keep the present one behind it where it may name several.'}`,
    }),
  ),
  ...when(settings.generatedSecret, () => ({
    kind: 'secretGenerated',
    description: 'Tokens are signed with a secret that was generated and is kept in DATA_DIR/secrets.',
    suggestion:
      'That is safe for one instance. Set JWT_SECRET where there are several, or where secrets are kept elsewhere.',
  })),
  ...when(settings.logKeyMissing, () => ({
    kind: 'logKeyMissing',
    description: 'The operation log is signed with a key that follows from the one for tokens.',
    suggestion:
      'Set LOG_KEY, so that an attacker who learns one of them cannot forge both; name the present secret behind it (JWT_SECRET, or the content of DATA_DIR/secrets/jwt).',
  })),
  ...when(settings.adminPasswordKept, () => ({
    kind: 'adminPasswordKept',
    description: 'ADMIN_PASSWORD is set, which counted at the very first start only.',
    suggestion:
      'Remove it from the settings, and change the password if others could read them: POST /api/user/changePwd.',
  })),
]

const findConnections = ({ settings }: Facts): Finding[] => [
  ...settings.clearConnections.map(
    (name): Finding => ({
      kind: 'connectionClear',
      description: `What ${name} names is reached over a network in clear: passwords can be read on the way.`,
      suggestion: encryption[name] ?? `Let ${name} name an encrypted connection.`,
    }),
  ),
  ...when(settings.openToNetwork, () => ({
    kind: 'openToNetwork',
    description: 'HOST is an address that others can reach, and no proxy is named that would end TLS before it.',
    suggestion: 'Put a proxy with TLS before the service, let HOST be 127.0.0.1, and name the proxy in TRUST_PROXY.',
  })),
  ...when(settings.trustsEverybody, () => ({
    kind: 'trustsEverybody',
    description: 'TRUST_PROXY is on: every client can claim any address, for limits, locks and the log.',
    suggestion: 'Let TRUST_PROXY be the number of proxies before the service, or their addresses.',
  })),
  ...when(settings.clearOrigins.length > 0, () => ({
    kind: 'originClear',
    description: `CORS_ORIGIN allows ${listed(settings.clearOrigins)}, which is reached in clear: who is on the way can act as its users.`,
    suggestion: 'Let CORS_ORIGIN name origins with https:// only.',
  })),
]

const encryption: Readonly<Record<string, string>> = {
  LDAP_URL: 'Let LDAP_URL start with ldaps://, or set LDAP_STARTTLS=on; LDAP_CA_FILE names the authority.',
  EXTLDAP_URL: 'Let EXTLDAP_URL start with ldaps://, or set EXTLDAP_STARTTLS=on; EXTLDAP_CA_FILE names the authority.',
  DATABASE_URL: 'Append ?sslmode=verify-full to DATABASE_URL.',
  REDIS_URL: 'Let REDIS_URL start with rediss://.',
  SMTP_URL: 'Let SMTP_URL start with smtps://, or append ?requireTLS=true for STARTTLS.',
}

const findPeople = ({
  people: { administrators, withoutFactor, withoutFactorNames, sessions, idleSessions },
}: Facts): Finding[] => [
  ...when(withoutFactor > 0, () => ({
    kind: 'factorMissing',
    description: `${withoutFactor} of ${counted(administrators, 'user')} who may do everything ${withoutFactor === 1 ? 'has' : 'have'} no second factor: ${listed(withoutFactorNames, withoutFactor)}.`,
    suggestion: 'Each enrols an authenticator app of their own: POST /api/v1/operations/second-factor/totp.',
  })),
  ...when(idleSessions > 0, () => ({
    kind: 'idleSessions',
    description: `${idleSessions} of ${counted(sessions, 'open session')} ${idleSessions === 1 ? 'was' : 'were'} not used for three days.`,
    suggestion:
      'End those that are not needed: GET /api/v1/operations/sessions, then DELETE …/sessions/{sessionId}. Unused ones end after 7 days.',
  })),
]

const findDefaults = ({ settings }: Facts): Finding[] => [
  ...when(settings.smtpMissing, () => ({
    kind: 'smtpMissing',
    description:
      'There is no mail server: codes and notifications become files in DATA_DIR/mail, and no one is told of them.',
    suggestion: 'Set SMTP_URL and MAIL_FROM.',
  })),
  ...when(settings.fastPasswordHash, () => ({
    kind: 'fastPasswordHash',
    description:
      'LDAP_PASSWORD_SCHEME is ssha512: a graphics card guesses billions of passwords a second against a stolen copy.',
    suggestion:
      'Load the argon2 or pw-pbkdf2 module in the directory server and set LDAP_PASSWORD_SCHEME to argon2 or pbkdf2-sha512.',
  })),
  ...when(settings.backupsUnscheduled, () => ({
    kind: 'backupsUnscheduled',
    description: 'BACKUP_SCHEDULE is off: a backup is made only on request.',
    suggestion: 'Remove BACKUP_SCHEDULE for one a day at 03:00, or set another time.',
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
    suggestion: 'Set DATABASE_URL to a PostgreSQL of your own where more is at stake.',
  })),
]
