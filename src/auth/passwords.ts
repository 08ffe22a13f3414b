import { hash, verify } from '@node-rs/argon2'
import { semaphore } from '../concurrency/semaphore.ts'
import { verifyPassword } from '../ldap-server/authentication/password.ts'
import type { PasswordScheme } from '../mirror/entry/directory-settings.ts'
import type { FreshPasswords } from '../mirror/passwords/fresh-passwords.ts'
import type { OtherHashes, SealedHashes } from '../mirror/passwords/other-hashes.ts'
import { directoryPassword, schemeNames } from '../mirror/passwords/password-scheme.ts'
import { schemeOf } from '../mirror/passwords/password-values.ts'
import { checkPassword } from '../text/password-rules.ts'
import type { TransportCipher } from './transport-cipher.ts'

/** Argon2id as OWASP's Password Storage Cheat Sheet recommends: 19 MiB, two passes, one lane; some 20 ms of a core. */
export const argon2Cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** What a hash of that cost begins with. */
const ownCost = `$argon2id$v=19$m=${argon2Cost.memoryCost},t=${argon2Cost.timeCost},p=${argon2Cost.parallelism}$`

/** One that no password matches: checking it takes as long as a real one. */
const nobodysHash = `${ownCost}${'A'.repeat(22)}$${'A'.repeat(43)}`

/**
 * Hashing runs on libuv's pool, which files and name look-ups need too: two at once leave it half of its four threads.
 * Waiting checks end within a few seconds; checks that exceed the queue are refused at once.
 */
const atOnce = 2
const inLine = 200

export interface Argon2 {
  hash(password: string): Promise<string>
  verify(hash: string, password: string): Promise<boolean>
}

const argon2: Argon2 = {
  hash: (password) => hash(password, argon2Cost),
  // A hash from the directory may be unreadable: then no password matches it.
  verify: (hash, password) => verify(hash, password).catch(() => false),
}

/** The columns of `users` for a password. */
export interface StoredPassword {
  passwordHash: string
  directoryPassword: string | null
}

/** The same with what further directories show of it (see mirror/passwords/other-hashes.ts). */
export interface SealedPassword extends StoredPassword {
  hashes: SealedHashes
}

/** What the record holds of it for directories. */
export const directoryValueOf = ({ passwordHash, directoryPassword }: StoredPassword): string =>
  directoryPassword ?? `{ARGON2}${passwordHash}`

export interface Passwords {
  /**
   * The password in a field of a request, in plain text or as a transport text.
   * @throws AppError (invalid) naming the field: a transport text that has expired or that another service made
   */
  accept(field: string, value: string): string
  /**
   * Like `accept`, for a new password.
   * @param username of the user who gets it
   * @throws AppError (invalid) naming the field when it breaks a rule of `checkPassword`
   */
  acceptNew(field: string, value: string, username: string): string
  /**
   * Hashes a password for storage: argon2id for us, and the directories' schemes where they are others.
   * @param how within a transaction with `tells: false`: see fresh-passwords.ts
   */
  seal(password: string, how?: { tells?: boolean }): Promise<SealedPassword>
  /**
   * The same for a value from the directory: a hash is stored unchanged, a plain password is hashed. It is replaced by
   * our own at the next sign-in (see renewal).
   */
  sealFound(value: string): Promise<SealedPassword>
  /**
   * The replacement for the stored hashes after the password was verified: hashes of the present scheme and cost. null:
   * they are.
   * @param verifies whether the directory verifies passwords of a scheme; null: not known
   */
  renewal(
    password: string,
    kept: StoredPassword,
    verifies: (scheme: string) => boolean | null,
  ): Promise<SealedPassword | null>
  /** The hashes beside the stored ones, of a password that was just proved: see mirror/passwords/other-hashes.ts. */
  others(password: string, value: string): Promise<SealedHashes>
  /** Keeps a password that was just proved, for a directory that may still need it: see fresh-passwords.ts. */
  used(password: string, stored: StoredPassword): Promise<void>
  /** Whether the password matches; null, for a user without a password or an unknown one, takes as long to say no. */
  verify(passwordHash: string | null, password: string): Promise<boolean>
}

export interface PasswordsOptions {
  cipher: TransportCipher
  scheme: PasswordScheme
  /** PASSWORD_WORDS: names that may not make up a password. */
  words?: readonly string[]
  /** Where passwords in clear text are for a moment. Default: none is kept. */
  fresh?: Pick<FreshPasswords, 'keep'>
  /** Default: passwords get no other hashes. */
  otherHashes?: Pick<OtherHashes, 'seal'>
  argon2?: Argon2
}

export const openPasswords = ({
  cipher,
  scheme,
  words = [],
  fresh,
  otherHashes,
  argon2: { hash, verify } = argon2,
}: PasswordsOptions): Passwords => {
  const hashing = semaphore(atOnce, { queue: inLine })
  const accept = (field: string, value: string): string => cipher.accept(field, value)
  const withOthers = async (password: string, stored: StoredPassword): Promise<SealedPassword> => ({
    ...stored,
    hashes: (await otherHashes?.seal(password, directoryValueOf(stored), async () => stored.passwordHash)) ?? {},
  })
  const sealNow = async (password: string, how?: { tells?: boolean }): Promise<SealedPassword> => {
    const passwordHash = await hash(password)
    const sealed = {
      passwordHash,
      directoryPassword: scheme === 'argon2' ? null : await directoryPassword(scheme, password, passwordHash),
    }
    await fresh?.keep(directoryValueOf(sealed), password, how)
    return withOthers(password, sealed)
  }
  return {
    accept,
    acceptNew(field, value, username) {
      const password = accept(field, value)
      checkPassword(field, password, [username, ...words])
      return password
    },
    seal: (password, how) => hashing.run(() => sealNow(password, how)),
    async sealFound(value) {
      if (schemeOf(value) === null) return hashing.run(() => sealNow(value))
      const [, phc] = /^\{argon2\}(.*)$/is.exec(value) ?? []
      if (phc === undefined) return { passwordHash: value, directoryPassword: value, hashes: {} }
      return { passwordHash: phc, directoryPassword: value === `{ARGON2}${phc}` ? null : value, hashes: {} }
    },
    async renewal(password, kept, verifies) {
      const wanted = schemeNames[scheme]
      const value = directoryValueOf(kept)
      const has = schemeOf(value) ?? ''
      const isOurs = kept.passwordHash.startsWith(ownCost)
      if (isOurs && has === wanted) return null
      // Where the directory verifies its present hash but would not verify a new one, it keeps the present one.
      const keeps = verifies(wanted) === false && verifies(has) !== false
      if (isOurs && keeps) return null
      if (!keeps) return hashing.run(() => sealNow(password))
      await fresh?.keep(value, password)
      return hashing.run(async () =>
        withOthers(password, { passwordHash: await hash(password), directoryPassword: value }),
      )
    },
    others: async (password, value) =>
      (await otherHashes?.seal(password, value, () => hashing.run(() => hash(password)))) ?? {},
    used: async (password, stored) => fresh?.keep(directoryValueOf(stored), password),
    verify: (passwordHash, password) =>
      hashing.run(async () => {
        if (passwordHash === null || passwordHash.startsWith(ownCost)) {
          const matches = await verify(passwordHash ?? nobodysHash, password)
          return matches && passwordHash !== null
        }
        // A hash from the directory, perhaps of a lower cost: a refusal takes as long as with our own.
        await verify(nobodysHash, password)
        return (passwordHash.startsWith('$') ? verify : verifyPassword)(passwordHash, password)
      }),
  }
}
