import { resolve } from 'node:path'
import { hostUrls } from '../../db/hosts.ts'
import { tlsProblem } from '../../db/tls.ts'
import { messageOf } from '../../failures/caught-error.ts'
import { readTextFile } from '../../files/text-file.ts'
import { readCommandLine } from '../../terminal/command-line.ts'
import { commandLine } from '../../terminal/command-name.ts'
import { UsageError } from '../../terminal/usage-error.ts'
import { isSettable } from './trial-folder.ts'

export interface MoveArguments {
  /** A server that the installation moves to, or a folder that gets a copy for trying out. */
  to: { kind: 'server'; url: string; onCommandLine: boolean } | { kind: 'trial'; dataDir: string }
  dryRun: boolean
}

export const usage = `Usage: ${commandLine('move')} --to postgres://user:password@host/database [--dry-run]
       ${commandLine('move')} --to embedded --data-dir <folder> [--dry-run]

Copies all data of the installation that the settings name, and compares every table and the operation log afterwards.
With a server, the installation moves there: stop the service before. With "embedded", the folder gets a copy for trying
out, which reaches no server of the real installation. The target must be empty, or hold an unfinished attempt of the
same move.

  --to <target>      the server's URL, or "embedded"
  --to-file <file>   a file that holds the URL: other users of the machine and the shell's history see no password
  --data-dir <dir>   the folder of the copy; with --to embedded only
  --dry-run          say what would be moved and what is in the way; change nothing

Exit code: 0 done, 1 failed (the source is as it was, and the target cannot be used until the move was repeated),
2 not possible as asked`

/**
 * Reads the arguments; null: help was requested.
 * @throws UsageError, without the URL in its message
 */
export const readArguments = (given: readonly string[]): MoveArguments | null => {
  const options = {
    to: { type: 'string' },
    'to-file': { type: 'string' },
    'data-dir': { type: 'string' },
    'dry-run': { type: 'boolean' },
  } as const
  const read = readCommandLine(given, { usage, options })
  if (read === null) return null
  const { to, 'to-file': file, 'data-dir': dataDir, 'dry-run': dryRun = false } = read.values
  if (to === undefined && file === undefined) throw new UsageError('Where to? Give --to or --to-file.', usage)
  if (to !== undefined && file !== undefined) throw new UsageError('Give --to or --to-file, not both.', usage)
  const target = to ?? contentOf(file ?? '')
  if (target === 'embedded') {
    if (dataDir === undefined) throw new UsageError('--to embedded needs --data-dir, the folder of the copy.', usage)
    if (!isSettable(resolve(dataDir))) throw new UsageError('--data-dir: a folder without quotes in its path.', usage)
    return { to: { kind: 'trial', dataDir: resolve(dataDir) }, dryRun }
  }
  if (dataDir !== undefined) throw new UsageError('--data-dir is allowed with --to embedded only.', usage)
  if (hostUrls(target) === null) {
    throw new UsageError('--to: expected embedded, or a URL starting with postgres:// or postgresql://.', usage)
  }
  const problem = tlsProblem(target)
  if (problem !== null) throw new UsageError(`--to: ${problem}`, usage)
  return { to: { kind: 'server', url: target, onCommandLine: to !== undefined }, dryRun }
}

const contentOf = (file: string): string => {
  try {
    return readTextFile(file).trim()
  } catch (error) {
    throw new UsageError(`--to-file: ${messageOf(error)}`, usage)
  }
}
