import { currentTime } from '../runtime/clock.ts'
import { seal, unseal } from '../secrets/sealed-text.ts'
import { reasons } from './reasons.ts'

/** Milliseconds a text is valid. */
const lifetime = 600_000

/** version . expiry in milliseconds, base 36 . the password, sealed */
const form = /^v1\.([0-9a-z]{8,10})\.([\w-]{38,})$/

export interface TransportCipher {
  /** A text that is valid for 10 minutes. */
  encrypt(password: string): string
  /** The password in the text; null: it has another form, was changed, was made by another service, or has expired. */
  decrypt(text: string): string | null
  /**
   * The password in a field that may have either form.
   * @throws AppError (invalid) naming the field, for a transport text that cannot be opened
   */
  accept(field: string, value: string): string
}

/**
 * Encrypts passwords in transport, never at rest: AES-256-GCM, with version and expiry authenticated but readable.
 * Every caller can open what another caller has encrypted, so it protects a password from observers, not from callers.
 * @param key 32 bytes
 */
export const transportCipher = (key: Buffer, now: () => number = currentTime): TransportCipher => {
  const decrypt = (text: string): string | null => {
    const [, expiry, body] = form.exec(text) ?? []
    if (expiry === undefined || body === undefined || Number.parseInt(expiry, 36) <= now()) return null
    return unseal(key, body, `v1.${expiry}`)
  }
  return {
    encrypt(password) {
      const expiry = (now() + lifetime).toString(36)
      return `v1.${expiry}.${seal(key, password, `v1.${expiry}`)}`
    },
    decrypt,
    accept(field, value) {
      if (!form.test(value)) return value
      const password = decrypt(value)
      if (password === null) throw reasons.encrypted_text_void.at(field)
      return password
    },
  }
}
