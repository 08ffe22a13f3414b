import { createHash, pbkdf2, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { passwordProblem } from '../../text/password-rules.ts'

// Values of `userPassword` (RFC 4519 section 2.41, draft-stroeder-hashed-userpassword-values): `{SCHEME}hash`, or the
// password itself.

const derive = promisify(pbkdf2)
const pbkdf2Iterations = 210_000

/** As slapd's pw-pbkdf2 module reads it: no padding, `.` for `+`. */
const adaptedBase64 = (bytes: Buffer): string => bytes.toString('base64').replaceAll('+', '.').replaceAll('=', '')

/** The scheme in capitals; null: the value has no scheme, and is the password itself. */
export const schemeOf = (value: string): string | null => /^\{([^{}]+)\}/.exec(value)?.[1]?.toUpperCase() ?? null

type Hasher = (password: string, argon2: (password: string) => Promise<string>) => Promise<string>

const digest =
  (name: string, algorithm: string, saltLength: number): Hasher =>
  async (password) => {
    const salt = randomBytes(saltLength)
    const bytes = createHash(algorithm).update(password).update(salt).digest()
    return `{${name}}${Buffer.concat([bytes, salt]).toString('base64')}`
  }

/** The schemes whose hashes Steward can create and verify (see ldap-server/authentication/password.ts). Salted schemes first. */
const hashers: Readonly<Record<string, Hasher>> = {
  ARGON2: async (password, argon2) => `{ARGON2}${await argon2(password)}`,
  'PBKDF2-SHA512': async (password) => {
    const salt = randomBytes(16)
    const key = await derive(password, salt, pbkdf2Iterations, 64, 'sha512')
    return `{PBKDF2-SHA512}${pbkdf2Iterations}$${adaptedBase64(salt)}$${adaptedBase64(key)}`
  },
  SSHA512: digest('SSHA512', 'sha512', 16),
  SSHA256: digest('SSHA256', 'sha256', 16),
  SSHA: digest('SSHA', 'sha1', 8),
  SHA512: digest('SHA512', 'sha512', 0),
  SHA256: digest('SHA256', 'sha256', 0),
  SHA: digest('SHA', 'sha1', 0),
}

const unsalted: ReadonlySet<string> = new Set(['SHA', 'SHA256', 'SHA512'])

/** Whether it is a hash with a salt, in a scheme that is known here. */
export const isSalted = (value: string): boolean => {
  const scheme = schemeOf(value)
  return scheme !== null && hashers[scheme] !== undefined && !unsalted.has(scheme)
}

/**
 * A value that the directory itself verifies at a bind; null: Steward cannot create one of this scheme.
 * @param argon2 makes the PHC text of a password
 */
export const hashAs = async (
  scheme: string,
  password: string,
  argon2: (password: string) => Promise<string>,
): Promise<string | null> => (await hashers[scheme]?.(password, argon2)) ?? null

/** The highest cost of verifying an adopted hash: write access to an entry must not be enough to stop the service. */
const max = { kibibytes: 64 * 1024, passes: 4, lanes: 4, iterations: 1_000_000, length: 1024 }

const unsettable = /^[!*]|[\p{Control}\ufffd]/u

/** With a salt of 8 bytes or more and a hash of 4 or more, as RFC 9106 section 3.1 asks for. */
const argon2Pattern =
  /^\$argon2(?:id|i|d)\$v=(?:16|19)\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,3})\$[A-Za-z0-9+/]{11,}\$[A-Za-z0-9+/]{6,}$/

const isModestArgon2 = (phc: string): boolean => {
  const [memory = 0, passes = 0, lanes = 0] = (argon2Pattern.exec(phc) ?? []).slice(1).map(Number)
  return (
    lanes >= 1 &&
    lanes <= max.lanes &&
    passes >= 1 &&
    passes <= max.passes &&
    memory >= 8 * lanes &&
    memory <= max.kibibytes
  )
}

const isModestPbkdf2 = (hash: string): boolean => {
  const [, iterations] = /^(\d{1,8})\$[\w./+=]+\$[\w./+=]+$/.exec(hash) ?? []
  return iterations !== undefined && Number(iterations) <= max.iterations
}

/**
 * How a value that another program wrote can be adopted: `hash`, a hash that can be verified at an acceptable cost;
 * `clear`, the password itself, to be hashed; null: it cannot be adopted.
 */
export const adoptable = (value: string): 'hash' | 'clear' | null => {
  if (value.length > max.length) return null
  const scheme = schemeOf(value)
  // A text that begins like an unknown scheme is not treated as a password, and neither is one that could not be set
  // here: `x`, `*` and `!` are how accounts are locked, and octets that are not text have been changed by the
  // conversion.
  if (scheme === null) return value.startsWith('{') || unsettable.test(value) || passwordProblem(value) ? null : 'clear'
  if (hashers[scheme] === undefined) return null
  const hash = value.slice(scheme.length + 2)
  if (scheme === 'ARGON2') return isModestArgon2(hash) ? 'hash' : null
  if (scheme === 'PBKDF2-SHA512') return isModestPbkdf2(hash) ? 'hash' : null
  return /^[A-Za-z0-9+/]+={0,2}$/.test(hash) ? 'hash' : null
}
