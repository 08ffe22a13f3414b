import { type SQL, sql } from 'drizzle-orm'
import type { FailedKey } from '../alerts/attempt-alerts.ts'
import type { Db, Queryable } from '../db/client.ts'
import { statementOf } from '../db/json-record.ts'
import { prepared } from '../db/prepared.ts'
import { throttles } from '../db/schema.ts'
import { withoutWaiting } from '../db/without-waiting.ts'
import { knownPrefix, strangersPrefix } from '../text/throttle-keys.ts'

/**
 * The failures within `window` milliseconds after which attempts are delayed, those that lock a key, and the duration
 * of the lock. An address that binds to the directory stands for all users of an application: anyone can make its login
 * form fail a hundred times, and that must not lock out those who have signed in there before (known-binders.ts). Their
 * own failures are bounded for each account; the bound for all of them limits guessing one password at many accounts.
 */
const usual = { delayed: 5, locked: 10 }
/** Of keys with such a beginning. */
const wider = [
  { prefix: strangersPrefix, delayed: 50, locked: 100 },
  { prefix: knownPrefix, delayed: 900, locked: 1000 },
]
const window = 900_000
const lockTime = 900_000

/** Milliseconds after which unfinished attempts count as lost with their process. */
const abandonedAfter = 60_000

export type Admission<Found = null> =
  /**
   * `beyond`: how many failures the worst of the keys has in the last 15 minutes, less those that bring no delay.
   * `found`: what was read beside; null: nothing.
   */
  | { kind: 'admitted'; beyond: number; found: Found | null }
  | { kind: 'locked'; until: Date }
  /** As many attempts are in progress as may still fail: retry when some of them have ended. */
  | { kind: 'full' }

/**
 * Counts an attempt as in progress for every key, or for none.
 * @param barring keys that it is not counted for, whose locks refuse it too. Default: none
 * @param values of the placeholders of what is read beside
 */
export type Begin<Found = null> = (
  keys: readonly string[],
  barring?: readonly string[],
  values?: Readonly<Record<string, unknown>>,
) => Promise<Admission<Found>>

export interface BeginReading<Found> {
  begin: Begin<Found>
  /** What is read beside, as it is by now. */
  again(values: Readonly<Record<string, unknown>>): Promise<Found | null>
}

export interface AttemptCounter {
  begin: Begin
  /** A `begin` that also reads one JSON value, in the same statement. @param beside a query of at most one row */
  beginReading<Found>(beside: SQL): BeginReading<Found>
  /** What an attempt of this key would be told now, which is not counted by this. */
  standing(key: string): Promise<Admission>
  /** @returns the state of each key after this failure, which may have begun with other keys */
  fail(keys: readonly string[]): Promise<FailedKey[]>
  /** Clears the failures of the `cleared` keys. */
  succeed(keys: readonly string[], cleared: readonly string[]): Promise<void>
  /** @param isCounted whether the attempt was counted as a success before, where that is not known */
  abandon(keys: readonly string[], isCounted?: SQL): Promise<void>
}

const boundsOf = (key: string) => wider.find(({ prefix }) => key.startsWith(prefix)) ?? usual

/** The number of failures after which attempts for the key are delayed. */
export const delayedFrom = (key: string): number => boundsOf(key).delayed

const interval = (milliseconds: number): SQL => sql.raw(`interval '${milliseconds} milliseconds'`)

/** The keys of an attempt, a JSON array. */
const counted = sql.placeholder('counted')

const isListed = (key: SQL, keys: unknown): SQL =>
  sql`${key} = any (array(select jsonb_array_elements_text(${keys}::jsonb)))`

/** The rows of these keys if the condition is true, locked in the order of the keys. */
const held = (keys: unknown, condition = sql`true`): SQL => sql`held as (
  select key from ${throttles} where ${isListed(sql`key`, keys)} and ${condition} order by key for update)`

// Of a row `t`:

