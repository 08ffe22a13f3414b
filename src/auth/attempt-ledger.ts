import { type SQL, sql } from 'drizzle-orm'
import type { FailedKey } from '../alerts/attempt-alerts.ts'
import type { Db } from '../db/client.ts'
import { throttles } from '../db/schema.ts'
import { crowdPrefix } from '../text/throttle-keys.ts'

/**
 * Failures within `window` milliseconds from which attempts are delayed, and that lock a key; and for how long. Behind
 * one address that binds to the directory are all the people of an application.
 */
const bounds = {
  usual: { delayed: 5, locked: 10 },
  crowd: { delayed: 50, locked: 100 },
} as const
const window = 900_000
const lockTime = 900_000

/** Milliseconds after which attempts that are still under way were lost with their process. */
const abandonedAfter = 60_000

export type Admission =
  /** `beyond`: by how many failures of the last 15 minutes one of the keys is beyond those that cost nothing. */
  | { kind: 'admitted'; beyond: number }
  | { kind: 'locked'; until: Date }
  /** As many attempts are under way as may still fail: try again when some of them are over. */
  | { kind: 'full' }

export interface AttemptLedger {
  /** Counts an attempt as under way for every key, or for none. */
  begin(keys: readonly string[]): Promise<Admission>
  /** @returns how each key stands with this failure */
  fail(keys: readonly string[]): Promise<FailedKey[]>
  /** Forgets the failures of the `cleared` keys. */
  succeed(keys: readonly string[], cleared: readonly string[]): Promise<void>
  abandon(keys: readonly string[]): Promise<void>
}

const boundsOf = (key: string) => (key.startsWith(crowdPrefix) ? bounds.crowd : bounds.usual)

/** The failures from which attempts for the key are delayed. */
export const delayedFrom = (key: string): number => boundsOf(key).delayed

/**
 * Who has failed how often, in the database, so that all instances count together. Every change is one statement that
 * takes its rows in the order of their keys: attempts that come at once neither slip past the limit nor deadlock.
 */
export const attemptLedger = (db: Db, now: () => number): AttemptLedger => {
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

const listed = (keys: readonly string[]): SQL =>
  sql`select value as key from jsonb_array_elements_text(${JSON.stringify(keys)}::jsonb)`

const held = (keys: readonly string[]): SQL =>
  sql`with held as (select key from ${throttles} where key in (${listed(keys)}) order by key for update)`
