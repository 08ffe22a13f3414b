import { eq } from 'drizzle-orm'
import { type Alert, alertOf } from '../alerts/alert.ts'
import type { AlertQueue } from '../alerts/alert-queue.ts'
import type { Outbox } from '../alerts/notifications/outbox.ts'
import { raiseAlerts } from '../alerts/raise-alerts.ts'
import type { Db } from '../db/client.ts'
import { runs as runsTable } from '../db/schema.ts'
import type { TellDead } from './lease.ts'
import { failureStated } from './problems.ts'
import type { Runs, RunWork } from './runs.ts'
import { statements } from './statements.ts'

export interface AlertingRunsOptions {
  db: Db
  runs: Runs
  alerts: Pick<AlertQueue, 'raiseFound'>
}

/** The same runs, with an alert for those that fail or are held. Dry runs change nothing, so they raise none. */
export const alertingRuns = ({ db, runs, alerts }: AlertingRunsOptions): Runs => {
  const raise = (id: number, alertOfRun: (run: { id: number; source: string; kind: string }) => Alert): void =>
    alerts.raiseFound(async () => {
      const [run] = await db
        .select({ source: runsTable.source, kind: runsTable.kind, dryRun: runsTable.dryRun })
        .from(runsTable)
        .where(eq(runsTable.id, id))
      return run === undefined || run.dryRun ? null : alertOfRun({ id, ...run })
    })

  const alerting =
    (work: RunWork): RunWork =>
    async (context) => {
      try {
        const outcome = await work(context)
        if (outcome.state === 'held')
          raise(context.id, (run) => alertOf('runHeld', { ...run, because: outcome.heldBecause ?? [] }))
        if (outcome.state === 'failed') {
          const reason = outcome.problems?.at(-1)?.stated ?? statements.see_report()
          raise(context.id, (run) => alertOf('runFailed', { ...run, reason }))
        }
        return outcome
      } catch (error) {
        // A run that was told to end has not failed.
        if (!context.signal.aborted)
          raise(context.id, (run) => alertOf('runFailed', { ...run, reason: failureStated(error) }))
        throw error
      }
    }

  return {
    ...runs,
    report: (run, work, wait) => runs.report(run, alerting(work), wait),
    resume: (id, decidedBy, work, wait) => runs.resume(id, decidedBy, alerting(work), wait),
  }
}

/** Raises the alert of a failed run whose instance is gone and cannot raise it. */
export const deadRunAlerts =
  (outbox: Outbox): TellDead =>
  async (tx, dead) => {
    const failed = dead.filter(({ dryRun }) => !dryRun)
    await raiseAlerts(
      tx,
      outbox,
      failed.map((run) => alertOf('runFailed', { ...run, reason: statements.broken_off() })),
    )
  }
