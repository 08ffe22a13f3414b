import { once } from 'node:events'
import { existsSync, realpathSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { alertOf } from '../alerts/alert.ts'
import { failureText, isAboutFile } from '../backups/file/failure-text.ts'
import { BackupFileError } from '../backups/file/file-error.ts'
import { type ReadBackup, readBackup } from '../backups/file/read.ts'
import { refuseNewer } from '../backups/restore/refuse-newer.ts'
import type { Config } from '../config/config.ts'
import { newestKnownMigration } from '../db/schema-version.ts'
import { ConfigError } from '../failures/errors.ts'
import type { Logger } from '../runtime/log.ts'
import { failWith, runCommand } from '../terminal/run-command.ts'
import { UsageError } from '../terminal/usage-error.ts'
import { displayTime } from '../text/display.ts'
import { type Instance, openInstance } from './backup-instance.ts'
import { readConfig } from './read-config.ts'
import { type RestoreArguments, readArguments, usage } from './restore/arguments.ts'
import { contentLines } from './restore/contents.ts'

const { stdout, stderr } = process

/** The actor in alerts and the records of safety backups. */
const creator = 'terminal'

const print = (...lines: string[]): void => void stdout.write(`${lines.join('\n')}\n`)

/** The line at the start of a phase; see backups/restore/restorer.ts. */
const phases: Readonly<Record<string, string>> = {
  verifying: 'Verifying the file once more',
  writing: 'Making a backup of what is there',
  loading: 'Loading',
}

const confirmation = 'restore'

/** Asks for the confirmation word; any other input, and the end of the input, means no. */
const confirm = async (question: string): Promise<boolean> => {
  const lines = createInterface({ input: process.stdin })
  process.stdout.write(`${question} Type "${confirmation}" to go on: `)
  const [answer] = await Promise.race([once(lines, 'line'), once(lines, 'close')])
  lines.close()
  return typeof answer === 'string' && answer.trim().toLowerCase() === confirmation
}

/** Phases as they begin, and errors, a line each. */
const log: Logger = {
  debug: (details: string | object) => {
    const phase = phases[String(typeof details === 'object' && 'phase' in details ? details.phase : '')]
    if (phase !== undefined) stderr.write(`${phase} …\n`)
  },
  info: () => {},
  warn: () => {},
  error: (first: string | object, second = '') => void stderr.write(`${typeof first === 'string' ? first : second}\n`),
}

/** @throws BackupFileError when it is not a backup that this installation can read, to its last byte */
const verify = async ({ file: given, allowUnencrypted }: RestoreArguments, config: Config) => {
  const { backupDir, backupSecrets: secrets, backupUnpackLimit: unpackLimit } = config
  const found = [resolve(given), join(backupDir, basename(given))].find(existsSync)
  // A link is followed here, once: the operator at the terminal named it.
  const file = found === undefined ? resolve(given) : realpathSync(found)
  try {
    const read = await readBackup({ file, secrets, allowUnencrypted, unpackLimit })
    refuseNewer(read.manifest.schema, newestKnownMigration())
    return { file, read, allowUnencrypted }
  } catch (error) {
    throw isAboutFile(error) ? new BackupFileError(`${file} cannot be restored: ${failureText(error, 'it')}`) : error
  }
}

const keyMissing = (file: string): string =>
  `${file} cannot be restored: it is not encrypted, so anyone could have made it, and the newest backup of this installation is. Set BACKUP_KEY as the service has it; only --allow-unencrypted takes such a file`

const targetOf = ({ databaseUrl, dataDir }: Config): string =>
  databaseUrl === null ? `the embedded database in ${dataDir}` : 'the database of DATABASE_URL'

/** Restores a verified file, and raises an alert that reports it. */
const restore = async (
  { backups, raise }: Instance,
  { file, read, allowUnencrypted }: { file: string; read: ReadBackup; allowUnencrypted: boolean },
  { timeZone, backupDir }: Config,
): Promise<void> => {
  const { rows, safetyBackupPath } = await backups.restoreFile(
    { file, sha256: read.sha256, allowUnencrypted },
    creator,
    'operator',
  )
  const taken = displayTime(new Date(read.manifest.takenAt), timeZone)
  await raise(alertOf('restoredAtTerminal', { taken, file: basename(file) }))
  print(
    `Restored: ${rows} rows of ${taken}. All sessions have ended; the directory follows as soon as the service runs.`,
    ...(safetyBackupPath === null ? [] : [`What was there before is in ${join(backupDir, safetyBackupPath)}`]),
  )
}

/**
 * `npm run restore -- <file>`: restores a backup into the installation that the settings name. The file need not have a
 * record there, and the installation need not exist yet. The exit codes are in the usage.
 */
const main = async (): Promise<void> => {
  const wanted = readArguments(process.argv.slice(2))
  if (wanted === null) return print(usage)
  const config = readConfig()
  const verified = await verify(wanted, config)
  print(...contentLines(verified.read, config.timeZone), '')
  const instance = await openInstance(config, log)
  try {
    if (!verified.read.encrypted && !wanted.allowUnencrypted && (await instance.encrypts())) {
      throw new BackupFileError(keyMissing(verified.file))
    }
    const target = targetOf(config)
    print(
      (await instance.isInstalled())
        ? `The data in ${target} is replaced, after a backup was made of it.`
        : `There is nothing yet in ${target}.`,
    )
    if (!wanted.yes && !(await confirm('Restore?'))) {
      print('Nothing was changed.')
      process.exitCode = 3
      return
    }
    await restore(instance, verified, config)
  } finally {
    await instance.close()
  }
}

runCommand(main, failWith(UsageError, ConfigError, BackupFileError))
