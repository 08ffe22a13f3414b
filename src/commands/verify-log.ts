import { logKeys } from '../audit/keys.ts'
import { unreportedLosses } from '../audit/presence.ts'
import { verifyLog } from '../audit/verify.ts'
import type { Verdict } from '../audit/verify-rules.ts'
import { databaseOf } from '../config/database.ts'
import { openDatabase } from '../db/client.ts'
import { FolderInUseError } from '../db/embedded/folder-in-use.ts'
import { ConfigError } from '../failures/errors.ts'
import { noLog } from '../runtime/log.ts'
import { logSecrets } from '../secrets/secrets.ts'
import { readCommandLine } from '../terminal/command-line.ts'
import { commandLine } from '../terminal/command-name.ts'
import { runCommand } from '../terminal/run-command.ts'
import { UsageError } from '../terminal/usage-error.ts'
import { requireDatabase } from './existing-database.ts'
import { readConfig } from './read-config.ts'

/** The exit codes; the most severe applies. */
const exitCodes = { whole: 0, broken: 1, gaps: 3 } as const

/** The findings as text, and the exit code. */
const report = (
  { checked, head, broken, unchecked, gaps }: Verdict,
  { unreported, known }: { unreported: readonly string[]; known: ReadonlySet<number> },
): { text: string; code: number } => {
  const lines = [`Operation log: ${checked} entries are as they were written.`]
  if (unchecked) {
    const { count, first, last, keyId } = unchecked
    lines.push(
      `${count} entries from ${first} to ${last} cannot be checked: they were signed with a key that is not known here` +
        ` (${keyId}, …). Name its secret in LOG_KEY, behind the current one; without LOG_KEY it was JWT_SECRET, or the` +
        ' one in DATA_DIR/secrets/jwt.',
    )
  }
  const news = gaps.filter(({ seq }) => !known.has(seq))
  lines.push(...gaps.map(({ seq, message }) => `GAP at entry ${seq}${known.has(seq) ? ' (known)' : ''}: ${message}.`))
  lines.push(...unreported.map((message) => `GAP that no entry tells of yet: ${message}.`))
  lines.push(
    broken
      ? `BROKEN at entry ${broken.seq} (${broken.what}): ${broken.message}.`
      : head.seq === 0
        ? 'The log is empty.'
        : `Head: entry ${head.seq}, ${head.hash}`,
  )
  const incomplete = news.length + unreported.length > 0
  return {
    text: lines.join('\n'),
    code: broken || unchecked ? exitCodes.broken : incomplete ? exitCodes.gaps : exitCodes.whole,
  }
}

const usage = `Usage: ${commandLine('verify-log')} [--known-gaps <entry>,<entry>…]

  --known-gaps  entries before which entries are missing, and that an administrator has examined: they are not reported

Exit code: 0 the log is intact, 1 it is not or a part cannot be checked, 2 it could not be read, 3 entries are missing
and the log itself says so`

/**
 * The gaps that an administrator has examined: `--known-gaps 17,42`; null: help was requested.
 * @throws UsageError for any other argument
 */
const readKnownGaps = (given: readonly string[]): ReadonlySet<number> | null => {
  const read = readCommandLine(given, { usage, options: { 'known-gaps': { type: 'string' } } })
  if (read === null) return null
  const { 'known-gaps': list } = read.values
  if (list === undefined) return new Set()
  if (!/^\d{1,15}(,\d{1,15})*$/.test(list)) throw new UsageError('--known-gaps: numbers of entries.', usage)
  return new Set(list.split(',').map(Number))
}

const explain = (error: unknown): never => {
  if (!(error instanceof FolderInUseError)) throw error
  const hint = 'The embedded database of a service that is running cannot be looked into: stop the service first.'
  throw new ConfigError([...error.problems, hint])
}

/**
 * `npm run verify-log`: checks the operation log of the installation that the settings name. Exit code 0: the log is
 * intact; 1: it is not, or a part cannot be checked; 2: it could not be read, for example because a running service has
 * the embedded database open; 3: it is as it was written, and reports itself that entries are missing.
 */
const main = async (): Promise<void> => {
  const known = readKnownGaps(process.argv.slice(2))
  if (known === null) return void process.stdout.write(`${usage}\n`)
  const config = readConfig()
  requireDatabase(config)
  const keys = logKeys(logSecrets(config.dataDir, config))
  const database = await openDatabase({ ...databaseOf(config), log: noLog }).catch(explain)
  try {
    const { db, kind } = database
    const unreported = await unreportedLosses(db, { dataDir: config.dataDir, alone: kind === 'embedded' })
    const { text, code } = report(await verifyLog(db, keys), { unreported, known })
    process.stdout.write(`${text}\n`)
    process.exitCode = code
  } finally {
    await database.close()
  }
}

runCommand(main, (error) => {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 2
})
