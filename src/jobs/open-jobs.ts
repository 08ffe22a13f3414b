// The room jobs.
// Periodic work: each job runs on one instance at a time, and a missed run is made up for after a stop.
// It never knows what a job does.

import type { Database } from '../db/client.ts'
import type { Lifetime } from '../runtime/lifetime.ts'
import type { Logger } from '../runtime/log.ts'
import { type Job, openSchedule, type Schedule } from './schedule.ts'
import { openTasks, type Tasks } from './tasks.ts'

export interface JobsOptions extends Pick<Lifetime, 'atEnd'> {
  database: Pick<Database, 'db' | 'kind'>
  log: Logger
}

export interface Jobs {
  /** Long work that a caller can follow. */
  tasks: Tasks
  /** What the clock starts; it ends before everything that is open by now. */
  schedule(jobs: readonly Job[]): Schedule
}

export const openJobs = ({ database, atEnd, log }: JobsOptions): Jobs => ({
  tasks: openTasks({ database, log }),
  schedule(jobs) {
    const schedule = openSchedule({ db: database.db, jobs, log })
    atEnd(schedule.stop)
    return schedule
  },
})
