import { join } from 'node:path'
import { sizeText } from '../backups/file/size-text.ts'
import { ConfigError } from '../failures/errors.ts'
import { type Logger, noLog } from '../runtime/log.ts'
import { readCommandLine } from '../terminal/command-line.ts'
import { commandLine } from '../terminal/command-name.ts'
import { failWith, runCommand } from '../terminal/run-command.ts'
import { UsageError } from '../terminal/usage-error.ts'
import { openInstance } from './backup-instance.ts'
import { neverStarted, requireDatabase } from './existing-database.ts'
import { readConfig } from './read-config.ts'

const { stdout, stderr } = process

const usage = `Usage: ${commandLine('backup')}

Makes a backup in BACKUP_DIR, reads it back, and prints where it is. With DATABASE_URL it works beside a running service.

Exit code: 0 made and proven, 1 failed, 2 not possible as asked`

/** Errors only, a line each: why a backup failed. */
const log: Logger = {
  ...noLog,
  error: (first: string | object, second = '') => void stderr.write(`${typeof first === 'string' ? first : second}\n`),
}

/** `steward backup`: makes a backup of the installation that the settings name. The exit codes are in the usage. */
const main = async (): Promise<void> => {
  if (readCommandLine(process.argv.slice(2), { usage }) === null) return void stdout.write(`${usage}\n`)
  const config = readConfig()
  requireDatabase(config)
  const instance = await openInstance(config, log)
  try {
    if (!(await instance.isInstalled())) throw neverStarted(config)
    const { status, path, size } = await instance.backups.create({ type: 'manual', creator: 'terminal' })
    if (status !== 'success') throw new Error('No backup was made.')
    const encryption = config.backupSecrets.length > 0 ? 'encrypted with BACKUP_KEY' : 'not encrypted: set BACKUP_KEY'
    stdout.write(`${join(config.backupDir, path)}\n${sizeText(size)}, read back and proven, ${encryption}\n`)
  } finally {
    await instance.close()
  }
}

runCommand(main, failWith(UsageError, ConfigError))
