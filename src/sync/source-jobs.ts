import { setTimeout as sleep } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import { orAborted } from '../concurrency/abort.ts'
import type { Db } from '../db/client.ts'
import { type RunProblem, runs } from '../db/schema.ts'
import type { Job } from '../jobs/schedule.ts'
import type { Logger } from '../runtime/log.ts'
import { type Slot, slots } from '../sources/slot.ts'
import type { Importer } from './importer.ts'
import { reasons } from './reasons.ts'
import type { RunKind } from './run-request.ts'
import { statements } from './statements.ts'

const kinds = { groups: statements.groups, users: statements.users }

/** Milliseconds to wait for another run of the source before this time is skipped. */
const timeout = 600_000
/** Milliseconds between reads of a run. */
const pollInterval = 1000

export interface SourceJobsOptions {
  db: Db
  importer: Pick<Importer, 'run'>
  /** Cron expressions; null: no schedule. */
  schedules: Readonly<Record<Slot, string | null>>
  timeZone: string
  log: Logger
}

/** The name of a source's job in the schedule. */
export const sourceJobName = (slot: Slot): string => `sync ${slot}`

/**
 * A job for each source that has a schedule: first its departments, then its people. People are skipped when the
 * departments could not be imported, because they belong to them. Held departments do not delay people.
 */
export const sourceJobs = ({ db, importer, schedules, timeZone, log }: SourceJobsOptions): Job[] => {
  const complete = async (slot: Slot, kind: RunKind, signal: AbortSignal): Promise<Ended> => {
    // It does not join another run: changes that are held there for a lower rank would stay held until the next time.
    const request = { slot, kind, dryRun: false, creator: 'schedule', actor: 'operator', joins: false } as const
    // A run of another instance continues after a stop of this one.
    const { runId } = await orAborted(importer.run(request, timeout), signal)
    for (;;) {
      const ended = await endOf(db, runId)
      if (ended.state !== 'running') return ended
      await sleep(pollInterval, undefined, { signal })
    }
  }

  const carryOut = async (slot: Slot, signal: AbortSignal): Promise<void> => {
    for (const kind of ['groups', 'users'] as const) {
      const { id, state, problems } = await complete(slot, kind, signal)
      if (state === 'failed') {
        if (kind === 'groups') {
          log.warn({ source: slot, run: id }, 'the departments could not be imported, so people are left out as well')
        }
        const last = problems.at(-1)
        const problem = last === undefined ? statements.see_report() : (last.stated ?? last.reason)
        throw reasons.scheduled_run_failed({ id, kind: kinds[kind](), problem })
      }
      if (state === 'held') log.warn({ source: slot, run: id, kind }, 'a run is held and waits for a decision')
    }
  }

  return slots.flatMap((slot): Job[] => {
    const cron = schedules[slot]
    if (cron === null) return []
    return [{ name: sourceJobName(slot), cron, timeZone, run: (signal) => carryOut(slot, signal) }]
  })
}

interface Ended {
  id: number
  state: string
  problems: RunProblem[]
}

const endOf = async (db: Db, runId: number): Promise<Ended> => {
  const [row] = await db
    .select({ id: runs.id, state: runs.state, problems: runs.problems })
    .from(runs)
    .where(eq(runs.id, runId))
  if (row === undefined) throw new Error(`Run ${runId} is gone`)
  return row
}
