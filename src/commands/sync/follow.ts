import { setTimeout as delay } from 'node:timers/promises'
import type { Db } from '../../db/client.ts'
import { type RunRecord, runRecords } from '../../sync/run-records.ts'
import type { Progress } from './progress.ts'

/** Milliseconds between looks at a run. */
const lookInterval = 250

export interface FollowOptions {
  db: Db
  progress: Progress
  /** Once it aborts, a run of another instance is followed no longer; one of this instance ends by itself. */
  signal: AbortSignal
}

/** Looks at a run until it ends, and shows how far it is. */
export const follow = async (runId: number, { db, progress, signal }: FollowOptions): Promise<RunRecord> => {
  const records = runRecords(db)
  for (;;) {
    const run = await records.find(runId)
    if (run === null) throw new Error(`Run ${runId} is gone`)
    if (run.state !== 'running' || signal.aborted) return run
    progress.show(run)
    await delay(lookInterval, undefined, { signal }).catch(() => undefined)
  }
}
