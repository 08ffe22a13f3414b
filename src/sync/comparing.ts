import type { DirectoryRun } from '../mirror/directory-run.ts'
import type { Reconciler } from '../mirror/reconciler.ts'
import type { RunOutcome } from './runs.ts'

/** A comparison of directory and SQL, with its result, in the shape of a run. */
export const comparing = async (
  reconciler: Pick<Reconciler, 'synchronize'>,
  ...what: Parameters<Reconciler['synchronize']>
): Promise<RunOutcome> => outcomeOf(await reconciler.synchronize(...what))

const outcomeOf = ({ completed, ...counts }: DirectoryRun): RunOutcome => ({
  state: completed ? 'done' : 'failed',
  ...counts,
})
