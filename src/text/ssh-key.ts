import { createHash } from 'node:crypto'

/** A public key as OpenSSH writes it (RFC 4253 section 6.6), without options and comment. */
export interface SshPublicKey {
  type: string
  /** base64 */
  blob: string
  /** Bits of the key; of an RSA key, of its modulus. */
  bits: number
  /** As `ssh-keygen -l` shows it. */
  fingerprint: string
}

/** Why a text is not a key that can be used. */
export type SshKeyProblem = 'private' | 'options' | 'type' | 'short' | 'broken'

const leastRsaBits = 2048
const maxRsaBits = 16_384

const curves: Readonly<Record<string, { bits: number; point: number }>> = {
  nistp256: { bits: 256, point: 65 },
  nistp384: { bits: 384, point: 97 },
  nistp521: { bits: 521, point: 133 },
}

/** The fields of a blob: each has its length in four bytes (RFC 4251 section 5). null: they do not fit. */
const fieldsOf = (blob: Buffer): Buffer[] | null => {
  const fields: Buffer[] = []
  for (let at = 0; at < blob.length; ) {
    if (at + 4 > blob.length) return null
    const end = at + 4 + blob.readUInt32BE(at)
    if (end > blob.length) return null
    fields.push(blob.subarray(at + 4, end))
    at = end
  }
  return fields
}

const isPositive = (number: Buffer): boolean => number.length > 0 && (number[0] ?? 0x80) < 0x80

const bitsOf = (number: Buffer): number => {
  const first = number.findIndex((octet) => octet !== 0)
  return first === -1 ? 0 : (number.length - first) * 8 - (Math.clz32(number[first] ?? 0) - 24)
}

type Judged = number | SshKeyProblem

const judgeRsa = ([exponent, modulus, ...more]: Buffer[]): Judged => {
  if (!exponent || !modulus || more.length > 0 || !isPositive(exponent) || !isPositive(modulus)) return 'broken'
  const bits = bitsOf(modulus)
  if ((exponent.at(-1) ?? 0) % 2 === 0 || exponent.length > 8 || bits > maxRsaBits) return 'broken'
  return bits < leastRsaBits || bitsOf(exponent) < 5 ? 'short' : bits
}

const judgeEd25519 = ([point, ...more]: Buffer[]): Judged =>
  point?.length === 32 && more.length === 0 ? 256 : 'broken'

const judgeEcdsa =
  (curve: string) =>
  ([name, point, ...more]: Buffer[]): Judged => {
    const known = curves[curve]
    const fits = name?.toString('latin1') === curve && point?.[0] === 4 && point.length === known?.point
    return fits && more.length === 0 && known ? known.bits : 'broken'
  }

/** A key in a security token names the application it was made for, last. */
const inToken =
  (judge: (fields: Buffer[]) => Judged) =>
  (fields: Buffer[]): Judged => {
    const application = fields.at(-1)
    return fields.length > 1 && application && application.length > 0 ? judge(fields.slice(0, -1)) : 'broken'
  }

/** The types that OpenSSH accepts today; ssh-dss is too weak, and certificates are not keys. */
const judges: Readonly<Record<string, (fields: Buffer[]) => Judged>> = {
  'ssh-ed25519': judgeEd25519,
  'sk-ssh-ed25519@openssh.com': inToken(judgeEd25519),
  'ssh-rsa': judgeRsa,
  'ecdsa-sha2-nistp256': judgeEcdsa('nistp256'),
  'ecdsa-sha2-nistp384': judgeEcdsa('nistp384'),
  'ecdsa-sha2-nistp521': judgeEcdsa('nistp521'),
  'sk-ecdsa-sha2-nistp256@openssh.com': inToken(judgeEcdsa('nistp256')),
}

/**
 * Reads one line of an `authorized_keys` or `.pub` file. Its comment is ignored.
 * @returns the key, or why it cannot be used
 */
export const readSshKey = (text: string): SshPublicKey | SshKeyProblem => {
  if (text.includes('PRIVATE KEY')) return 'private'
  const [type = '', blob = '', ...rest] = text.trim().split(/[ \t]+/)
  const judge = Object.hasOwn(judges, type) ? judges[type] : undefined
  if (judge === undefined) return [blob, ...rest].some((word) => Object.hasOwn(judges, word)) ? 'options' : 'type'
  const octets = Buffer.from(blob, 'base64')
  if (octets.length === 0 || octets.toString('base64').replace(/=+$/, '') !== blob.replace(/=+$/, '')) return 'broken'
  const [name, ...fields] = fieldsOf(octets) ?? []
  if (name?.toString('latin1') !== type) return 'broken'
  const bits = judge(fields)
  if (typeof bits !== 'number') return bits
  const fingerprint = `SHA256:${createHash('sha256').update(octets).digest('base64').replace(/=+$/, '')}`
  return { type, blob: octets.toString('base64'), bits, fingerprint }
}
