import { hash, verify } from '@node-rs/argon2'
import type { PasswordScheme } from '../config.ts'
import { directoryPassword } from '../ldap/password-scheme.ts'
import { checkPassword } from './password-rules.ts'
import type { TransportCipher } from './transport-cipher.ts'
import { turnstile } from './turnstile.ts'

/** Argon2id as OWASP's Password Storage Cheat Sheet has it: 19 MiB, two passes, one lane; some 20 ms of a core. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** A hash of the same cost that no password has: checking against it takes as long as against a real one. */
const nobodysHash = `$argon2id$v=19$m=19456,t=2,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`

/**
 * Hashing runs on libuv's pool, which files and name look-ups need too: two at once leave it half of its four threads.
 * What stands in line is answered within a few seconds, what does not fit is refused at once.
 */
const atOnce = 2
const inLine = 200

export interface Argon2 {
  hash(password: string): Promise<string>
  verify(hash: string, password: string): Promise<boolean>
}

const argon2: Argon2 = {
  hash: (password) => hash(password, cost),
  verify: (hash, password) => verify(hash, password),
}

/** The columns of `users` that a password ends up in. */
export interface StoredPassword {
  passwordHash: string
  directoryPassword: string | null
}

export interface Passwords {
  /**
   * The password a field of a request carries, in clear or as a transport text.
   * @throws AppError (invalid) naming the field: a transport text that has expired or is not ours
   */
  accept(field: string, value: string): string
  /**
   * Like `accept`, for a password that is to be set.
   * @throws AppError (invalid) naming the field when it breaks a rule of `checkPassword`
   */
  acceptNew(field: string, value: string): string
  /** Hashes a password for keeping: argon2id for us, and what the directory checks where that is another scheme. */
  seal(password: string): Promise<StoredPassword>
  /** Whether the password is the one hashed; null, for a user who has none or does not exist, takes as long to say no. */
  verify(passwordHash: string | null, password: string): Promise<boolean>
}

export interface PasswordsOptions {
  cipher: TransportCipher
  scheme: PasswordScheme
  argon2?: Argon2
}

export const openPasswords = ({ cipher, scheme, argon2: { hash, verify } = argon2 }: PasswordsOptions): Passwords => {
  const inTurn = turnstile(atOnce, inLine)
  const accept = (field: string, value: string): string => cipher.accept(field, value)
  return {
    accept,
    acceptNew(field, value) {
      const password = accept(field, value)
      checkPassword(field, password)
      return password
    },
    seal: (password) =>
      inTurn(async () => {
        const passwordHash = await hash(password)
        return {
          passwordHash,
          directoryPassword: scheme === 'argon2' ? null : await directoryPassword(scheme, password, passwordHash),
        }
      }),
    verify: (passwordHash, password) =>
      inTurn(async () => {
        const matches = await verify(passwordHash ?? nobodysHash, password)
        return matches && passwordHash !== null
      }),
  }
}
