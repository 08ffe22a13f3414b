import { createHash, pbkdf2, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { verify as verifyArgon2 } from '@node-rs/argon2'
import type { StoredEntry } from '../entries/entry.ts'
import { toOctets } from '../value.ts'

/** Whether the password matches a stored `userPassword` value. */
export type VerifyPassword = (stored: string, password: string) => Promise<boolean>

const derive = promisify(pbkdf2)
const maxIterations = 10_000_000

const same = (a: Buffer, b: Buffer): boolean => a.length === b.length && a.length > 0 && timingSafeEqual(a, b)

/** `{SSHA512}` and the like: base64 of the digest followed by the salt. */
const digestOf =
  (algorithm: string, length: number, salted: boolean): VerifyPassword =>
  async (stored, password) => {
    const bytes = Buffer.from(stored, 'base64')
    if (salted ? bytes.length <= length : bytes.length !== length) return false
    const digest = createHash(algorithm).update(password).update(bytes.subarray(length)).digest()
    return same(digest, bytes.subarray(0, length))
  }

/** slapd's pw-pbkdf2: `iterations$salt$hash`, base64 with `.` for `+` and no padding. */
const verifyPbkdf2: VerifyPassword = async (stored, password) => {
  const [iterations = '', salt = '', hash = ''] = stored.split('$')
  const count = /^\d{1,8}$/.test(iterations) ? Number(iterations) : 0
  if (count < 1 || count > maxIterations) return false
  const decode = (text: string): Buffer => Buffer.from(text.replaceAll('.', '+'), 'base64')
  const expected = decode(hash)
  if (expected.length !== 64) return false
  return same(await derive(password, decode(salt), count, expected.length, 'sha512'), expected)
}

const schemes: Readonly<Record<string, VerifyPassword>> = {
  // A hash that cannot be read means a refused sign-in, not a fault.
  ARGON2: (stored, password) => verifyArgon2(stored, password).catch(() => false),
  'PBKDF2-SHA512': verifyPbkdf2,
  SSHA512: digestOf('sha512', 64, true),
  SHA512: digestOf('sha512', 64, false),
  SSHA256: digestOf('sha256', 32, true),
  SHA256: digestOf('sha256', 32, false),
  SSHA: digestOf('sha1', 20, true),
  SHA: digestOf('sha1', 20, false),
}

const schemed = /^\{([^}]+)\}(.*)$/s

/** What a check of a stored password costs: its scheme in capitals with its parameters; empty for a plain text password. */
export const costOf = (stored: string): string => {
  const [, scheme = '', hash = ''] = schemed.exec(stored) ?? []
  const name = scheme.toUpperCase()
  const parameters =
    name === 'ARGON2' ? hash.split('$').slice(0, -2).join('$') : name === 'PBKDF2-SHA512' ? hash.split('$')[0] : ''
  return `${name}${parameters}`
}

/** As slapd does: a value without a scheme is the password itself, one of an unknown scheme matches no password. */
export const verifyPassword: VerifyPassword = async (stored, password) => {
  const [, scheme, hash] = schemed.exec(stored) ?? []
  if (scheme === undefined || hash === undefined) return same(Buffer.from(stored), Buffer.from(password))
  return (await schemes[scheme.toUpperCase()]?.(hash, password)) ?? false
}

/** A hash, of the usual cost, that no password matches. */
export const unmatchedArgon2 = `{ARGON2}$argon2id$v=19$m=19456,t=2,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`

/** The stored values of an entry's passwords. */
export const passwordsOf = (entry: StoredEntry | undefined): string[] =>
  [...(entry?.attributes.get('userpassword')?.values.values() ?? [])].map((value) => toOctets(value).toString('utf8'))
