import { join } from 'node:path'
import type { Config } from '../../config/config.ts'
import { hostUrls } from '../../db/hosts.ts'
import { generatedSecrets } from '../../secrets/secrets.ts'
import { shellWord } from '../../text/shell-word.ts'

/** A URL of PostgreSQL without its password and its parameters, one of which may be a password too. */
export const withoutPassword = (url: string): string => {
  const urls = hostUrls(url) ?? []
  const [first] = urls
  if (first === undefined) return 'the server'
  const user = first.username === '' ? '' : `${first.username}@`
  return `postgres://${user}${urls.map(({ host }) => host).join(',')}${first.pathname}`
}

/** What the service needs after a move to a server. Names settings and files; never prints a secret. */
export const stepsAfterMove = (url: string, config: Config): string[] => {
  const { dataDir, databaseUrl, ldap, backupDir } = config
  const secrets = generatedSecrets(dataDir, config)
  return [
    `1. Set DATABASE_URL (or DATABASE_URL_FILE) to the URL of ${withoutPassword(url)}.`,
    '2. Leave every other setting as it is, DATA_DIR too, and start the service.',
    ...(ldap?.kind === 'embedded'
      ? ['   The embedded directory stays in DATA_DIR. Set LDAP_URL when applications are to use a server.']
      : []),
    databaseUrl === null
      ? `The former database stays in ${join(dataDir, 'postgres')}. A start without DATABASE_URL is refused, because it would go on with the old data.`
      : 'Do not start a service on the former database any more: it would set the directory back to the old data.',
    '',
    'An instance on another machine, with another DATA_DIR, needs the same settings, and:',
    ...secrets.map(({ setting, file }) => `  ${setting}_FILE: a copy of ${file}`),
    `  BACKUP_DIR: a folder with the files of ${backupDir}, for backups that were made until now`,
  ]
}

/** How a copy for trying out is started. */
export const stepsAfterCopy = (dataDir: string, script: string): string[] => [
  `Start it with its own settings:  cd ${shellWord(dataDir)} && ${script} serve`,
  'It listens on port 8889 (LDAP: 2389), signs people in as before, and keeps its mails as files in its folder.',
  'It has no source, no directory but its own, no mail server and no webhook, and a start that sets one is refused.',
  'It holds the people of the real installation and its secrets: delete the folder when you no longer need it.',
]
