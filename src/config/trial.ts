import { existsSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Config } from './config.ts'

const fileOf = (dataDir: string): string => join(dataDir, 'trial-copy')

/** Whether the folder holds a copy of an installation for trying out, made by `steward move --to embedded`. */
export const isTrial = (dataDir: string): boolean => existsSync(fileOf(dataDir))

/** Makes a folder one of a copy for trying out. */
export const markTrial = (dataDir: string): void => {
  const text =
    'A copy of an installation, for trying out: Steward does not start on it with settings that reach the servers of the\n' +
    'real one. Remove this file to make it an installation of its own.\n'
  writeFileSync(fileOf(dataDir), text, { mode: 0o600, flush: true })
}

/**
 * What a copy for trying out may not have: whatever reaches beyond its folder, where the real installation would notice
 * it. A problem names the setting.
 */
export const trialProblems = (config: Config): string[] => {
  const { dataDir, sources, ldap, furtherDirectories } = config
  if (!isTrial(dataDir)) return []
  const outward: Readonly<Record<string, boolean>> = {
    DATABASE_URL: config.databaseUrl !== null,
    REDIS_URL: config.redisUrl !== null,
    LDAP_URL: ldap?.kind === 'external',
    ...Object.fromEntries(furtherDirectories.map(({ number }) => [`LDAP_${number}_URL`, true])),
    SMTP_URL: config.smtpUrl !== null,
    ALERT_WEBHOOK_URL: config.alertWebhookUrl !== null,
    SYSLOG_URL: config.syslog !== null,
    OTEL_EXPORTER_OTLP_ENDPOINT: config.tracing !== null,
    'BACKUP_DIR (outside DATA_DIR)': relative(dataDir, config.backupDir).startsWith('..'),
    ...Object.fromEntries(
      Object.entries(sources).map(([slot, source]) => [`settings of ${slot.toUpperCase()}_…`, source !== null]),
    ),
  }
  return Object.entries(outward)
    .filter(([, isSet]) => isSet)
    .map(
      ([name]) =>
        `${name}: not allowed on ${dataDir}, which is a copy for trying out and must not reach the servers of the real installation; use the .env file that is in it (docs/installation.md)`,
    )
}
