import { setTimeout as delay } from 'node:timers/promises'
import type { Db } from '../../db/client.ts'
import { type RunRecord, runRecords } from '../../sync/run-records.ts'
import type { Progress } from './progress.ts'

/** Milliseconds between reads of a run. */
const pollInterval = 250

export interface FollowOptions {
  db: Db
  progress: Progress
  /** When it aborts, a run of another instance is no longer followed; one of this instance ends by itself. */
  signal: AbortSignal
}

/** Reads a run until it ends, and shows its progress. */
export const follow = async (runId: number, { db, progress, signal }: FollowOptions): Promise<RunRecord> => {
  const records = runRecords(db)
  for (;;) {
    const run = await records.find(runId)
    if (run === null) throw new Error(`Run ${runId} is gone`)
    if (run.state !== 'running' || signal.aborted) return run
    progress.show(run)
    await delay(pollInterval, undefined, { signal }).catch(() => undefined)
  }
}
