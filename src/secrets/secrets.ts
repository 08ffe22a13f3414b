import { hkdfSync, randomBytes } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { codeOf } from '../failures/caught-error.ts'
import { ConfigError } from '../failures/errors.ts'
import { inDataFolder } from '../files/data-folder.ts'
import { makeFolderSync } from '../files/make-folder.ts'

export interface Secrets {
  /** Signs access tokens. */
  jwt: string
  /** 32 bytes; encrypts passwords in transport. */
  transportKey: Buffer
  /** 32 bytes; hashes mail codes. */
  mailCodeKey: Buffer
  /** 32 bytes; encrypts the secrets of authenticator apps. */
  factorKey: Buffer
  /** The earlier factor keys: from JWT_SECRET_PREVIOUS. */
  previousFactorKeys: Buffer[]
  /** Seals NT hashes, and hashes for directories with a scheme of their own, in SQL; 32 bytes. */
  otherHashKey: Buffer
  /** Of earlier secrets. */
  previousOtherHashKeys: Buffer[]
  /** 32 bytes; hashes codes that are mailed for a step-up. */
  stepUpCodeKey: Buffer
  /** 32 bytes; signs the addresses of reports. */
  reportKey: Buffer
  /** 32 bytes; for digests of the passwords that were written to the directory. */
  directoryDigestKey: Buffer
  /** Tells the secret of the tokens from others, in the database; it does not reveal it. */
  tokenSecretId: string
  /** Of earlier secrets. */
  previousTokenSecretIds: string[]
  /** Tells keys in Redis from those of another installation; no secret. */
  redisScope: string
  /** The password of the embedded directory's administrator. */
  directoryPassword: string
}

/**
 * The secrets of this installation, created at its first start and stored in `secrets/` of the data directory.
 * Instances that share a database but not a data directory need the same JWT_SECRET: the keys that they must share are
 * derived from it.
 * @throws ConfigError naming a file that contains no secret
 */
export const loadSecrets = (
  dataDir: string,
  { jwtSecret, previousJwtSecrets = [] }: { jwtSecret: string | null; previousJwtSecrets?: readonly string[] },
): Secrets => {
  const folder = join(dataDir, 'secrets')
  const jwt = jwtSecret ?? keepSecret(folder, 'jwt')
  return {
    jwt,
    transportKey: deriveKey(jwt, 'steward password transport'),
    mailCodeKey: deriveKey(jwt, 'steward mail codes'),
    factorKey: deriveKey(jwt, 'steward second factors'),
    previousFactorKeys: previousJwtSecrets.map((secret) => deriveKey(secret, 'steward second factors')),
    otherHashKey: deriveKey(jwt, 'steward NT hashes'),
    previousOtherHashKeys: previousJwtSecrets.map((secret) => deriveKey(secret, 'steward NT hashes')),
    stepUpCodeKey: deriveKey(jwt, 'steward step-up codes'),
    reportKey: deriveKey(jwt, 'steward report addresses'),
    directoryDigestKey: deriveKey(jwt, 'steward directory passwords'),
    tokenSecretId: idOf(jwt),
    previousTokenSecretIds: previousJwtSecrets.map(idOf),
    redisScope: deriveKey(jwt, 'steward keys in Redis').toString('hex', 0, 8),
    directoryPassword: keepSecret(folder, 'directory-password'),
  }
}

/**
 * The secrets that sign the operation log: the current one first, then those of earlier entries. With LOG_KEY only
 * those that it lists, so that the secret of the tokens is not enough to forge the log; without it, the secret of the
 * tokens. Creates no secret: `loadSecrets` must have run.
 * @param configured LOG_KEY
 */
export const logSecrets = (
  dataDir: string,
  { logSecrets: configured, jwtSecret, previousJwtSecrets = [] }: LogSecrets,
): string[] => {
  if (configured.length > 0) return [...new Set(configured)]
  const kept = readSecret(join(dataDir, 'secrets', 'jwt'))
  return [...new Set([jwtSecret, ...previousJwtSecrets, kept].filter((secret) => secret !== null))]
}

