import { logKeys } from '../audit/keys.ts'
import { contentsOf, countRows, digestOf } from '../backups/tables/copy-tables.ts'
import { ofSource } from '../backups/tables/source-error.ts'
import type { Config } from '../config/config.ts'
import type { Database } from '../db/client.ts'
import { DiskFullError } from '../db/embedded/free-space.ts'
import { noteMoved } from '../db/embedded/moved-away.ts'
import { readMoveClaim } from '../db/move-claim.ts'
import { ConfigError } from '../failures/errors.ts'
import { logSecrets } from '../secrets/secrets.ts'
import { stewardCommand } from '../terminal/command-name.ts'
import { runCommand } from '../terminal/run-command.ts'
import { table } from '../terminal/table.ts'
import { UsageError } from '../terminal/usage-error.ts'
import { type MoveArguments, readArguments, usage } from './move/arguments.ts'
import { examineTarget, openSource, openTarget, type Source } from './move/ends.ts'
import { failureText, type Place } from './move/failure-text.ts'
import { stepsAfterCopy, stepsAfterMove, withoutPassword } from './move/next-steps.ts'
import { tenths } from './move/progress.ts'
import { transfer } from './move/transfer.ts'
import { beginTrial, settleTrial } from './move/trial-folder.ts'
import { readConfig } from './read-config.ts'

const { stdout, stderr } = process

const print = (...lines: string[]): void => void stdout.write(`${lines.join('\n')}\n`)
const report = (line: string): void => void stderr.write(`${line}\n`)

const nameOf = (to: MoveArguments['to']): string => (to.kind === 'server' ? withoutPassword(to.url) : to.dataDir)

/** For what is said of a failure. */
let place: Place | null = null

const placeOf = (to: MoveArguments['to'], { databaseUrl, dataDir }: Config): Place => ({
  target: nameOf(to),
  source: databaseUrl === null ? dataDir : withoutPassword(databaseUrl),
  folders: [...(to.kind === 'trial' ? [to.dataDir] : []), ...(databaseUrl === null ? [dataDir] : [])],
})

/** Says what would be moved and what is in the way. */
const dryRun = async ({ to }: MoveArguments, config: Config): Promise<void> => {
  const problems: string[] = []
  const keep = async <T>(work: Promise<T>): Promise<T | null> =>
    work.catch((error: unknown) => {
      if (!(error instanceof ConfigError)) throw error
      problems.push(...error.problems)
      return null
    })
  const source = await keep(ofSource(openSource(config, to.kind === 'server')))
  try {
    if (source !== null) {
      const rows = [...(await ofSource(countRows(source.db)))].map(([name, count]) => [name, String(count)])
      print(`To ${nameOf(to)} would be copied:`, '')
      print(...table([{ title: 'table' }, { title: 'rows', align: 'right' }], rows), '')
    }
    problems.push(...((await keep(examineTarget(to, source?.identity ?? null))) ?? []))
  } finally {
    await source?.close()
  }
  if (problems.length > 0) throw new ConfigError(problems)
  print('Nothing is in the way. Nothing was changed.')
}

/**
 * Whether an earlier move had finished here, and the source holds what it held then: only the last step may be missing.
 * @param rows of the source, for the progress
 */
const isFinished = async (source: Source, target: Database, rows: number): Promise<boolean> => {
  const claim = await readMoveClaim(target.db.$client)
  if (claim === null || claim.finishedAt === null) return false
  const now = await ofSource(contentsOf(source.db, tenths(report, 'Comparing with the earlier run', rows)))
  if (claim.contents === digestOf(now)) return true
  throw new ConfigError([
    `--to: everything was copied there at ${claim.finishedAt.toISOString()}, and the installation was used since; name an empty target for another copy`,
  ])
}

const copy = async (source: Source, to: MoveArguments['to'], config: Config): Promise<string[]> => {
  const counts = await ofSource(countRows(source.db))
  const rows = [...counts.values()].reduce((sum, each) => sum + each, 0)
  const keys = logKeys(logSecrets(config.dataDir, config))
  if (to.kind === 'trial') beginTrial(to.dataDir)
  const target = await openTarget(to, source.identity)
  try {
    if (await isFinished(source, target, rows)) return ['An earlier run had copied and compared everything.']
    const isTrial = to.kind === 'trial'
    const lacks = isTrial ? settleTrial(to.dataDir, config) : []
    const isShared = source.kind === 'postgres'
    const done = await transfer({ from: source.db, to: target.db, isTrial, isShared, keys, rows, print: report })
    return [
      `Copied to ${nameOf(to)}: ${done.rows} rows of ${done.tables} tables; both sides hold the same.`,
      done.logProblem === null
        ? `Operation log: ${done.entries} entries are as they were written.`
        : `Operation log: copied as it is. It was not intact before: ${done.logProblem}.`,
      ...lacks,
    ]
  } finally {
    await target.close()
  }
}

/** `steward move`: the exit codes are in the usage. */
const main = async (): Promise<void> => {
  // The command line may have a password, which ps shows to every user of the machine.
  process.title = 'steward move'
  const wanted = readArguments(process.argv.slice(2))
  if (wanted === null) return print(usage)
  const { to } = wanted
  const config = readConfig()
  place = placeOf(to, config)
  if (wanted.dryRun) return dryRun(wanted, config)
  const problems = await examineTarget(to, null)
  if (problems.length > 0) throw new ConfigError(problems)
  const source = await ofSource(openSource(config, to.kind === 'server'))
  try {
    print(...(await copy(source, to, config)), '')
  } finally {
    await source.close()
  }
  if (to.kind === 'trial') return print(...stepsAfterCopy(to.dataDir, stewardCommand()))
  if (config.databaseUrl === null) noteMoved(config.dataDir)
  print(...stepsAfterMove(to.url, config))
}

const fail = (error: unknown): void => {
  report(failureText(error, place))
  const isRefused = error instanceof UsageError || (error instanceof ConfigError && !(error instanceof DiskFullError))
  process.exitCode = isRefused ? 2 : 1
}

runCommand(main, fail)
