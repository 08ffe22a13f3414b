import { pino } from 'pino'
import { parseConfig, readEnvironment } from './config.ts'
import { failToStart, start } from './start.ts'

const main = async (): Promise<void> => {
  const config = parseConfig(readEnvironment())
  const log = pino({ level: config.logLevel, base: null })
  const { announcement } = await start({ config, log })
  process.stdout.write(`${announcement.join('\n')}\n`)
}

main().catch(failToStart)
