import { existsSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { type Config, ConfigError, parseConfig, readEnvironment } from './config.ts'
import { errorRecord, type Logger } from './log.ts'
import { readArguments, usage } from './restore-command/arguments.ts'
import { confirm } from './restore-command/confirm.ts'
import { contentLines } from './restore-command/contents.ts'
import { type Instance, openInstance } from './restore-command/instance.ts'
import { BackupFileError } from './security/backups/file-error.ts'
import { type ReadBackup, readBackup } from './security/backups/read.ts'
import { isAboutFile, reasonOf } from './security/backups/reason.ts'
import { ownSchemaVersion, refuseNewer } from './security/backups/schema-version.ts'
import { displayTime } from './security/display.ts'
import { UsageError } from './terminal/usage-error.ts'

const { stdout, stderr } = process

/** Whom alerts and the records of safety backups name. */
const creator = 'terminal'

const print = (...lines: string[]): void => void stdout.write(`${lines.join('\n')}\n`)

/** What is said when a phase begins; see security/backups/restorer.ts. */
const phases: Readonly<Record<string, string>> = {
  verifying: 'Verifying the file once more',
  writing: 'Making a backup of what is there',
  loading: 'Loading',
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
const verify = async (given: string, { backupDir, backupSecrets: secrets }: Config) => {
  const file = [resolve(given), join(backupDir, basename(given))].find(existsSync) ?? resolve(given)
  try {
    const read = await readBackup({ file, secrets })
    refuseNewer(read.manifest.schema, ownSchemaVersion())
    return { file, read }
  } catch (error) {
    throw isAboutFile(error) ? new BackupFileError(`${file} cannot be restored: ${reasonOf(error)}`) : error
  }
}

const targetOf = ({ databaseUrl, dataDir }: Config): string =>
  databaseUrl === null ? `the embedded database in ${dataDir}` : 'the database of DATABASE_URL'

/** Restores what was verified, and leaves an alert behind that says so. */
const restore = async (
  { backups, alarm }: Instance,
  { file, read }: { file: string; read: ReadBackup },
  { timeZone, backupDir }: Config,
): Promise<void> => {
  const { rows, safetyBackupPath } = await backups.restoreFile({ file, sha256: read.sha256 }, creator)
  const taken = displayTime(new Date(read.manifest.takenAt), timeZone)
  await alarm({
    cause: 'restored at the terminal',
    title: 'A backup was restored at the terminal',
    description: `The data is that of ${taken} (${basename(file)}), by npm run restore`,
    level: 'warning',
  })
  print(
    `Restored: ${rows} rows of ${taken}. All sessions have ended; the directory follows as soon as the service runs.`,
    ...(safetyBackupPath === null ? [] : [`What was there before is in ${join(backupDir, safetyBackupPath)}`]),
  )
}

/**
 * `npm run restore -- <file>`: restores a backup into the installation that the settings name, which need not know the
 * file, nor be there yet. Its exit codes are in its usage.
 */
const main = async (): Promise<void> => {
  const wanted = readArguments(process.argv.slice(2))
  if (wanted === null) return print(usage)
  const config = parseConfig(readEnvironment())
  const verified = await verify(wanted.file, config)
  print(...contentLines(verified.read, config.timeZone), '')
  const instance = await openInstance(config, log)
  try {
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

main().catch((error: unknown) => {
  stderr.write(`${errorRecord(error).message}\n`)
  const asked = [UsageError, ConfigError, BackupFileError].some((kind) => error instanceof kind)
  process.exitCode = asked ? 2 : 1
})
