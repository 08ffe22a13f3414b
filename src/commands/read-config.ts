import { stderr } from 'node:process'
import { type Config, parseConfig } from '../config/config.ts'
import { readEnvironment } from '../config/environment.ts'
import { describeMisspelled } from '../config/misspelled.ts'

/**
 * The settings of a command. What looks like a setting and is ignored is told on standard error: with `BACKUP_KEYS` a backup
 * would not be encrypted.
 * @throws ConfigError
 */
export const readConfig = (): Config => {
  const config = parseConfig(readEnvironment())
  for (const one of config.misspelled) stderr.write(`${describeMisspelled(one)}\n`)
  return config
}
