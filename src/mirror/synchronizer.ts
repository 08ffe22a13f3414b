import { DirectoryError } from '../ldap/directory-error.ts'
import type { Availability } from './availability.ts'
import { type DirectoryRun, type DirectoryRuns, emptyRun, problem, type Running } from './comparison/directory-run.ts'
import type { Reconciler } from './reconciler.ts'
import { statements } from './statements.ts'

/** What a run comes to. Errors of the directory are among its problems. */
export const reporting = async (
  run: Running,
  work: (run: Running) => Promise<void>,
  { lost }: Pick<SynchronizerOptions, 'lost'>,
): Promise<DirectoryRun> => {
  try {
    await work(run)
  } catch (error) {
    if (!(error instanceof DirectoryError)) throw error
    run.completed = false
    const stated = statements.refused({ problem: error.stated })
    if (error.kind === 'unavailable') await lost(error)
    const [step, advised] =
      error.kind === 'unavailable'
        ? (['connect', statements.follows_later()] as const)
        : (['compare', statements.let_read_all()] as const)
    run.problems.push(problem({ sourceId: '', name: '', step, stated, advised }))
  }
  const { counted, seenUnchanged, takesAll, progress: _, ...report } = run
  return report
}

interface SynchronizerOptions {
  runs: DirectoryRuns
  ready: Availability['ready']
  lost: (error: DirectoryError) => Promise<void>
}

/** Runs on request. */
export const openSynchronizer = ({ runs, ready, lost }: SynchronizerOptions) => {
  /** Runs in progress that count what they do. */
  let busy = 0
  const synchronize: Reconciler['synchronize'] = async (kind, which, progress) => {
    const work = async (run: Running): Promise<void> => {
      await ready()
      if (which === 'all') await runs.everything(run, kind)
      else if (which === 'pending') await runs.pending(run, kind)
      else await runs.named(run, kind, which)
    }
    busy++
    try {
      return await reporting(emptyRun(progress), work, { lost })
    } finally {
      busy--
    }
  }
  return { synchronize, isBusy: () => busy > 0 }
}
