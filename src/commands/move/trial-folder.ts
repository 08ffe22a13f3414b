import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../../config/config.ts'
import { markTrial } from '../../config/trial.ts'
import { makeFolderSync } from '../../files/make-folder.ts'
import { logSecrets, tokenSecrets } from '../../secrets/secrets.ts'

/** The ports of the copy, so that it runs beside the real installation on the same machine. */
const ports = { http: 8889, ldap: 2389 }

/** Makes the folder that of a copy for trying out: Steward starts on it only with settings that stay within. */
export const beginTrial = (dataDir: string): void => {
  makeFolderSync(dataDir)
  markTrial(dataDir)
}

/**
 * Writes the settings of the copy, and its secrets. It signs tokens and its log with secrets of its own, so that no token of one installation is valid in the other,
 * and keeps the former secrets for what is in the data: authenticator apps, and earlier entries of the log.
 * @returns what the copy lacks, for the operator
 */
export const settleTrial = (dataDir: string, config: Config): string[] => {
  const folder = join(dataDir, 'secrets')
  makeFolderSync(folder)
  const [tokens, signing] = [tokenSecrets(config.dataDir, config), logSecrets(config.dataDir, config)]
  const [tokenFile, logFile] = [join(folder, 'earlier-tokens'), join(folder, 'log')]
  const write = (file: string, lines: readonly string[]): void =>
    writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o600, flush: true })
  write(tokenFile, tokens.filter(isListable))
  write(logFile, [randomBytes(32).toString('base64url'), ...signing.filter(isListable)])
  const settings: Readonly<Record<string, string>> = {
    DATA_DIR: dataDir,
    PORT: String(ports.http),
    EMBEDDED_LDAP_PORT: String(ports.ldap),
    BACKUP_SCHEDULE: 'off',
    TIME_ZONE: config.timeZone,
    DEFAULT_REGION: config.defaultRegion,
    SECOND_FACTOR: config.secondFactor,
    ...(tokens.some(isListable) && { JWT_SECRET_PREVIOUS_FILE: tokenFile }),
    LOG_KEY_FILE: logFile,
  }
  write(join(dataDir, '.env'), [
    '# A copy for trying out. Start Steward in this folder: cd here, then steward serve.',
    ...Object.entries(settings).map(([name, value]) => `${name}=${quotedSetting(value)}`),
  ])
  return [...tokens, ...signing].every(isListable)
    ? []
    : [
        'A secret of the installation contains spaces, so the copy cannot have it among others: authenticator apps, or earlier entries of the operation log, cannot be checked there.',
      ]
}

/** The quotes that a value of a `.env` file may have around it. It has no way to write them within the value. */
const quotes = ["'", '`'] as const

const quoteFor = (value: string): string | undefined => quotes.find((quote) => !value.includes(quote))

/** Whether a `.env` file can have the value. */
export const isSettable = (value: string): boolean => quoteFor(value) !== undefined

const quotedSetting = (value: string): string => {
  const quote = quoteFor(value) ?? ''
  return `${quote}${value}${quote}`
}

/** Lists of secrets are separated by spaces. */
const isListable = (secret: string): boolean => !/\s/.test(secret)
