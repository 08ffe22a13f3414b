import type { Db } from '../db/client.ts'
import type { components } from '../generated/operations.types.ts'
import { nextDue } from '../jobs/cron.ts'
import { jobStates } from '../jobs/job-states.ts'
import { currentTime } from '../runtime/clock.ts'
import type { SourcesConfig } from '../sources/settings.ts'
import { slots } from '../sources/slot.ts'
import { sourceJobName } from './source-jobs.ts'

export type ScheduleState = components['schemas']['Schedule']

export interface ScheduleStatesOptions {
  db: Db
  config: Pick<SourcesConfig, 'schedules'> & { timeZone: string }
}

/** The states of the sources' schedules, in the shape of the contract. */
export const scheduleStates = async ({
  db,
  config: { schedules, timeZone },
}: ScheduleStatesOptions): Promise<ScheduleState[]> => {
  const scheduled = slots.filter((slot) => schedules[slot] !== null)
  const states = await jobStates(db, scheduled.map(sourceJobName))
  return scheduled.map((source) => {
    const cron = String(schedules[source])
    const state = states.get(sourceJobName(source))
    // While it is running the row still has the time at which it was due.
    const next = state && !state.running ? state.nextRunAt : nextDue(cron, timeZone, new Date(currentTime()))
    return {
      source,
      cron,
      timeZone,
      nextRunAt: next.toISOString(),
      running: state?.running ?? false,
      lastOkAt: state?.lastOkAt?.toISOString() ?? null,
      lastError: state?.lastError ?? '',
      stated: state?.stated ?? null,
    }
  })
}
