import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError, parseConfig, readEnvironment } from './config.ts'
import { openDatabase } from './db/client.ts'
import { isInUse } from './db/in-use.ts'
import { logKeys } from './directory/operation-log/keys.ts'
import { type Verdict, verifyLog } from './directory/operation-log/verify.ts'
import { logSecrets } from './directory/secrets.ts'
import type { Logger } from './log.ts'

const quiet: Logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

/** What was found, for a person, and the exit code: 0 the log is whole, 1 it is not or cannot be checked in part. */
const report = ({ checked, head, broken, unchecked }: Verdict): { text: string; code: number } => {
  const lines = [`Operation log: ${checked} entries are as they were written.`]
  if (unchecked) {
    const { count, first, last, keyId } = unchecked
    lines.push(
      `${count} entries from ${first} to ${last} cannot be checked: they were signed with a key that is not known here` +
        ` (${keyId}, …). Name its secret in LOG_KEY, behind the current one.`,
    )
  }
  lines.push(
    broken
      ? `BROKEN at entry ${broken.seq} (${broken.what}): ${broken.message}.`
      : head.seq === 0
        ? 'The log is empty.'
        : `Head: entry ${head.seq}, ${head.hash}`,
  )
  return { text: lines.join('\n'), code: broken || unchecked ? 1 : 0 }
}

const explain = (error: unknown): never => {
  if (!isInUse(error)) throw error
  const hint = 'The embedded database of a service that is running cannot be looked into: stop the service first.'
  throw new ConfigError([...error.problems, hint])
}

/**
 * `npm run verify-log`: checks the operation log of the installation that the settings name. Exit code 2 when it could
 * not be looked at; the embedded database can only be while the service does not run.
 */
const main = async (): Promise<void> => {
  const config = parseConfig(readEnvironment())
  if (config.databaseUrl === null && !existsSync(join(config.dataDir, 'postgres'))) {
    throw new ConfigError([`DATA_DIR: there is no database in ${config.dataDir}`])
  }
  const keys = logKeys(logSecrets(config.dataDir, config))
  const database = await openDatabase({ url: config.databaseUrl, dataDir: config.dataDir, log: quiet }).catch(explain)
  try {
    const { text, code } = report(await verifyLog(database.db, keys))
    process.stdout.write(`${text}\n`)
    process.exitCode = code
  } finally {
    await database.close()
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 2
})