/** Not a join: that is planned for the few rows of a new table, and then reads all of the many that an attack adds. */
const isHeld = sql`t.key = any (array(select key from held))`
const limit = sql.raw(
  `case ${wider.map(({ prefix, locked }) => `when starts_with(t.key, '${prefix}') then ${locked}`).join(' ')}
    else ${usual.locked} end`,
)

/** The keys of an attempt, and the moment, for the rows to insert; where they are there, `now` is the moment. */
const attempted = sql`
  from jsonb_array_elements_text(${counted}::jsonb) as k (key), (select ${sql.placeholder('now')}::timestamptz as now) m`
const now = sql`excluded.last_attempt_at`
const recent = sql`array(select f from unnest(t.failed_at) f where f > ${now} - ${interval(window)})`
const underWay = sql`case when t.last_attempt_at < ${now} - ${interval(abandonedAfter)} then 0 else t.pending end`

/**
 * Failures per key, in the database, so that all instances count together. Every change is one statement that locks its
 * rows in the order of their keys: concurrent attempts can neither exceed the limit nor deadlock. Only a failure waits
 * until it is on the disk. Whatever else a crash loses leaves the counts as they were a moment before.
 */
export const attemptCounter = (db: Db, clock: () => number): AttemptCounter => {
  const moment = (): string => new Date(clock()).toISOString()

  // Inserts a row where a crash has lost that of the beginning.
  const failing = prepared<[key: string, failures: number, locked: boolean]>(
    db,
    statementOf(sql`
      insert into ${throttles} as t (key, failed_at, last_attempt_at)
      select key, array[now], now ${attempted} order by key
      on conflict (key) do update
      set pending = greatest(t.pending - 1, 0), failed_at = array_append(${recent}, ${now}),
        locked_until = case when cardinality(${recent}) + 1 >= ${limit} then ${now} + ${interval(lockTime)} end
      returning t.key, cardinality(t.failed_at), t.locked_until is not null`),
  )
  const succeeding = prepared(db, statementOf(sql`with ${successSteps(sql`true`)} select ${withoutWaiting}`))

  const abandon: AttemptCounter['abandon'] = async (keys, isCounted = sql`false`) => {
    const values = endOf(keys, [])
    await db.execute(sql`with ${endSteps(values, sql`not (${isCounted})`)} select ${withoutWaiting}`)
  }

  const beginReading = <Found>(beside: SQL): BeginReading<Found> => {
    const reading = prepared<[found: Found | null]>(db, statementOf(sql`select (${beside})`))
    const beginning = prepared<[begun: [key: string, failures: number][] | null, found: Found | null]>(
      db,
      statementOf(sql`
        with begun as (
          insert into ${throttles} as t (key, pending, last_attempt_at)
          select key, 1, now ${attempted}
          where not exists (
            select from ${throttles} b where ${isListed(sql`b.key`, sql.placeholder('barring'))} and b.locked_until > now)
          order by key
          on conflict (key) do update
          set failed_at = ${recent}, pending = ${underWay} + 1, locked_until = null, last_attempt_at = ${now}
          where (t.locked_until is null or t.locked_until <= ${now})
            and cardinality(${recent}) + ${underWay} < ${limit}
          returning t.key, cardinality(t.failed_at) as failures
        )
        select (select json_agg(json_build_array(key, failures)) from begun), (${beside}), ${withoutWaiting}`),
    )
    const begin: Begin<Found> = async (keys, barring = [], values = {}) => {
      const at = moment()
      const attempt = { counted: JSON.stringify(keys), barring: JSON.stringify(barring), now: at }
      const [[begun, found] = [null, null]] = await beginning({ ...attempt, ...values })
      const admitted = begun ?? []
      if (admitted.length === new Set(keys).size) {
        const beyond = Math.max(...admitted.map(([key, failures]) => failures - delayedFrom(key)))
        return { kind: 'admitted', beyond, found }
      }
      if (admitted.length > 0) await abandon(admitted.map(([key]) => key))
      const [lock] = await db.execute<{ until: string | null }>(sql`
        select max(t.locked_until) as until from ${throttles} t
        where ${isListed(sql`t.key`, JSON.stringify([...keys, ...barring]))} and t.locked_until > ${at}::timestamptz`)
      return lock?.until ? { kind: 'locked', until: new Date(lock.until) } : { kind: 'full' }
    }
    const again = async (values: Readonly<Record<string, unknown>>): Promise<Found | null> => {
      const [[found] = [null]] = await reading(values)
      return found
    }
    return { begin, again }
  }

  return {
    begin: beginReading<null>(sql`null`).begin,
    beginReading,

    async fail(keys) {
      const rows = await failing({ counted: JSON.stringify(keys), now: moment() })
      return rows.map(([key, failures, locked]) => ({ key, failures, locked }))
    },

    async standing(key) {
      const [row] = await db.execute<{ until: string | null; failures: number; pending: number }>(sql`
        select case when t.locked_until > excluded.last_attempt_at then t.locked_until end as until,
          cardinality(${recent}) as failures, ${underWay} as pending
        from ${throttles} t, (select ${moment()}::timestamptz as last_attempt_at) excluded where t.key = ${key}`)
      const { until = null, failures = 0, pending = 0 } = row ?? {}
      if (until !== null) return { kind: 'locked', until: new Date(until) }
      if (failures + pending >= boundsOf(key).locked) return { kind: 'full' }
      return { kind: 'admitted', beyond: failures - delayedFrom(key), found: null }
    },

    async succeed(keys, cleared) {
      await succeeding({ ...endOf(keys, cleared) })
    },

    abandon,
  }
}

