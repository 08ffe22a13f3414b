import { setTimeout as delay } from 'node:timers/promises'
import { goingOn, requireHighestRank } from '../access/seniority.ts'
import { requireStepUp } from '../access/step-up.ts'
import type { Db } from '../db/client.ts'
import type { Page, PageQuery } from '../db/paging.ts'
import type { RunsHandlers } from '../generated/operations.ts'
import { problem } from '../mirror/comparison/directory-run.ts'
import type { LayoutChange } from '../mirror/directory/layout-change.ts'
import { pendingEntries } from '../mirror/ledger/pending-entries.ts'
import type { Mirror } from '../mirror/open-mirror.ts'
import { reasons } from '../mirror/reasons.ts'
import type { Reconciler } from '../mirror/reconciler.ts'
import { statements } from '../mirror/statements.ts'
import { steadyTime } from '../runtime/clock.ts'
import type { RunRecord } from './run-records.ts'
import { reportOrFailure } from './run-response.ts'
import type { Runs, RunWork } from './runs.ts'

export interface LayoutOptions {
  db: Db
  layoutOf: Mirror['layoutOf']
  directories: Mirror['directories']
  reconciler: Pick<Reconciler, 'wake'>
  runs: Pick<Runs, 'report'>
  find: (runId: number) => Promise<RunRecord>
}

/** The first page of ten, if nothing else is asked for. */
const numbered = ({ pageNum = 1, pageSize = 10 }: PageQuery): Page => ({
  limit: pageSize,
  offset: (pageNum - 1) * pageSize,
})

/** Milliseconds between looks at how far the directory is, and without any group moving until the run ends. */
const pollInterval = 200
const timeout = 60_000

/**
 * The directories, with what waits for each; the layout of groups, and its change to that of the settings: a run that the
 * reconciler carries out.
 */
export const layoutHandlers = ({
  db,
  layoutOf,
  directories,
  reconciler,
  runs,
  find,
}: LayoutOptions): Pick<
  RunsHandlers,
  'listDirectories' | 'listPendingEntries' | 'getGroupLayout' | 'changeGroupLayout'
> => {
  const layout = (number: number): LayoutChange => {
    const found = layoutOf(number)
    if (found === null) throw reasons.no_such_directory.at('directory', { number })
    return found
  }
  return {
    listDirectories: async () => ({ directories: await directories() }),

    async listPendingEntries({ params: { directory }, query: { state, ...paging } }) {
      layout(directory)
      return pendingEntries(db, directory, { state, ...numbered(paging) })
    },

    async getGroupLayout({ params, query, user }) {
      await requireHighestRank(db, user)
      const { hash, moves, ...plan } = await layout(params.directory).plan()
      const { limit, offset } = numbered(query)
      const shown = moves.slice(offset, offset + limit).map(({ id, name, ...move }) => ({
        ...{ groupId: id, groupName: name },
        ...move,
      }))
      return { ...plan, planHash: hash, total: moves.length, moves: shown }
    },

    async changeGroupLayout({ params, body: { planHash, confirmed = false }, user }) {
      await requireHighestRank(db, user)
      await requireStepUp(db, user)
      const change = layout(params.directory)
      const total = await change.begin(planHash, confirmed, user)
      reconciler.wake()
      // What was committed goes on.
      const author = goingOn(user)
      const run = { source: 'sql', kind: 'groups', exclusive: false, creator: user.username, author } as const
      const { runId } = await runs.report(run, following(change, total))
      return reportOrFailure(await find(runId))
    },
  }
}

/** Waits until the reconciler has moved the groups; those of a server that is slow or refuses follow by themselves. */
const following =
  (change: LayoutChange, total: number): RunWork =>
  async ({ signal, progress }) => {
    let last = { waiting: Number.POSITIVE_INFINITY, at: steadyTime() }
    for (;;) {
      signal.throwIfAborted()
      const { waiting, problems } = await change.state()
      const done = Math.max(0, total - waiting)
      progress('mirroring', done, total)
      if (waiting < last.waiting) last = { waiting, at: steadyTime() }
      const isSlow = steadyTime() - last.at > timeout
      // Those that are retried soon come first.
      const isParked = problems[0]?.isParked === true
      if (waiting === 0 || isParked || isSlow) {
        const shown = problems.map(({ isParked: _, ...each }) => each)
        const slow = problem({
          ...{ sourceId: '', name: '', step: 'write' },
          ...{ stated: statements.layout_slow(), advised: statements.follows_later() },
        })
        return { state: 'done', total, moved: done, failed: waiting, problems: isSlow ? [slow, ...shown] : shown }
      }
      await delay(pollInterval, undefined, { signal })
    }
  }
