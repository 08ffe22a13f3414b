import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Background } from '../concurrency/background.ts'
import { semaphore } from '../concurrency/semaphore.ts'
import type { Db } from '../db/client.ts'
import { users } from '../db/schema.ts'
import type { PersonBound } from '../ldap-server/authentication/person-bound.ts'
import { type OtherHashes, storedHashes, storeHashes } from '../mirror/passwords/other-hashes.ts'
import type { Reconciler } from '../mirror/reconciler.ts'
import { touch } from '../mirror/touch.ts'
import { steadyTime } from '../runtime/clock.ts'
import { usernameKey } from '../text/identity-keys.ts'
import { directoryValueOf, type Passwords, type StoredPassword } from './passwords.ts'

export interface ProvenPasswordsOptions {
  db: Db
  otherHashes: Pick<OtherHashes, 'wanted' | 'lacks'>
  passwords: Pick<Passwords, 'others'>
  background: Background
  reconciler: Pick<Reconciler, 'earlyClaim' | 'settle'>
}

/** Milliseconds in which the binds of a password are looked at once: an application may bind hundreds of times a second. */
const lookAge = 60_000
/** Passwords that are remembered as looked at. */
const max = 10_000

/** People who wait for their hashes. One is served at a time: sign-ins need the same processors. */
const inLine = 200

/**
 * Gives people the NT hash, and the hashes for directories with a scheme of their own, that they do not have yet, when
 * they prove their password: none can be computed from another hash. It never delays or fails a sign-in.
 */
export const openProvenPasswords = (options: ProvenPasswordsOptions) => {
  const { db, otherHashes, passwords, background, reconciler } = options
  const { wanted } = otherHashes
  const hashing = semaphore(1)
  /** By what the record holds of a password; it is in memory with the entries anyway. */
  const looked = new Map<string, number>()

  const isDue = (value: string): boolean => {
    const now = steadyTime()
    if (now - (looked.get(value) ?? Number.NEGATIVE_INFINITY) < lookAge) return false
    looked.delete(value)
    looked.set(value, now)
    const [oldest] = looked.keys()
    if (looked.size > max && oldest !== undefined) looked.delete(oldest)
    return true
  }

  const give = async (who: SQL, password: string, value: string): Promise<void> => {
    const isTheirs = and(
      who,
      eq(users.status, 1),
      sql`coalesce(${users.directoryPassword}, '{ARGON2}' || ${users.passwordHash}) = ${value}`,
    )
    const [user] = await db.select({ id: users.id }).from(users).where(isTheirs)
    if (user === undefined) return
    const stored = await storedHashes(db, user.id, wanted)
    if (!otherHashes.lacks(stored, value)) return
    const hashes = await passwords.others(password, value)
    const touched = await db.transaction(async (tx) => {
      // The password may have been changed since it was proven.
      const [still] = await tx.select({ id: users.id }).from(users).where(isTheirs).for('no key update')
      if (still === undefined) return []
      await storeHashes(tx, [{ id: user.id, hashes }])
      return touch(tx, 'user', [user.id])
    })
    if (touched.length > 0) await reconciler.settle(touched)
  }

  const begin = (who: SQL, password: string, value: string): void => {
    // Too many at once: a later sign-in does it.
    if (wanted.length === 0 || hashing.load > inLine) return
    try {
      background.run('giving a person further hashes', () => hashing.run(() => give(who, password, value)))
    } catch {
      // Too much is in progress: a later sign-in does it.
    }
  }

  const bound: PersonBound = ({ account, password, stored }) => {
    if (isDue(stored)) begin(eq(users.usernameKey, usernameKey(account)), password, stored)
  }

  return {
    /** At a sign-in to Steward. */
    signedIn: (userId: number, password: string, stored: StoredPassword): void =>
      begin(eq(users.id, userId), password, directoryValueOf(stored)),
    /** At a bind to the embedded directory; null: passwords of binds are of no use. */
    bound: wanted.length > 0 ? bound : null,
  }
}

export type ProvenPasswords = ReturnType<typeof openProvenPasswords>
