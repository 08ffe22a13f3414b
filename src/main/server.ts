import { parseConfig, readEnvironment } from '../config/config.ts'
import { openLog } from '../log.ts'
import { failToStart, start } from './start.ts'

const main = async (): Promise<void> => {
  const config = parseConfig(readEnvironment())
  const log = openLog(config.logLevel)
  const { announcement } = await start({ config, log })
  process.stdout.write(`${announcement.join('\n')}\n`)
}

main().catch(failToStart)