/** The keys of a name at the addresses where it is known: see throttle-keys.ts. */
export const knownNameKeys = async (tx: Queryable, name: string): Promise<string[]> => {
  const rows = await tx.execute<{ key: string }>(sql`
    select key from ${throttles} where starts_with(key, 'directory-name:') and substr(key, strpos(key, ' ') + 1) = ${name}`)
  return rows.map(({ key }) => key)
}

/** Forgets the failures of these keys and ends their locks. Returns whether one of them was locked. */
export const forgetFailures = async (tx: Queryable, keys: readonly string[]): Promise<boolean> => {
  const rows = await tx.execute<{ locked: boolean }>(sql`
    with ${held(JSON.stringify(keys))}, before as (
      select t.key, coalesce(t.locked_until > now(), false) as locked
      from ${throttles} t join held on held.key = t.key)
    update ${throttles} t set failed_at = '{}', locked_until = null
    from before where before.key = t.key
    returning before.locked`)
  return rows.some(({ locked }) => locked)
}

/** The keys of an attempt that ends, and those whose failures are cleared, each a JSON array. */
export interface AttemptEnd {
  counted: string
  cleared: string
}

export const endOf = (counted: readonly string[], cleared: readonly string[]): AttemptEnd => ({
  counted: JSON.stringify(counted),
  cleared: JSON.stringify(cleared),
})

/** Steps of a `with` that end an attempt without a failure if the condition is true. */
const endSteps = ({ counted, cleared }: Readonly<Record<keyof AttemptEnd, unknown>>, condition: SQL): SQL => sql`
  ${held(counted, condition)}, ended as (
    update ${throttles} t set pending = greatest(t.pending - 1, 0),
      failed_at = case when ${isListed(sql`t.key`, cleared)} then '{}' else t.failed_at end
    where ${isHeld})`

/**
 * The steps that count an attempt as a success, for a statement that does at the same time what the attempt is for. The
 * placeholders are the fields of `AttemptEnd`.
 */
export const successSteps = (condition: SQL): SQL =>
  endSteps({ counted: sql.placeholder('counted'), cleared: sql.placeholder('cleared') }, condition)
