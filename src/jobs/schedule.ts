import { randomUUID } from 'node:crypto'
import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { linked } from '../concurrency/abort.ts'
import type { Db } from '../db/client.ts'
import { isFree, isOf, leaseOf, released } from '../db/lease.ts'
import { schedules } from '../db/schema.ts'
import { AppError } from '../failures/errors.ts'
import type { Statement } from '../failures/statement.ts'
import { statementOf } from '../failures/statement-table.ts'
import { errorRecord, type Logger } from '../runtime/log.ts'
import { traced } from '../tracing/span.ts'
import { statements } from './statements.ts'
import { dueAfter, retryAfter, type Timing } from './timing.ts'

export type Job = Timing & {
  name: string
  /**
   * May end early, with any error, when the signal aborts: the service stops, and the job stays due and runs after the
   * next start; or another instance has taken the job over.
   */
  run: (signal: AbortSignal) => Promise<void>
}

export interface Schedule {
  start(): void
  /** Starts no further run and waits for those in progress. */
  stop(): Promise<void>
}

export interface ScheduleOptions {
  db: Db
  jobs: readonly Job[]
  log: Logger
  /**
   * The clock for due times. Default: the database's, which all instances share, as leases do. By clocks of their own one
   * instance would bring forward what another has just done, which that would do again at once, as long as they differ.
   */
  now?: () => Date | Promise<Date>
  /** Milliseconds between checks for due jobs. */
  tick?: number
}

/** A run of a job whose instance does not renew its lease counts as dead. */
const lease = leaseOf(30)

/** Seconds by which the clock may be set back, as by the hour of a summer time, without work being done twice. */
const maxSetBack = 7200

const timeOf = async (db: Db): Promise<Date> => {
  const [row] = await db.execute<{ at: string }>(sql`select extract(epoch from clock_timestamp()) * 1000 as at`)
  return new Date(Number(row?.at))
}

/**
 * Periodic work, once across all instances of one database: a job is a row, and the instance that holds its lease runs
 * it. Jobs do not wait for each other. A job that fell due while no instance was running runs once at the start.
 */
