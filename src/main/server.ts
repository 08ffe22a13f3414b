import { parseConfig } from '../config/config.ts'
import { readEnvironment } from '../config/environment.ts'
import { openLog } from '../runtime/log.ts'
import { readCommandLine } from '../terminal/command-line.ts'
import { commandLine } from '../terminal/command-name.ts'
import { runCommand } from '../terminal/run-command.ts'
import { UsageError } from '../terminal/usage-error.ts'
import { failToStart, start } from './start.ts'

const usage = `Usage: ${commandLine('serve')}

Runs the service with the settings of the environment, until SIGTERM or SIGINT.

Exit code: 0 stopped, 1 it could not start, or stopping took too long, 2 wrong arguments`

const main = async (): Promise<void> => {
  if (readCommandLine(process.argv.slice(2), { usage }) === null) return void process.stdout.write(`${usage}\n`)
  const config = parseConfig(readEnvironment())
  const log = openLog(config.logLevel)
  const { announcement } = await start({ config, log })
  process.stdout.write(`${announcement.join('\n')}\n`)
}

runCommand(main, (error) => {
  if (!(error instanceof UsageError)) return failToStart(error)
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 2
})
