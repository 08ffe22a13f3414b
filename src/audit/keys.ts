import { createHmac, hkdfSync } from 'node:crypto'
import { ConfigError } from '../failures/errors.ts'

/** Signs and checks the entries of this installation's log. */
export interface LogKeys {
  /** `<key id>.<HMAC-SHA256>` over the parts, under the current key. */
  sign(parts: readonly unknown[]): string
  /** Whether a signature is right; `unknown`: it was made with another key than these. */
  check(signature: string, parts: readonly unknown[]): 'right' | 'wrong' | 'unknown'
  /** How many keys are newer than that of a signature: 0, it is the current one; null: the key is not known here. */
  ageOf(signature: string): number | null
}

/** The id of the key a signature was made with. */
export const keyIdOf = (signature: string): string => signature.split('.', 1)[0] ?? ''

interface Key {
  id: string
  mac(parts: readonly unknown[]): string
}

/**
 * @param secrets the current one first; earlier ones still check what they signed. Each key is derived from its secret
 *   (HKDF, RFC 5869), so that it does not reveal a secret that also serves another purpose.
 * @throws ConfigError naming LOG_KEY when the list is empty
 */
export const logKeys = ([current, ...earlier]: readonly string[]): LogKeys => {
  if (current === undefined) throw new ConfigError(['LOG_KEY: there is no secret that signs the operation log'])
  const key = keyFrom(current)
  const keys = [key, ...earlier.map(keyFrom)]
  const known = new Map(keys.map((each) => [each.id, each]))
  return {
    sign: (parts) => `${key.id}.${key.mac(parts)}`,
    check(signature, parts) {
      const signer = known.get(keyIdOf(signature))
      if (signer === undefined) return 'unknown'
      return signature === `${signer.id}.${signer.mac(parts)}` ? 'right' : 'wrong'
    },
    ageOf(signature) {
      const id = keyIdOf(signature)
      const age = keys.findIndex((each) => each.id === id)
      return age < 0 ? null : age
    },
  }
}

const keyFrom = (secret: string): Key => {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'steward operation log', 32))
  const hmac = (text: string, encoding: 'hex' | 'base64url'): string =>
    createHmac('sha256', key).update(text).digest(encoding)
  return {
    id: hmac('key id', 'hex').slice(0, 8),
    // JSON separates the parts: two different lists of parts never have the same text.
    mac: (parts) => hmac(JSON.stringify(parts), 'base64url'),
  }
}
