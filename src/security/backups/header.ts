import { createHash, hkdfSync, randomBytes } from 'node:crypto'
import { BackupFileError } from './file-error.ts'

/**
 * The first line of a backup file, in clear text: `steward-backup {"format":1,…}`. Every frame after it vouches for it
 * as well (see frames.ts).
 */
export interface Header {
  format: number
  /** Whether it takes a BACKUP_KEY to read the file. */
  encrypted: boolean
  /** 16 bytes in hex, other ones for every file: no two files share a key. */
  salt: string
  /** Which BACKUP_KEY it was; of no use to whoever does not know it. */
  keyId: string
}

export const formatVersion = 1

const magic = 'steward-backup '
/** Bytes within which the first line has to end. */
export const longestHeader = 1024

/** @param secret BACKUP_KEY; null: the file is for everybody who can read it */
export const newHeader = (secret: string | null): Header => {
  const salt = randomBytes(16).toString('hex')
  return { format: formatVersion, encrypted: secret !== null, salt, keyId: keyIdOf(secret, salt) }
}

export const headerLine = (header: Header): Buffer => Buffer.from(`${magic}${JSON.stringify(header)}\n`)

/** @throws BackupFileError when this is no backup, or one of a newer format */
export const parseHeader = (line: Buffer): Header => {
  const text = line.toString('latin1')
  if (!text.startsWith(magic)) throw new BackupFileError('it is not a backup of Steward')
  const header = fieldsOf(text.slice(magic.length))
  if (typeof header?.format === 'number' && header.format > formatVersion) {
    throw new BackupFileError(
      `a newer version of Steward made it (format ${header.format}; this one reads ${formatVersion})`,
    )
  }
  const { format, encrypted, salt, keyId } = header ?? {}
  if (
    format !== formatVersion ||
    typeof encrypted !== 'boolean' ||
    typeof salt !== 'string' ||
    typeof keyId !== 'string'
  ) {
    throw new BackupFileError('its first line is damaged')
  }
  return { format, encrypted, salt, keyId }
}

const fieldsOf = (json: string): Partial<Header> | null => {
  try {
    return JSON.parse(json) as Partial<Header> | null
  } catch {
    return null
  }
}

/**
 * The key of a file (HKDF, RFC 5869). Without a BACKUP_KEY everybody can derive it: then it hides nothing, and still no
 * bit can change unnoticed.
 * @param secrets BACKUP_KEY: the present one and those it replaced
 * @throws BackupFileError when none of them is the one the file was made with
 */
export const keyOf = ({ encrypted, salt, keyId }: Header, secrets: readonly string[]): Buffer => {
  if (encrypted && secrets.length === 0) throw new BackupFileError('it is encrypted, and there is no BACKUP_KEY')
  const secret = (encrypted ? secrets : [null]).find((candidate) => keyIdOf(candidate, salt) === keyId)
  if (secret === undefined) {
    throw new BackupFileError(
      encrypted
        ? 'it was encrypted with another BACKUP_KEY, or its first line is damaged'
        : 'its first line is damaged',
    )
  }
  return derive(secret, salt, 'steward backup')
}

const keyIdOf = (secret: string | null, salt: string): string =>
  createHash('sha256')
    .update(derive(secret, salt, 'steward backup key id'))
    .digest('hex')
    .slice(0, 16)

const derive = (secret: string | null, salt: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret ?? '', Buffer.from(salt, 'hex'), purpose, 32))
