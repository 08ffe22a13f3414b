import { createHash, hkdfSync, randomBytes } from 'node:crypto'
import { BackupFileError } from './file-error.ts'

/**
 * The first line of a backup file, in plain text: `steward-backup {"format":1,…}`. Every frame after it authenticates
 * it (see frames.ts).
 */
export interface Header {
  format: number
  /** Whether reading the file needs a BACKUP_KEY. */
  encrypted: boolean
  /** 16 random bytes in hex, so that no two files have the same key. */
  salt: string
  /** Identifies the BACKUP_KEY, but does not reveal it. */
  keyId: string
}

export const formatVersion = 1

const magic = 'steward-backup '
const saltPattern = /^[0-9a-f]{32}$/
const keyIdPattern = /^[0-9a-f]{16}$/
/** The longest first line, bytes. */
export const longestHeader = 1024

/** @param secret BACKUP_KEY; null: every reader of the file can read its content */
export const newHeader = (secret: string | null): Header => {
  const salt = randomBytes(16).toString('hex')
  return { format: formatVersion, encrypted: secret !== null, salt, keyId: keyIdOf(secret, salt) }
}

export const headerLine = (header: Header): Buffer => Buffer.from(`${magic}${JSON.stringify(header)}\n`)

/** @throws BackupFileError when the file is not a backup, or one of a newer format */
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

/** The files that are accepted. */
export interface Trust {
  /** BACKUP_KEY: the present one and the earlier ones. */
  secrets: readonly string[]
  /** Whether an unencrypted file is accepted although there is a BACKUP_KEY; default false. */
  allowUnencrypted?: boolean | undefined
}

/**
 * The key of a file (HKDF, RFC 5869). Without a BACKUP_KEY every reader can derive it. It then neither hides the
 * content nor proves who made the file, only that the file is undamaged. So where there is a BACKUP_KEY, an unencrypted
 * file is refused: its first line, which says `encrypted`, proves nothing.
 * @throws BackupFileError when the file was made with none of the secrets
 */
export const keyOf = ({ encrypted, salt, keyId }: Header, { secrets, allowUnencrypted = false }: Trust): Buffer => {
  if (encrypted && secrets.length === 0) throw new BackupFileError('it is encrypted, and BACKUP_KEY is not set')
  if (!encrypted && secrets.length > 0 && !allowUnencrypted) {
    throw new BackupFileError(
      'it is not encrypted, so anyone could have made it, and BACKUP_KEY is set; only the command restore with --allow-unencrypted takes such a file',
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
