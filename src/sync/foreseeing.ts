import type { Db } from '../db/client.ts'
import { runChanges } from '../db/schema.ts'
import type { Foreseen } from '../mirror/comparison/foreseen.ts'
import type { Reconciler } from '../mirror/reconciler.ts'
import type { RecordKind } from '../mirror/touch.ts'
import { outcomeOf } from './run-start-handlers.ts'
import type { RunWork } from './runs.ts'

/** Rows of one statement. */
const rowsAtOnce = 500

/** The dry run of a comparison: what it would do is stored as the plan of the run, and nothing else is written. */
export const foreseeing =
  (db: Db, reconciler: Pick<Reconciler, 'foresee'>, kind: RecordKind): RunWork =>
  async ({ id: runId, signal, progress }) => {
    let seq = 0
    const onChanges = async (changes: readonly Foreseen[]): Promise<void> => {
      const rows = changes.map((change) => ({ runId, seq: ++seq, ...rowOf(change) }))
      for (let from = 0; from < rows.length; from += rowsAtOnce) {
        await db.insert(runChanges).values(rows.slice(from, from + rowsAtOnce))
      }
    }
    const outcome = outcomeOf(
      await reconciler.foresee(kind, {
        ...{ onChanges, signal },
        progress: (done, of) => progress(of === null ? 'reading' : 'comparing', done, of),
      }),
    )
    return outcome.state === 'done' ? { ...outcome, state: 'planned' } : outcome
  }

const rowOf = ({ id, name, action, before, after, obstacle, note }: Foreseen) => {
  const stated = obstacle ?? note
  return {
    ...{ action, name, before, after, stated },
    ...{ sourceId: String(id), recordId: id, nameKey: '' },
    state: obstacle === null ? 'planned' : 'failed',
    reason: stated?.text ?? '',
  }
}