export const openSchedule = ({ db, jobs, log, now = () => timeOf(db), tick = 5000 }: ScheduleOptions): Schedule => {
  const owner = randomUUID()
  const stopping = new AbortController()
  const underWay = new Map<string, Promise<void>>()
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> = Promise.resolve()
  let registered = false

  /** When each job is due, in the table `j`; `clock`: by a cron expression. */
  const duesFrom = (at: Date): SQL => {
    const rows = jobs.map((job) => ({ name: job.name, due: dueAfter(job, at), clock: 'cron' in job }))
    return sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as j(name text, due timestamptz, clock boolean)`
  }

  /**
   * The next time of a cron job is computed again at the start, unless it was missed, is to be retried, or another
   * instance has run it meanwhile: it would run twice.
   */
  const register = async (): Promise<void> => {
    if (registered) return
    const at = await now()
    const wanted = duesFrom(at)
    await db.execute(sql`
      insert into ${schedules} (name, next_run_at) select name, due from ${wanted} on conflict (name) do nothing`)
    await db.execute(sql`
      update ${schedules} as s set next_run_at = j.due from ${wanted}
      where s.name = j.name and (s.last_ok_at is null or s.last_ok_at <= ${at.toISOString()}::timestamptz)
        and (s.next_run_at > j.due or (j.clock and s.attempts = 0
          and s.next_run_at > ${at.toISOString()}::timestamptz))`)
    registered = true
  }

  /**
   * A clock that was wrong for a while has put jobs off until times that it showed: by an hour, or a year. They are due
   * again as it says now. What goes by a cron expression is not brought forward where the clock was just set back, for it
   * would run twice.
   */
  const bringForward = async (): Promise<void> => {
    const at = await now()
    const time = sql`${at.toISOString()}::timestamptz`
    await db.execute(sql`
      update ${schedules} as s set next_run_at = j.due from ${duesFrom(at)}
      where s.name = j.name and s.next_run_at > j.due and (not j.clock
        or (s.last_ok_at > ${time} and s.last_ok_at <= ${time} + make_interval(secs => ${maxSetBack})) is not true)`)
  }

  /** Takes every due job that no instance is running. @returns how often each has failed since its last success */
  const claim = async (): Promise<Map<string, number>> => {
    const idle = jobs.map(({ name }) => name).filter((name) => !underWay.has(name))
    if (idle.length === 0) return new Map()
    const at = await now()
    const rows = await db
      .update(schedules)
      .set(lease.taken(owner))
      .where(
        sql`${inArray(schedules.name, idle)} and ${schedules.nextRunAt} <= ${at.toISOString()}::timestamptz
          and ${isFree(schedules)}`,
      )
      .returning({ name: schedules.name, attempts: schedules.attempts })
    return new Map(rows.map(({ name, attempts }) => [name, attempts]))
  }

  /** Runs a job. @returns the changes of its row, by the time at its end */
  const attempt = async (
    job: Job,
    { failures, signal }: { failures: number; signal: AbortSignal },
  ): Promise<(at: Date) => Partial<typeof schedules.$inferInsert>> => {
    try {
      signal.throwIfAborted()
      await traced(`job ${job.name}`, {}, () => job.run(signal))
      return (at) => ({ attempts: 0, lastError: '', stated: null, lastOkAt: at, nextRunAt: dueAfter(job, at) })
    } catch (error) {
      // The run was told to end: this is not a failure, and the job is still due.
      if (stopping.signal.aborted) return () => ({})
      if (signal.aborted) {
        log.warn({ job: job.name }, 'periodic work was given up: another instance has taken it over')
        return () => ({})
      }
      // An AppError describes a problem outside of the program: a stack would not help.
      if (error instanceof AppError) {
        log.warn(
          { reason: error.reason, problem: error.message, job: job.name },
          'periodic work could not be done and is tried again',
        )
      } else log.error({ error: errorRecord(error), job: job.name }, 'periodic work failed and is tried again')
      const attempts = failures + 1
      const stated = failureStated(error)
      return (at) => ({ attempts, lastError: stated.text, stated, nextRunAt: retryAfter(job, at, attempts) })
    }
  }

  const carryOut = async (job: Job, failures: number): Promise<void> => {
    const row = eq(schedules.name, job.name)
    const kept = lease.keepRow(db, schedules, owner, row)
    const either = linked(stopping.signal, kept.signal)
    const changesAt = await attempt(job, { failures, signal: either.signal })
    either.release()
    kept.end()
    await db
      .update(schedules)
      .set({ ...changesAt(await now()), ...released })
      .where(and(row, isOf(schedules, owner)))
  }

  const look = async (): Promise<void> => {
    await register()
    await bringForward()
    const claimed = await claim()
    for (const job of jobs) {
      const failures = claimed.get(job.name)
      if (failures === undefined) continue
      const work = carryOut(job, failures)
        .catch((error: unknown) =>
          log.warn({ error: errorRecord(error), job: job.name }, 'the end of periodic work could not be recorded'),
        )
        .finally(() => underWay.delete(job.name))
      underWay.set(job.name, work)
    }
  }

  const next = (): void => {
    if (stopping.signal.aborted) return
    timer = setTimeout(
      () => {
        looking = look()
          .catch((error: unknown) => log.warn({ error: errorRecord(error) }, 'the schedule could not be read'))
          .finally(next)
      },
      Math.min(tick, ...jobs.map((job) => ('interval' in job ? job.interval : tick))),
    )
  }

  return {
    start: next,
    async stop() {
      stopping.abort(new Error('The service is stopping'))
      clearTimeout(timer)
      await looking
      await Promise.all(underWay.values())
    },
  }
}

/** The failure as shown in the schedule; texts that are not meant for clients appear only in the log. */
const failureStated = (error: unknown): Statement =>
  error instanceof AppError ? statementOf(error) : statements.internal()
