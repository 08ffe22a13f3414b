import { sql } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { statementOf } from '../db/json-record.ts'
import { prepared } from '../db/prepared.ts'
import { knownBinders } from '../db/schema.ts'
import { withoutWaiting } from '../db/without-waiting.ts'
import { currentTime } from '../runtime/clock.ts'

/** Milliseconds for which a bind makes an account known at an address. */
export const knownFor = 90 * 86_400_000
/** Milliseconds after which a bind is noted again: an application may bind hundreds of times a second. */
const notedFor = 86_400_000
/** Those that are remembered as noted, by this process. */
const max = 10_000

/** Who bound from where. */
export interface Binder {
  /** `account:…` or `entry:…`: see throttle-keys.ts. */
  name: string
  /** The host, or the network that counts as one: see `subscriberOf`. */
  subscriber: string
}

export interface KnownBinders {
  /** Whether they have bound with a right password from there within 90 days. */
  has(binder: Binder): Promise<boolean>
  /** They have bound with a right password. */
  note(binder: Binder): Promise<void>
}

/**
 * Who has signed in through an application before, so that strangers who guess there do not lock them out: the idea of
 * OWASP's device cookies, for clients that keep none. What a crash loses is noted again by the next bind.
 */
export const openKnownBinders = (db: Db, now = currentTime): KnownBinders => {
  const binder = sql`${sql.placeholder('subscriber')}, ${sql.placeholder('name')}`
  const finding = prepared<[at: number]>(
    db,
    statementOf(sql`
      select (extract(epoch from last_bound_at) * 1000)::float8 from ${knownBinders}
      where (subscriber, name) = (${binder})`),
  )
  const noting = prepared(
    db,
    statementOf(sql`
      with noted as (
        insert into ${knownBinders} as k (subscriber, name, last_bound_at)
        values (${binder}, ${sql.placeholder('now')}::timestamptz)
        on conflict (subscriber, name) do update set last_bound_at = greatest(k.last_bound_at, excluded.last_bound_at)
      )
      select ${withoutWaiting}`),
  )
  /** When each was noted. */
  const noted = new Map<string, number>()
  const keyOf = ({ name, subscriber }: Binder): string => `${subscriber} ${name}`
  const isRecent = (at: number | undefined, age: number): boolean => at !== undefined && now() - at < age
  const remember = (key: string, at: number): void => {
    noted.delete(key)
    noted.set(key, at)
    const [oldest] = noted.keys()
    if (noted.size > max && oldest !== undefined) noted.delete(oldest)
  }

  return {
    async has(binder) {
      const key = keyOf(binder)
      if (isRecent(noted.get(key), knownFor)) return true
      const [[at] = []] = await finding({ ...binder })
      if (at === undefined || !isRecent(at, knownFor)) return false
      remember(key, at)
      return true
    },

    async note(binder) {
      const key = keyOf(binder)
      if (isRecent(noted.get(key), notedFor)) return
      const at = now()
      await noting({ ...binder, now: new Date(at).toISOString() })
      remember(key, at)
    },
  }
}
