import { type SQL, sql } from 'drizzle-orm'
import type { FailedKey } from '../alerts/attempt-alerts.ts'
import type { Db, Queryable } from '../db/client.ts'
import { throttles } from '../db/schema.ts'
import { crowdPrefix } from '../text/throttle-keys.ts'

/**
 * The failures within `window` milliseconds after which attempts are delayed, those that lock a key, and the duration
 * of the lock. An address that binds to the directory stands for all users of an application.
 */
const bounds = {
  usual: { delayed: 5, locked: 10 },
  crowd: { delayed: 50, locked: 100 },
} as const
const window = 900_000
const lockTime = 900_000

/** Milliseconds after which unfinished attempts count as lost with their process. */
const abandonedAfter = 60_000

export type Admission =
  /** `beyond`: how many failures the worst of the keys has in the last 15 minutes, less those that bring no delay. */
  | { kind: 'admitted'; beyond: number }
  | { kind: 'locked'; until: Date }
  /** As many attempts are in progress as may still fail: retry when some of them have ended. */
  | { kind: 'full' }

export interface AttemptCounter {
  /** Counts an attempt as in progress for every key, or for none. */
  begin(keys: readonly string[]): Promise<Admission>
  /** @returns the state of each key after this failure */
  fail(keys: readonly string[]): Promise<FailedKey[]>
  /** Clears the failures of the `cleared` keys. */
  succeed(keys: readonly string[], cleared: readonly string[]): Promise<void>
  abandon(keys: readonly string[]): Promise<void>
}

const boundsOf = (key: string) => (key.startsWith(crowdPrefix) ? bounds.crowd : bounds.usual)

/** The number of failures after which attempts for the key are delayed. */
export const delayedFrom = (key: string): number => boundsOf(key).delayed

/**
 * Failures per key, in the database, so that all instances count together. Every change is one statement that locks its
 * rows in the order of their keys: concurrent attempts can neither exceed the limit nor deadlock.
 */
export const attemptCounter = (db: Db, now: () => number): AttemptCounter => {
  const at = (offset = 0): SQL => sql`${new Date(now() + offset).toISOString()}::timestamptz`
  const recent = (): SQL => sql`array(select f from unnest(t.failed_at) f where f > ${at(-window)})`
  const limit = (): SQL =>
    sql`case when starts_with(t.key, ${crowdPrefix}) then ${bounds.crowd.locked}::int else ${bounds.usual.locked}::int end`
  const underWay = (): SQL => sql`case when t.last_attempt_at < ${at(-abandonedAfter)} then 0 else t.pending end`

  const abandon = async (keys: readonly string[]): Promise<void> => {
    await db.execute(sql`${held(keys)} update ${throttles} t set pending = greatest(t.pending - 1, 0)
      from held where held.key = t.key`)
  }

  return {
    async begin(keys) {
      const admitted = await db.execute<{ key: string; failures: number }>(sql`
        insert into ${throttles} as t (key, pending, last_attempt_at)
        select key, 1, ${at()} from (${listed(keys)}) k order by key
        on conflict (key) do update
        set failed_at = ${recent()}, pending = ${underWay()} + 1, locked_until = null, last_attempt_at = ${at()}
        where (t.locked_until is null or t.locked_until <= ${at()})
          and cardinality(${recent()}) + ${underWay()} < ${limit()}
        returning t.key, cardinality(t.failed_at) as failures`)
      if (admitted.length === new Set(keys).size) {
        return { kind: 'admitted', beyond: Math.max(...admitted.map((row) => row.failures - delayedFrom(row.key))) }
      }
      if (admitted.length > 0) await abandon(admitted.map((row) => row.key))
      const [lock] = await db.execute<{ until: string | null }>(sql`
        select max(t.locked_until) as until from ${throttles} t
        where t.key in (${listed(keys)}) and t.locked_until > ${at()}`)
      return lock?.until ? { kind: 'locked', until: new Date(lock.until) } : { kind: 'full' }
    },

    async fail(keys) {
      return db.execute<FailedKey & Record<string, unknown>>(sql`
        ${held(keys)} update ${throttles} t
        set pending = greatest(t.pending - 1, 0), failed_at = array_append(${recent()}, ${at()}),
          locked_until = case when cardinality(${recent()}) + 1 >= ${limit()} then ${at(lockTime)} end
        from held where held.key = t.key
        returning t.key, cardinality(t.failed_at) as failures, t.locked_until is not null as locked`)
    },

    async succeed(keys, cleared) {
      await db.execute(sql`
        ${held(keys)} update ${throttles} t
        set pending = greatest(t.pending - 1, 0),
          failed_at = case when t.key in (${listed(cleared)}) then '{}' else t.failed_at end
        from held where held.key = t.key`)
    },

    abandon,
  }
}

/** Forgets the failures of these keys and ends their locks. Returns whether one of them was locked. */
export const forgetFailures = async (tx: Queryable, keys: readonly string[]): Promise<boolean> => {
  const rows = await tx.execute<{ locked: boolean }>(sql`
    ${held(keys)}, before as (select t.key, coalesce(t.locked_until > now(), false) as locked
      from ${throttles} t join held on held.key = t.key)
    update ${throttles} t set failed_at = '{}', locked_until = null
    from before where before.key = t.key
    returning before.locked`)
  return rows.some(({ locked }) => locked)
}

const listed = (keys: readonly string[]): SQL =>
  sql`select value as key from jsonb_array_elements_text(${JSON.stringify(keys)}::jsonb)`

const held = (keys: readonly string[]): SQL =>
  sql`with held as (select key from ${throttles} where key in (${listed(keys)}) order by key for update)`