/** The secrets of the tokens: the current one, then the earlier ones. Creates no secret. */
export const tokenSecrets = (
  dataDir: string,
  { jwtSecret, previousJwtSecrets = [] }: Pick<LogSecrets, 'jwtSecret' | 'previousJwtSecrets'>,
): string[] => {
  const current = jwtSecret ?? readSecret(join(dataDir, 'secrets', 'jwt'))
  return [...new Set([current, ...previousJwtSecrets].filter((secret) => secret !== null))]
}

/** The secrets that were created in the data directory and are in use, with the settings that would replace them. */
export const generatedSecrets = (
  dataDir: string,
  { logSecrets: configured, jwtSecret, alertWebhookSecret }: LogSecrets & { alertWebhookSecret: string | null },
): { setting: string; file: string }[] => {
  const at = (name: string): string => join(dataDir, 'secrets', name)
  const signedBefore = jwtSecret !== null && configured.length === 0
  return [
    ...(jwtSecret === null ? [{ setting: 'JWT_SECRET', file: at('jwt') }] : []),
    // It may have signed earlier entries of the operation log.
    ...(signedBefore ? [{ setting: 'JWT_SECRET_PREVIOUS', file: at('jwt') }] : []),
    ...(alertWebhookSecret === null ? [{ setting: 'ALERT_WEBHOOK_SECRET', file: at('webhook') }] : []),
  ].filter(({ file }) => existsSync(file))
}

/** What names the secrets of the operation log: LOG_KEY and JWT_SECRET with those before them. */
export interface LogSecrets {
  logSecrets: readonly string[]
  jwtSecret: string | null
  previousJwtSecrets?: readonly string[]
}

/**
 * The secret that signs webhook requests: ALERT_WEBHOOK_SECRET or, without it, a secret that is created when it is
 * first needed; the operator of the receiver finds it in `secrets/webhook`.
 * @param configured ALERT_WEBHOOK_SECRET
 */
export const webhookSecret = (
  dataDir: string,
  { alertWebhookSecret: configured }: { alertWebhookSecret: string | null },
): string => configured ?? keepSecret(join(dataDir, 'secrets'), 'webhook')

/** HKDF (RFC 5869): one key per purpose; no key reveals another key or the secret. */
const deriveKey = (secret: string, purpose: string): Buffer => Buffer.from(hkdfSync('sha256', secret, '', purpose, 32))

const idOf = (secret: string): string => deriveKey(secret, 'steward id of the token secret').toString('hex', 0, 8)

/**
 * Reads the secret of that name, or creates one: 256 random bits as text, in a file that only its owner can read. The
 * file appears complete and is synced before its first use. If two processes create it at once, both get the one that
 * was first.
 */
const keepSecret = (folder: string, name: string): string => inDataFolder(folder, () => readOrCreate(folder, name))

const readOrCreate = (folder: string, name: string): string => {
  const file = join(folder, name)
  makeFolderSync(folder)
  chmodSync(folder, 0o700)
  const kept = readSecret(file)
  if (kept !== null) return kept

  const draft = `${file}.${randomBytes(6).toString('hex')}`
  writeFileSync(draft, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flag: 'wx', flush: true })
  try {
    linkSync(draft, file)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  } finally {
    rmSync(draft)
  }
  syncFolder(folder)
  return readSecret(file) ?? readOrCreate(folder, name)
}

const readSecret = (file: string): string | null => {
  let text: string
  try {
    text = readFileSync(file, 'utf8').trim()
    // A copy or an unpacked archive may be readable for others.
    chmodSync(file, 0o600)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  }
  if (text.length < 32) {
    throw new ConfigError([`${file}: holds no secret of at least 32 characters; restore it, or remove it`])
  }
  return text
}

const syncFolder = (folder: string): void => {
  // Windows cannot open a folder for this, and does not need it.
  if (process.platform === 'win32') return
  const handle = openSync(folder, 'r')
  fsyncSync(handle)
  closeSync(handle)
}
