import { readCommandLine } from '../../terminal/command-line.ts'
import { commandLine } from '../../terminal/command-name.ts'
import { UsageError } from '../../terminal/usage-error.ts'

export interface RestoreArguments {
  /** A path, or the name of a file in BACKUP_DIR. */
  file: string
  /** Restore without asking. */
  yes: boolean
  /** Whether an unencrypted file is accepted although BACKUP_KEY is set. */
  allowUnencrypted: boolean
}

export const usage = `Usage: ${commandLine('restore')} <file> [--yes] [--allow-unencrypted]

  <file>   a backup: its path, or its name in BACKUP_DIR; it needs no record in the database
  --yes    restore without asking
  --allow-unencrypted
           believe a file that is not encrypted although BACKUP_KEY is set. Anyone could have made such a file, and
           it decides who may sign in as administrator: only for a file of which you know where it comes from

Exit code: 0 restored, 1 failed and nothing was changed, 2 not possible as asked or the file is no good, 3 not confirmed`

/**
 * Reads the arguments; null: help was requested.
 * @throws UsageError
 */
export const readArguments = (given: readonly string[]): RestoreArguments | null => {
  const options = {
    yes: { type: 'boolean', short: 'y' },
    'allow-unencrypted': { type: 'boolean' },
  } as const
  const read = readCommandLine(given, { usage, options, max: 1 })
  if (read === null) return null
  const { values } = read
  const [file] = read.positionals
  if (file === undefined) throw new UsageError('Which file?', usage)
  return { file, yes: values.yes ?? false, allowUnencrypted: values['allow-unencrypted'] ?? false }
}
