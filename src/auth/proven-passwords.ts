import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Background } from '../background.ts'
import type { Db } from '../db/client.ts'
import { users } from '../db/schema.ts'
import type { PersonBound } from '../ldap-server/operations/bind.ts'
import { lackNtHash, type NtHashes, storeNtHashes } from '../mirror/nt-hash.ts'
import type { Reconciler } from '../mirror/reconciler.ts'
import { touch } from '../mirror/touch.ts'
import { usernameKey } from '../text/identity-keys.ts'
import { directoryValueOf, type StoredPassword } from './passwords.ts'

export interface ProvenPasswordsOptions {
  db: Db
  ntHashes: NtHashes
  background: Background
  reconciler: Pick<Reconciler, 'settle'>
}

/** Milliseconds in which the binds of a password are looked at once: an application may bind hundreds of times a second. */
const lookAge = 60_000
/** Passwords that are remembered as looked at. */
const most = 10_000

/**
 * Gives people the NT hash that they do not have yet, when they prove their password: it cannot be computed from a hash.
 * It never delays or fails a sign-in.
 */
export const openProvenPasswords = ({ db, ntHashes, background, reconciler }: ProvenPasswordsOptions) => {
  /** By what the record holds of a password; it is in memory with the entries anyway. */
  const looked = new Map<string, number>()

  const isDue = (value: string): boolean => {
    const now = Date.now()
    if (now - (looked.get(value) ?? 0) < lookAge) return false
    looked.delete(value)
    looked.set(value, now)
    const [oldest] = looked.keys()
    if (looked.size > most && oldest !== undefined) looked.delete(oldest)
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
    if (!(await lackNtHash(db, user.id, (sealed) => ntHashes.isPresent(sealed, value)))) return
    const touched = await db.transaction(async (tx) => {
      // The password may have been changed since it was proven.
      const [still] = await tx.select({ id: users.id }).from(users).where(isTheirs).for('no key update')
      if (still === undefined) return []
      await storeNtHashes(tx, [{ id: user.id, ntHash: ntHashes.seal(password, value) }])
      return touch(tx, 'user', [user.id])
    })
    if (touched.length > 0) await reconciler.settle(touched)
  }

  const begin = (who: SQL, password: string, value: string): void => {
    if (!ntHashes.wanted) return
    try {
      background.run('giving a person an NT hash', () => give(who, password, value))
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
    bound: ntHashes.wanted ? bound : null,
  }
}

export type ProvenPasswords = ReturnType<typeof openProvenPasswords>
