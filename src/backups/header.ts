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
const saltPattern = /^[0-9a-f]{32}$/
const keyIdPattern = /^[0-9a-f]{16}$/
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
    typeof keyId !== 'string' ||
    !saltPattern.test(salt) ||
    !keyIdPattern.test(keyId)
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

/** Which files are believed. */
export interface Trust {
  /** BACKUP_KEY: the present one and those it replaced. */
  secrets: readonly string[]
  /** Whether a file that is not encrypted is believed although there is a BACKUP_KEY; false unless given. */
  allowUnencrypted?: boolean | undefined
}

/**
 * The key of a file (HKDF, RFC 5869). Without a BACKUP_KEY anybody can derive it: then it hides nothing and proves
 * nothing about who made the file, only that the file is undamaged. So where there is a BACKUP_KEY, such a file is
 * refused: the first line, which says `encrypted`, is the file's own word.
 * @throws BackupFileError when the file was made with none of the secrets
 */
export const keyOf = ({ encrypted, salt, keyId }: Header, { secrets, allowUnencrypted = false }: Trust): Buffer => {
  if (encrypted && secrets.length === 0) throw new BackupFileError('it is encrypted, and BACKUP_KEY is not set')
  if (!encrypted && secrets.length > 0 && !allowUnencrypted) {
    throw new BackupFileError(
      'it is not encrypted, so anybody could have made it, and BACKUP_KEY is set; only npm run restore with --allow-unencrypted takes such a file',
    )
  }
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
