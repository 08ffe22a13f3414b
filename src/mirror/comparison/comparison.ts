import type { DirectoryError } from '../../ldap/directory-error.ts'
import type { Logger } from '../../runtime/log.ts'
import { statements } from '../statements.ts'
import type { RecordKind } from '../touch.ts'
import { emptyRun, isOfOrphan, type Running } from './directory-run.ts'

/** When all records are compared with the directory, and what is reported. */
export interface Comparison {
  /** An entry is missing in the directory: a comparison of all records starts soon. */
  want(): void
  /** A group was found that was moved in the directory: a comparison in progress is followed by another one. */
  foundMoved(): void
  isWanted(): boolean
  /** The comparison is not possible: due records are written without it. */
  giveUp(): void
  /** @throws DirectoryError */
  compareEverything(): Promise<Compared>
}

/** What a comparison of all records found and did not repair. */
export interface Compared {
  /** Entries of people that belong to no record: the DNs of the first ones, and the number of all. */
  peopleWithoutRecord: { total: number; names: readonly string[] }
}

export const nothingFound: Compared = { peopleWithoutRecord: { total: 0, names: [] } }

export interface ComparisonOptions {
  compare: (run: Running, kind: RecordKind) => Promise<void>
  compareServices: () => Promise<void>
  /** Called when a comparison is requested. */
  wake: () => void
  log: Logger
}

const problemsLogged = 5

/** @returns what a run found that is reported to administrators; null: nothing, or the same as was reported last */
export type DriftReport = (kind: RecordKind, run: Running) => Record<string, unknown> | null

/** Remembers the last report of each kind: what is only reported and not repaired would be reported at each run. */
export const openDriftReport = (): DriftReport => {
  const reported = new Map<RecordKind, string>()
  return (kind, { completed, problems, counted, seenUnchanged, takesAll, progress: _, ...counts }) => {
    const repaired = counts.added + counts.updated + counts.moved
    if (repaired + counts.failed + counts.skipped === 0) return null
    const report = JSON.stringify([counts.failed, counts.skipped, problems])
    if (repaired === 0 && reported.get(kind) === report) return null
    reported.set(kind, report)
    return { kind, ...counts, problems: problems.slice(0, problemsLogged) }
  }
}

/** What an administrator can do where the directory answers, and refuses to be read. */
export const logUncompared = (log: Pick<Logger, 'error'>, { message }: DirectoryError): void =>
  log.error(
    { reason: message },
    `the directory cannot be compared with the database: ${statements.let_read_all().text}`,
  )

const withoutRecord = ({ skipped, problems }: Running): Compared['peopleWithoutRecord'] => ({
  total: skipped,
  names: problems.filter(isOfOrphan).map(({ name }) => name),
})

export const openComparison = ({ compare, compareServices, wake, log }: ComparisonOptions): Comparison => {
  let wanted = false
  /** The number of groups found that were moved in the directory. */
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
      let found = nothingFound
      await compareServices()
      for (const kind of ['user', 'group'] as const) {
        const run = emptyRun()
        await compare(run, kind)
        if (kind === 'user') found = { peopleWithoutRecord: withoutRecord(run) }
        const report = reportOf(kind, run)
        if (report !== null) log.warn(report, 'the directory had drifted')
      }
      // Missing entries were written again, so only entries found missing from now on count. A moved group may have
      // been at the DN of other entries, or have moved them with it.
      wanted = moves !== before
      return found
    },
  }
}
