import { eq, sql } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { type RunProblem, runs } from '../db/schema.ts'
import { AppError } from '../errors.ts'
import type { components } from '../generated/directory.types.ts'
import { DirectoryError } from '../ldap/directory-error.ts'
import type { Logger } from '../log.ts'
import { instantText, jsonObject } from './record-sql.ts'

export type RunReport = components['schemas']['RunReport']

/** What a run did, counted in records. What is left out is 0. */
export interface RunOutcome {
  state: 'done' | 'held' | 'failed'
  total?: number
  added?: number
  updated?: number
  moved?: number
  disabled?: number
  unchanged?: number
  skipped?: number
  failed?: number
  held?: number
  /** The first 100 are kept. */
  problems?: RunProblem[]
}

export interface Run {
  source: RunReport['source']
  kind: RunReport['kind']
  /** Whether it covers all there is, so that a second request may wait for this one instead of starting its own. */
  whole: boolean
  /** The username of who asked for it. */
  creator: string
}

export interface Runs {
  /**
   * Starts a run, or joins the whole one under way for this source and kind. Answers the report once the run ends, or
   * after `wait` as it is by then; the run goes on.
   */
  report(run: Run, work: () => Promise<RunOutcome>): Promise<RunReport>
  /** Waits until no run is under way; call it before closing what runs work on. */
  settled(): Promise<void>
}

interface UnderWay {
  id: number
  ended: Promise<void>
}

const problemsKept = 100

const record = jsonObject<RunReport>({
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

/** @param wait milliseconds a request waits for its run */
export const openRuns = ({ db, wait, log }: { db: Db; wait: number; log: Logger }): Runs => {
  const whole = new Map<string, Promise<UnderWay>>()
  const underWay = new Set<Promise<void>>()

  const begin = async ({ source, kind, creator }: Run, work: () => Promise<RunOutcome>): Promise<UnderWay> => {
    const [row] = await db.insert(runs).values({ source, kind, creator, state: 'running' }).returning({ id: runs.id })
    if (row === undefined) throw new Error('The insert answered no row')
    const ended = carryOut(row.id, work).finally(() => underWay.delete(ended))
    underWay.add(ended)
    return { id: row.id, ended }
  }

  const carryOut = async (id: number, work: () => Promise<RunOutcome>): Promise<void> => {
    try {
      const { problems = [], ...outcome } = await work().catch(failure)
      const kept = problems.slice(0, problemsKept)
      await db
        .update(runs)
        .set({ ...outcome, problems: kept, finishedAt: sql`now()` })
        .where(eq(runs.id, id))
    } catch (error) {
      log.error({ err: error, run: id }, 'the end of a run could not be recorded')
    }
  }

  const failure = (error: unknown): RunOutcome => {
    log.error({ err: error }, 'a run failed')
    return { state: 'failed', problems: [problemOf(error)] }
  }

  const beginOrJoin = async (run: Run, work: () => Promise<RunOutcome>): Promise<UnderWay> => {
    if (!run.whole) return begin(run, work)
    const key = `${run.source} ${run.kind}`
    const joined = whole.get(key)
    if (joined) return joined
    const begun = begin(run, work)
    whole.set(key, begun)
    const forget = (): boolean => whole.delete(key)
    begun.then(({ ended }) => ended.finally(forget), forget)
    return begun
  }

  return {
    async report(run, work) {
      const { id, ended } = await beginOrJoin(run, work)
      await within(wait, ended)
      const [row] = await db.select({ report: record }).from(runs).where(eq(runs.id, id))
      if (row === undefined) throw new Error(`Run ${id} is gone`)
      return row.report
    },
    async settled() {
      await Promise.all(underWay)
    },
  }
}

/** What a run that broke off says about it; the text of an error that is not meant for clients stays in the log. */
const problemOf = (error: unknown): RunProblem => ({
  sourceId: '',
  name: '',
  step: 'run',
  reason: error instanceof DirectoryError || error instanceof AppError ? error.message : 'an internal error',
  advice: 'Start it again once the cause is gone; what it has done so far is kept',
})

const within = async (milliseconds: number, work: Promise<void>): Promise<void> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds)
  })
  await Promise.race([work, late]).finally(() => clearTimeout(timer))
}
