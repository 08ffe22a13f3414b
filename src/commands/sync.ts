// The room commands.
// What is started from a shell: the command steward, and each of its commands by npm run.
// They never do what the service could not do.

import { styleText } from 'node:util'
import type { Config } from '../config/config.ts'
import { ConfigError } from '../failures/errors.ts'
import type { ErrorRecord, Logger } from '../runtime/log.ts'
import { requiredVariables } from '../sources/settings.ts'
import type { RunRecord } from '../sync/run-records.ts'
import { failWith, runCommand } from '../terminal/run-command.ts'
import { UsageError } from '../terminal/usage-error.ts'
import { readConfig } from './read-config.ts'
import { readArguments, type SyncArguments, usage } from './sync/arguments.ts'
import { follow } from './sync/follow.ts'
import { type Instance, openInstance } from './sync/instance.ts'
import { planTable } from './sync/plan.ts'
import { openProgress, type Progress } from './sync/progress.ts'
import { exitCodeOf, heldLines, leftOutLines, problemLines, reportTable } from './sync/report.ts'
import { kindName } from './sync/words.ts'

const { stdout, stderr } = process

/** The username of runs that are started here. */
const creator = 'terminal'

const print = (...lines: string[]): void => {
  if (lines.length > 0) stdout.write(`${lines.join('\n')}\n`)
}

const title = (text: string): string => (stdout.isTTY && stdout.hasColors() ? styleText('bold', text) : text)

/** Errors only, a line each: all other facts of a run are in its report. */
const logTo = ({ line }: Progress): Logger => {
  const write = (first: string | object, second = ''): void => {
    const [details, text] = typeof first === 'string' ? [{}, first] : [first, second]
    const { reason, error } = details as { reason?: string; error?: ErrorRecord }
    line([text, reason, error?.message].filter(Boolean).join(': '))
  }
  return { debug: () => {}, info: () => {}, warn: () => {}, error: write }
}

/** Runs the kinds one after the other; people are skipped when the departments could not be imported. */
const carryOut = async (
  { slot, kinds, dryRun }: SyncArguments,
  { db, importer }: Instance,
  { progress, signal }: { progress: Progress; signal: AbortSignal },
): Promise<RunRecord[]> => {
  const ended: RunRecord[] = []
  for (const kind of kinds) {
    if (signal.aborted || ended.some(({ state }) => state === 'failed')) break
    const { runId } = await importer.run({ slot, kind, dryRun, creator, actor: 'operator' })
    ended.push(await follow(runId, { db, progress, signal }))
  }
  progress.end()
  return ended
}

/** If a part of a plan was carried out, only the rest is shown. */
const heldOnly = ({ state, added, updated, moved, disabled }: RunRecord): { state?: 'held' } =>
  state === 'held' && added + updated + moved + disabled > 0 ? { state: 'held' } : {}

const printRuns = async (
  runs: readonly RunRecord[],
  { slot, kinds, all, dryRun }: SyncArguments,
  db: Instance['db'],
) => {
  const width = stdout.isTTY ? stdout.columns : undefined
  for (const run of runs) {
    const planned = dryRun || run.state === 'held'
    if (planned && run.planHash !== '') {
      print(title(`What ${dryRun ? 'would be done' : 'is held'}: ${kindName(run.kind)}`))
      for await (const lines of planTable(run.runId, { db, slot, all, width, ...heldOnly(run) })) print(...lines)
      print('')
    }
  }
  print(...reportTable(runs), ...leftOutLines(runs, kinds))
  for (const run of runs) {
    const problems = problemLines(run)
    if (problems.length > 0) print('', title(`Problems with ${kindName(run.kind)}`), ...problems)
    const held = heldLines(run)
    if (held.length > 0) print('', ...held)
  }
}

/** @throws ConfigError naming the settings without which there is no source */
const requireConfigured = ({ sources, connectors }: Config, { slot }: SyncArguments): void => {
  if (sources[slot] !== null) return
  const missing = requiredVariables(slot, connectors[slot]).join(', ')
  throw new ConfigError([`${slot} is not configured (${connectors[slot]}): set ${missing}`])
}

/**
 * `npm run sync -- exta`: imports people and departments from one source of the installation that the settings name,
 * and reports the result. The exit codes are in the usage.
 */
const main = async (): Promise<void> => {
  const wanted = readArguments(process.argv.slice(2))
  if (wanted === null) return print(usage)
  const config = readConfig()
  requireConfigured(config, wanted)

  const progress = openProgress(stderr)
  const instance = await openInstance(config, logTo(progress))
  const stopping = new AbortController()
  // Only once: an operator who does not want to wait for the end of a step presses it again.
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.once(name, () => {
      progress.line('stopping')
      void instance.stopRuns().then(() => stopping.abort())
    })
  }
  try {
    const runs = await carryOut(wanted, instance, { progress, signal: stopping.signal })
    await printRuns(runs, wanted, instance.db)
    process.exitCode = exitCodeOf(runs, wanted.kinds)
  } finally {
    await instance.close()
  }
}

runCommand(main, failWith(UsageError, ConfigError))
