import { eq } from 'drizzle-orm'
import type { Alarm } from '../alerts/alarm.ts'
import type { Outbox } from '../alerts/notifications/outbox.ts'
import type { Alarms } from '../alerts/open-alarms.ts'
import { raiseAlerts } from '../alerts/raise-alerts.ts'
import type { Db } from '../db/client.ts'
import { runs as runsTable } from '../db/schema.ts'
import { AppError } from '../errors.ts'
import { DirectoryError } from '../ldap/directory-error.ts'
import { SourceError } from '../sources/source.ts'
import { brokenOff, type TellDead } from './lease.ts'
import type { Runs, RunWork } from './runs.ts'

export interface AlarmedRunsOptions {
  db: Db
  runs: Runs
  alarms: Pick<Alarms, 'raiseFound'>
}

/** The same runs, with an alarm for those that fail or are held. Dry runs change nothing, so they alarm nobody. */
export const alarmedRuns = ({ db, runs, alarms }: AlarmedRunsOptions): Runs => {
  const raise = (id: number, alarmOf: (run: AlarmingRun) => Omit<Alarm, 'level'>): void =>
    alarms.raiseFound(async () => {
      const [run] = await db
        .select({ source: runsTable.source, kind: runsTable.kind, dryRun: runsTable.dryRun })
        .from(runsTable)
        .where(eq(runsTable.id, id))
      if (run === undefined || run.dryRun) return null
      return { ...alarmOf({ id, ...run }), level: 'warning', location: run.source }
    })

  const alarming =
    (work: RunWork): RunWork =>
    async (context) => {
      try {
        const outcome = await work(context)
        if (outcome.state === 'held') raise(context.id, (run) => heldAlarm(run, outcome.heldBecause ?? []))
        if (outcome.state === 'failed') raise(context.id, (run) => failedAlarm(run, outcome.problems?.at(-1)?.reason))
        return outcome
      } catch (error) {
        // A run that was told to end has not failed; whoever told it to knows.
        if (!context.signal.aborted) raise(context.id, (run) => failedAlarm(run, reasonOf(error)))
        throw error
      }
    }

  return {
    ...runs,
    report: (run, work, wait) => runs.report(run, alarming(work), wait),
    resume: (id, decidedBy, work, wait) => runs.resume(id, decidedBy, alarming(work), wait),
  }
}

/** Raises the alarm of a failed run for those whose instance is gone, which can raise none. */
export const deadRunAlarms =
  (outbox: Outbox): TellDead =>
  async (tx, dead) => {
    const alarms = dead
      .filter(({ dryRun }) => !dryRun)
      .map((run): Alarm => ({ ...failedAlarm(run, brokenOff.reason), level: 'warning', location: run.source }))
    await raiseAlerts(tx, outbox, [...new Map(alarms.map((alarm) => [alarm.cause, alarm])).values()])
  }

interface AlarmingRun {
  id: number
  source: string
  kind: string
}

const heldAlarm = ({ id, source, kind }: AlarmingRun, because: readonly string[]): Omit<Alarm, 'level'> => ({
  cause: `run held ${source} ${kind}`,
  title: 'A run is held',
  description: [`Run ${id} (${source}, ${kind}) waits for somebody to confirm or discard its plan`, ...because].join(
    '. ',
  ),
})

const failedAlarm = ({ id, source, kind }: AlarmingRun, reason = 'see its report'): Omit<Alarm, 'level'> => ({
  cause: `run failed ${source} ${kind}`,
  title: 'A run failed',
  description: `Run ${id} (${source}, ${kind}) failed: ${reason}`,
})

const reasonOf = (error: unknown): string =>
  error instanceof SourceError || error instanceof DirectoryError || error instanceof AppError
    ? error.message
    : 'an internal error'
