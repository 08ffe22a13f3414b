import { setTimeout as delay } from 'node:timers/promises'
import { ConfigError } from '../errors.ts'
import type { Logger } from '../log.ts'
import { hostUrls } from './hosts.ts'
import { isUnavailable } from './unavailable.ts'

/**
 * Runs `attempt`, and retries while the server does not answer or is starting, for up to `patience` milliseconds.
 * @throws ConfigError naming DATABASE_URL, without its password, when the server never answered or refused the login.
 */
export const whenReachable = async <T>(
  url: string,
  { patience, log }: { patience: number; log: Logger },
  attempt: () => Promise<T>,
): Promise<T> => {
  const server = whereOf(url)
  const deadline = Date.now() + patience
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      const refusal = refusalOf(error)
      if (refusal) throw new ConfigError([`DATABASE_URL: ${server} ${refusal}`])
      if (!isUnavailable(error)) throw error
      const code = codeOf(error)
      if (Date.now() >= deadline) throw new ConfigError([`DATABASE_URL: ${server} does not answer (${code})`])
      log.warn({ code }, `Waiting for the database: ${server} does not answer yet`)
      await delay(Math.min(1000, Math.max(0, deadline - Date.now())))
    }
  }
}

/** The errors for which waiting does not help, by SQLSTATE. */
const refusals: Readonly<Record<string, string>> = {
  '28P01': 'refused the password',
  '28000': 'refused the login',
  '3D000': 'has no such database',
  '42501': 'does not let this user create what the schema needs',
}

const refusalOf = (error: unknown): string | undefined => {
  const code = codeOf(error)
  return Object.hasOwn(refusals, code) ? refusals[code] : undefined
}

const codeOf = (error: unknown): string => {
  for (let at = error; at instanceof Error; at = at.cause) {
    const code: unknown = Reflect.get(at, 'code')
    if (typeof code === 'string') return code
  }
  return ''
}

/** user@host:port/database, never the password. */
const whereOf = (url: string): string => {
  const urls = hostUrls(url) ?? []
  const [first] = urls
  if (first === undefined) return 'the server'
  const { username, pathname } = first
  return `${username && `${decodeURIComponent(username)}@`}${urls.map(({ host }) => host)}${pathname}`
}
