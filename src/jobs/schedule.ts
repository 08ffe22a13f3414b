import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { errorRecord, type Logger } from '../log.ts'

export interface Job {
  name: string
  /** Milliseconds between the end of one run and the start of the next. */
  interval: number
  run: () => Promise<void>
}

export interface Schedule {
  start(): void
  /** Starts no further run and waits for the one under way. */
  stop(): Promise<void>
}

/** Seconds after which a run whose instance stopped renewing its lease counts as dead. */
const leaseSeconds = 30
/** Milliseconds between looks at what is due. */
const tick = 5000
/** Milliseconds before a failed run is tried again, at most; it doubles up to the job's own interval. */
const firstRetry = 10_000

/**
 * Periodic work, once across all instances of one database: a job is a row, and whoever holds its lease runs it. What
 * fell due while nothing was running is caught up with at the start.
 */
export const openSchedule = ({ db, jobs, log }: { db: Db; jobs: readonly Job[]; log: Logger }): Schedule => {
  const owner = randomUUID()
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  let underWay: Promise<void> = Promise.resolve()
  let registered = false

  const register = async (): Promise<void> => {
    if (registered) return
    const rows = jobs.map(({ name, interval }) => ({ name, interval: interval / 1000 }))
    await db.execute(sql`
      insert into schedules (name, next_run_at)
      select name, now() + make_interval(secs => "interval")
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as j(name text, "interval" float8)
      on conflict (name) do update set next_run_at = least(schedules.next_run_at, excluded.next_run_at)`)
    registered = true
  }

  const claim = async (job: Job): Promise<boolean> => {
    const rows = await db.execute(sql`
      update schedules set lease_until = now() + make_interval(secs => ${leaseSeconds}), lease_owner = ${owner}
      where name = ${job.name} and next_run_at <= now() and (lease_until is null or lease_until < now())
      returning name`)
    return rows.length > 0
  }

  const renew = (job: Job): Promise<unknown> =>
    db.execute(sql`
      update schedules set lease_until = now() + make_interval(secs => ${leaseSeconds})
      where name = ${job.name} and lease_owner = ${owner}`)

  const carryOut = async (job: Job): Promise<void> => {
    const renewal = setInterval(() => renew(job).catch(() => undefined), (leaseSeconds * 1000) / 3)
    let failure: unknown
    try {
      await job.run()
    } catch (error) {
      failure = error
      log.error({ error: errorRecord(error), job: job.name }, 'periodic work failed and is tried again')
    } finally {
      clearInterval(renewal)
    }
    const message = failure instanceof Error ? failure.message : failure === undefined ? '' : String(failure)
    await db.execute(sql`
      update schedules set lease_until = null, lease_owner = null, last_error = ${message},
        attempts = case when ${message} = '' then 0 else attempts + 1 end,
        last_ok_at = case when ${message} = '' then now() else last_ok_at end,
        next_run_at = now() + make_interval(secs => case when ${message} = '' then ${job.interval / 1000}::float8
          else least(${job.interval / 1000}::float8, ${firstRetry / 1000}::float8 * power(2, least(attempts, 20))) end)
      where name = ${job.name} and lease_owner = ${owner}`)
  }

  const look = async (): Promise<void> => {
    await register()
    for (const job of jobs) {
      if (!stopped && (await claim(job))) await carryOut(job)
    }
  }

  const next = (): void => {
    if (stopped) return
    timer = setTimeout(
      () => {
        underWay = look()
          .catch((error: unknown) => log.warn({ error: errorRecord(error) }, 'the schedule could not be read'))
          .finally(next)
      },
      Math.min(tick, ...jobs.map(({ interval }) => interval)),
    )
  }

  return {
    start: next,
    async stop() {
      stopped = true
      clearTimeout(timer)
      await underWay
    },
  }
}
