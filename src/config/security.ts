import { join, resolve } from 'node:path'
import { defaultUnpackLimit } from '../backups/file/unpack-limit.ts'
import { isCron } from '../jobs/cron.ts'
import { isLoopback, longestDuration, type Variables, withoutBrackets } from './variables.ts'

export interface SecurityConfig {
  /** ALERT_MAIL: the recipients of alerts of level danger; empty: the users with a role of sort 1. */
  alertMail: string[]
  /** ALERT_WEBHOOK_URL; null: no webhook. */
  alertWebhookUrl: string | null
  /** ALERT_WEBHOOK_SECRET; null: generated and stored in dataDir. */
  alertWebhookSecret: string | null
  /** DEVICE_TIMEOUT, milliseconds. */
  deviceTimeout: number
  /** BACKUP_DIR, absolute. */
  backupDir: string
  /** BACKUP_KEY: the key that encrypts backups, then the keys it replaced; empty: they are not encrypted. */
  backupSecrets: string[]
  /** BACKUP_UNPACK_LIMIT, bytes. */
  backupUnpackLimit: number
  /** BACKUP_SCHEDULE: a cron expression, read in TIME_ZONE; null: no scheduled backups. */
  backupSchedule: string | null
}

/** What the security center needs. */
export const readSecurity = ({ read, parse, duration, secrets, bytes }: Variables): SecurityConfig => ({
  alertMail: parse('ALERT_MAIL', [], toAddresses, 'mail addresses without names, separated by commas'),
  alertWebhookUrl: parse<string | null>(
    'ALERT_WEBHOOK_URL',
    null,
    toWebhookUrl,
    'a URL starting with https:// (http:// to this host only), without user and password',
  ),
  alertWebhookSecret: parse<string | null>(
    'ALERT_WEBHOOK_SECRET',
    null,
    (value) => (value.length >= 32 ? value : undefined),
    'at least 32 characters',
  ),
  deviceTimeout: duration('DEVICE_TIMEOUT', 300_000, 1000, longestDuration),
  backupDir: resolve(read('BACKUP_DIR') ?? join(read('DATA_DIR') ?? './data', 'backups')),
  backupSecrets: secrets('BACKUP_KEY'),
  backupUnpackLimit: bytes('BACKUP_UNPACK_LIMIT', defaultUnpackLimit, 1024 ** 2),
  backupSchedule: parse<string | null>(
    'BACKUP_SCHEDULE',
    '0 3 * * *',
    (value) => (value === 'off' ? null : isCron(value) ? value : undefined),
    'off, or a cron expression of five fields such as 0 3 * * *',
  ),
})

const toAddresses = (value: string): string[] | undefined => {
  const addresses = value.split(',').map((address) => address.trim())
  return addresses.every((address) => /^[^\s"(),:;<>[\\\]@]+@[^\s"(),:;<>\\@]+$/.test(address)) ? addresses : undefined
}

/** Alerts reveal weaknesses: they are posted encrypted, or not at all. */
const toWebhookUrl = (value: string): string | undefined => {
  if (!URL.canParse(value)) return undefined
  const { protocol, hostname, username, password } = new URL(value)
  if (username !== '' || password !== '') return undefined
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(withoutBrackets(hostname))) ? value : undefined
}
