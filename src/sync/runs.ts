import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import type { Author } from '../access/standing.ts'
import { linked } from '../concurrency/abort.ts'
import { inTime } from '../concurrency/in-time.ts'
import type { Db } from '../db/client.ts'
import { instantText, jsonObject } from '../db/json-record.ts'
import { type RunProblem, runs } from '../db/schema.ts'
import { isUnavailable } from '../db/unavailable.ts'
import type { AppError } from '../failures/errors.ts'
import { reasons as service } from '../failures/reasons.ts'
import type { Statement } from '../failures/statement.ts'
import type { components } from '../generated/directory.types.ts'
import { steadyTime } from '../runtime/clock.ts'
import { errorRecord, type Logger } from '../runtime/log.ts'
import { SourceError } from '../sources/source.ts'
import { closeDeadRuns, lease, type OnDeadRuns, type OnEndedRun, runLease } from './lease.ts'
import { problemOf, problemsKept, stopped } from './problems.ts'
import { reasons } from './reasons.ts'
import type { Decider } from './run-request.ts'
import { watchRun } from './watch.ts'

export type RunReport = components['schemas']['RunReport']
export type RunPhase = 'reading' | 'planning' | 'applying' | 'mirroring' | 'comparing'

/** The result of a run, counted in records. Without counts, the finished changes of the plan are counted. */
export interface RunOutcome {
  state: 'done' | 'held' | 'failed' | 'planned'
  total?: number
  added?: number
  updated?: number
  moved?: number
  disabled?: number
  unchanged?: number
  skipped?: number
  failed?: number
  held?: number
  planHash?: string
  gaps?: Statement[]
  heldBecause?: Statement[]
  /** The first 100 are kept. */
  problems?: RunProblem[]
}

export interface Run {
  source: RunReport['source']
  kind: RunReport['kind']
  /** Whether it is the only run of its source, so that a second request waits for it instead of starting its own. */
  exclusive: boolean
  /**
   * false: a run in progress is waited for instead, because its actor may have a lower rank.
   */
  joins?: boolean
  dryRun?: boolean
  /** The username of the caller. */
  creator: string
  /** In whose name it begins, also where it has to wait for another one first. */
  author: Author
}

/** The interface of a run for its work. */
export interface RunContext {
  id: number
  /** Aborts when the service stops, or when another instance has declared this run dead. */
  signal: AbortSignal
  /** Reports the progress: `done` records of `of`, or so far where the total is unknown. */
  progress: (phase: RunPhase, done: number, of: number | null) => void
  /** The instance's name on the lease: writes for this run need the lease. */
  owner: string
}

export type RunWork = (context: RunContext) => Promise<RunOutcome>

export interface Runs {
  /**
   * Starts a run, or joins the running one of this source and kind, on any instance. Returns the report when the run
   * ends, or after `wait` milliseconds as it is then; the run continues.
   * @throws AppError (conflict) when the source is busy with another run that did not end in time; unauthenticated or forbidden
   *   when the session or the grant of the author has ended before it begins
   */
  report(run: Run, work: RunWork, wait?: number): Promise<RunReport>
  /**
   * Resumes a run that ended `held`, once: a second caller is refused.
   * @throws AppError as `report`; conflict when it is no longer held, or its source is busy
   */
  resume(id: number, by: Decider, work: RunWork, wait?: number): Promise<RunReport>
  /**
   * Call it when stopping begins: runs end between two steps, and callers that wait for one get a response within some
   * seconds.
   */
  beginStop(): void
  /** Waits for the end of runs in progress, for at most that long; call it before closing what runs use. */
  close(): Promise<void>
}

interface Begun {
  id: number
  /** Resolves once the run has ended; for a run of another instance, when its row says so. */
  ended: Promise<void>
}

/** Milliseconds between reads of a run that another instance carries out. */
const pollInterval = 250
/** Milliseconds runs have to end when the service stops; the rest ends with the database connection. */
const stopTimeout = 4000

const reportRecord = jsonObject<RunReport>({
  runId: runs.id,
  source: runs.source,
  kind: runs.kind,
  state: runs.state,
  startedAt: instantText(runs.startedAt),
  finishedAt: instantText(runs.finishedAt),
  total: runs.total,
  added: runs.added,
  updated: runs.updated,
  moved: runs.moved,
  disabled: runs.disabled,
  unchanged: runs.unchanged,
  skipped: runs.skipped,
  failed: runs.failed,
  held: runs.held,
  problems: runs.problems,
})

export interface OpenRunsOptions {
  db: Db
  /** Milliseconds a request waits for its run by default. */
  timeout: number
  /** For alerts; default: such runs have only their own reports. */
  onDeadRuns?: OnDeadRuns
  /** For alerts; default: runs have only their own reports. */
  onEndedRun?: OnEndedRun
  log: Logger
}

