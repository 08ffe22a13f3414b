import type { Logger } from '../log.ts'
import { emptyRun, type Running } from './directory-run.ts'
import type { RecordKind } from './touch.ts'

/** When everything is compared with the directory, and what is told of it. */
export interface Comparison {
  /** Something is not in the directory that should be: everything is compared soon. */
  want(): void
  /** A group was found that had been moved there: a comparison under way is followed by another one. */
  foundMoved(): void
  isWanted(): boolean
  /** It cannot be made: what is due goes on without it. */
  giveUp(): void
  /** @throws DirectoryError */
  compareEverything(): Promise<void>
}

export interface ComparisonOptions {
  compare: (run: Running, kind: RecordKind) => Promise<void>
  /** Called when it becomes wanted. */
  wake: () => void
  log: Logger
}

const problemsLogged = 5

/** @returns what a run found that an administrator is told of; null: nothing, or the same as was told last */
export type DriftReport = (kind: RecordKind, run: Running) => Record<string, unknown> | null

/** Remembers what was told, for each kind: what is only reported, and not repaired, is the same each time. */
export const openDriftReport = (): DriftReport => {
  const reported = new Map<RecordKind, string>()
  return (kind, { completed, problems, counted, seenUnchanged, takesAll, ...counts }) => {
    const repaired = counts.added + counts.updated + counts.moved
    if (repaired + counts.failed + counts.skipped === 0) return null
    const report = JSON.stringify([counts.failed, counts.skipped, problems])
    if (repaired === 0 && reported.get(kind) === report) return null
    reported.set(kind, report)
    return { kind, ...counts, problems: problems.slice(0, problemsLogged) }
  }
}

export const openComparison = ({ compare, wake, log }: ComparisonOptions): Comparison => {
  let wanted = false
  /** How often a group was found that had been moved. */
  let moves = 0
  const reportOf = openDriftReport()
  const want = (): void => {
    wanted = true
    wake()
  }
  return {
    want,
    foundMoved() {
      moves++
      want()
    },
    isWanted: () => wanted,
    giveUp() {
      wanted = false
    },
    async compareEverything() {
      const before = moves
      for (const kind of ['user', 'group'] as const) {
        const run = emptyRun()
        await compare(run, kind)
        const report = reportOf(kind, run)
        if (report !== null) log.warn(report, 'the directory had drifted')
      }
      // What was missing is there again; only what is found missing from now on is news. What was moved may have stood in
      // the way of others, or taken them along.
      wanted = moves !== before
    },
  }
}
