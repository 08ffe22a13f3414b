import { requireStepUp } from '../access/step-up.ts'
import { changeRecords } from '../db/change-records.ts'
import type { Db } from '../db/client.ts'
import { pageOf } from '../db/paging.ts'
import type { RunsHandlers } from '../generated/operations.ts'
import type { Mirror } from '../mirror/open-mirror.ts'
import type { Reconciler } from '../mirror/reconciler.ts'
import { foreseeing } from './foreseeing.ts'
import { hiddenFrom } from './hidden-values.ts'
import type { Importer } from './importer.ts'
import { layoutHandlers } from './layout-handlers.ts'
import { reasons } from './reasons.ts'
import { type RunRecord, runRecords } from './run-records.ts'
import { recordKindOf } from './run-request.ts'
import { reportOrFailure } from './run-response.ts'
import { comparing } from './run-start-handlers.ts'
import type { Runs } from './runs.ts'

export interface RunsOptions {
  db: Db
  importer: Pick<Importer, 'confirm' | 'discard'>
  runs: Pick<Runs, 'report'>
  reconciler: Pick<Reconciler, 'synchronize' | 'foresee' | 'wake'>
  layoutOf: Mirror['layoutOf']
  directories: Mirror['directories']
}

async function* eachOf<T>(batches: AsyncIterable<T[]>, shown: (one: T) => T): AsyncGenerator<T[], void, undefined> {
  for await (const batch of batches) yield batch.map(shown)
}

/** Reports of runs, and the decisions about held ones. */
export const runsHandlers = ({ db, importer, runs, reconciler, layoutOf, directories }: RunsOptions): RunsHandlers => {
  const records = runRecords(db)
  const changes = changeRecords(db)

  const find = async (id: number): Promise<RunRecord> => {
    const run = await records.find(id)
    if (run === null) throw reasons.run_not_found.at('id', { id })
    return run
  }

  return {
    async listRuns({ query }) {
      const page = pageOf(query)
      return page === null ? { runs: records.all(query) } : records.page(query, page)
    },

    async compareDirectory({ body: { kind, dryRun = false }, user }) {
      const run = { source: 'sql', kind, exclusive: true, dryRun, creator: user.username, author: user } as const
      const of = recordKindOf(kind)
      const { runId } = await runs.report(
        run,
        dryRun ? foreseeing(db, reconciler, of) : comparing(reconciler, of, 'all'),
      )
      return reportOrFailure(await find(runId))
    },

    ...layoutHandlers({ db, layoutOf, directories, reconciler, runs, find }),

    getRun: ({ params: { id } }) => find(id),

    async listRunChanges({ params: { id }, query, user }) {
      const shown = await hiddenFrom(db, await find(id), user)
      const page = pageOf(query)
      if (page === null) return { changes: eachOf(changes.all(id, query), shown) }
      const { total, changes: listed } = await changes.page(id, query, page)
      return { total, changes: listed.map(shown) }
    },

    async confirmRun({ params: { id }, body: { planHash }, user }) {
      await requireStepUp(db, user)
      await importer.confirm(id, planHash, { username: user.username, actor: user })
      return reportOrFailure(await find(id))
    },

    async discardRun({ params: { id }, user }) {
      await requireStepUp(db, user)
      await importer.discard(id, { username: user.username, actor: user })
      return find(id)
    },
  }
}