export const openRuns = (options: OpenRunsOptions): Runs => {
  const { db, timeout, onDeadRuns = async () => {}, onEndedRun = async () => {}, log } = options
  const owner = randomUUID()
  const leases = runLease({ db, owner, onDeadRuns, onEndedRun })
  const stopping = new AbortController()
  let giveUp: () => void = () => {}
  const givenUp = new Promise<void>((resolve) => {
    giveUp = resolve
  })
  const underWay = new Map<number, Promise<void>>()
  /** A run whose instance is gone is reported even if no caller requests another one. */
  const watch = setInterval(() => void closeDeadRuns(db, onDeadRuns).catch(() => undefined), (lease.seconds * 1000) / 2)
  watch.unref()

  const carryOut = (id: number, work: RunWork): Promise<void> => {
    const ended = attempt(id, work).finally(() => underWay.delete(id))
    underWay.set(id, ended)
    return ended
  }

  const attempt = async (id: number, work: RunWork): Promise<void> => {
    const kept = leases.keep(id)
    const either = linked(stopping.signal, kept.signal)
    const progress = watchRun(db, id)
    try {
      const outcome = await work({ id, signal: either.signal, progress: progress.note, owner }).catch(failure(id))
      await progress.close()
      await record(id, {
        ...outcome,
        ...(outcome.problems && { problems: outcome.problems.slice(0, problemsKept) }),
      })
    } catch (error) {
      log.error({ error: errorRecord(error), run: id }, 'the end of a run could not be recorded')
    } finally {
      kept.end()
      either.release()
    }
  }

  /** The database may be unreachable, which is why the run failed: it is reported as soon as it is back. */
  const record = async (id: number, outcome: RunOutcome): Promise<void> => {
    for (;;) {
      try {
        return await leases.end(id, outcome)
      } catch (error) {
        if (stopping.signal.aborted || !isUnavailable(error)) throw error
      }
      await sleep(pollInterval)
    }
  }

  const failure =
    (id: number) =>
    (error: unknown): RunOutcome => {
      if (stopping.signal.aborted) return { state: 'failed', problems: [stopped] }
      if (error instanceof SourceError) log.warn({ run: id, reason: error.message }, 'a source could not be read')
      else log.error({ error: errorRecord(error), run: id }, 'a run failed')
      return { state: 'failed', problems: [problemOf(error)] }
    }

  const follow = async (id: number): Promise<void> => {
    const own = underWay.get(id)
    if (own) return own
    while (!stopping.signal.aborted && (await leases.isRunning(id))) await sleep(pollInterval)
    await closeDeadRuns(db, onDeadRuns)
  }

  const waitFor = (ended: Promise<void>, milliseconds: number): Promise<void> =>
    inTime(Math.max(milliseconds, 0), Promise.race([ended, givenUp]), () => {})

  const beginStop = (): void => {
    if (stopping.signal.aborted) return
    stopping.abort(new Error('The service is stopping'))
    setTimeout(giveUp, stopTimeout).unref()
  }

  /** Starts the run as soon as its source is free, or joins a run of the same kind. */
  const beginOrJoin = async (run: Run, work: RunWork, until: number): Promise<Begun> => {
    for (;;) {
      if (stopping.signal.aborted) throw service.stopping()
      const id = await leases.begin(run)
      if (id !== null) return { id, ended: carryOut(id, work) }
      const other = await leases.running(run.source)
      if (other === null) continue
      const { kind, dryRun } = other
      const same = kind === run.kind && dryRun === (run.dryRun ?? false)
      if (same && (run.joins ?? true)) return { id: other.id, ended: follow(other.id) }
      if (steadyTime() >= until) throw busy(run.source, other.id)
      await waitFor(follow(other.id), until - steadyTime())
    }
  }

  const reportOf = async (id: number): Promise<RunReport> => {
    const [row] = await db.select({ report: reportRecord }).from(runs).where(eq(runs.id, id))
    if (row === undefined) throw new Error(`Run ${id} is gone`)
    return row.report
  }

  return {
    async report(run, work, wait = timeout) {
      const until = steadyTime() + wait
      const { id, ended } = await beginOrJoin(run, work, until)
      await waitFor(ended, until - steadyTime())
      return reportOf(id)
    },

    async resume(id, by, work, wait = timeout) {
      if (!(await leases.resume(id, by))) throw reasons.run_not_held_any_more({ id })
      await waitFor(carryOut(id, work), wait)
      return reportOf(id)
    },

    beginStop,

    async close() {
      beginStop()
      clearInterval(watch)
      await Promise.race([Promise.all(underWay.values()), givenUp])
    },
  }
}

const busy = (source: string, id: number): AppError => reasons.source_busy({ source, id }, { retryAfter: 10 })
