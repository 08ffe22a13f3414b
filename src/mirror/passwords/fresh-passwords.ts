import { createHash, randomUUID } from 'node:crypto'
import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../db/client.ts'
import { leases } from '../../db/schema.ts'

/**
 * Passwords in clear text, in memory and for a short time: Active Directory takes no hashes, so its entry gets the
 * password at the moment it is set, or used to sign in to Steward. They are found by the hash that is stored of them, so
 * that one which was replaced meanwhile is not found.
 *
 * Other instances leave the record to the one that knows its password: an instance that does not would disable the account.
 */
export interface FreshPasswords {
  /** Names this process among the instances. */
  holder: string
  /**
   * Resolves when other instances know that this one has the password: call it before the record shows the value.
   * @param value what the record holds of it: see `StoredPassword`
   */
  keep(value: string, password: string, how?: KeepHow): Promise<void>
  /** null: it is not known, or not any more. */
  of(value: string): string | null
  /** From now on other instances do not leave records to this one. */
  close(): Promise<void>
}

interface KeepHow {
  /** false: other instances are not told. Inside of a transaction they cannot be. Default: true. */
  tells?: boolean
}

export interface FreshPasswordsOptions {
  /** Whether a directory needs them; otherwise none is kept. */
  wanted: boolean
  /** The database that this process shares with other instances; null: it has no other ones. */
  db: Db | null
  /** Milliseconds; a directory that is down for longer gets the password at the next sign-in. Default: 30 s. */
  keptFor?: number
}

/** At once; the oldest gives way. */
const max = 2000

const prefix = 'password '

const nameOf = (value: string): string => prefix + createHash('sha256').update(value).digest('hex')

export const freshPasswords = ({ wanted, db, keptFor = 30_000 }: FreshPasswordsOptions): FreshPasswords => {
  const holder = randomUUID()
  const known = new Map<string, { password: string; timer: NodeJS.Timeout }>()
  const forget = (value: string): void => {
    clearTimeout(known.get(value)?.timer)
    known.delete(value)
  }
  return {
    holder,
    async keep(value, password, { tells = true } = {}) {
      if (!wanted) return
      forget(value)
      known.set(value, { password, timer: setTimeout(() => forget(value), keptFor).unref() })
      const [oldest] = known.keys()
      if (known.size > max && oldest !== undefined) forget(oldest)
      if (!tells || db === null) return
      await db.execute(sql`
        with over as (delete from ${leases} where name like ${`${prefix}%`} and lease_until < now() - interval '1 minute')
        insert into ${leases} (name, lease_owner, lease_until)
        values (${nameOf(value)}, ${holder}, now() + make_interval(secs => ${keptFor / 1000}))
        on conflict (name) do update set lease_owner = excluded.lease_owner, lease_until = excluded.lease_until`)
    },
    of: (value) => known.get(value)?.password ?? null,
    async close() {
      for (const value of [...known.keys()]) forget(value)
      await db?.execute(sql`delete from ${leases} where name like ${`${prefix}%`} and lease_owner = ${holder}`)
    },
  }
}

/**
 * Whether another instance knows the password of an enabled person, so that the entry is left to it. Nothing that takes an
 * entry away waits for that.
 * @param id of the person, as SQL
 */
export const isKnownElsewhere = (id: SQL, holder: string): SQL => sql`exists (
  select from users u join ${leases} l on l.name = ${prefix}::text || encode(sha256(convert_to(
    coalesce(u.directory_password, '{ARGON2}' || u.password_hash), 'UTF8')), 'hex')
  where u.id = ${id} and u.status = 1 and l.lease_owner <> ${holder} and l.lease_until > now())`
