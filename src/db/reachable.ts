import { setTimeout as delay } from 'node:timers/promises'
import { ConfigError } from '../failures/errors.ts'
import { steadyTime } from '../runtime/clock.ts'
import type { Logger } from '../runtime/log.ts'
import { describeFailure, firstCodeOf, refusalOf } from './connection-failure.ts'
import { whereOf } from './hosts.ts'
import { lackOf, lacks } from './lack.ts'
import { NoPrimaryError } from './primary.ts'
import { isUnavailable } from './unavailable.ts'

/**
 * Runs `attempt`, and retries while the server does not answer or is starting, for up to `timeout` milliseconds.
 * @param setting what the URL is the value of; default: DATABASE_URL
 * @throws ConfigError naming the setting, without its password, when the server never answered or refused the login.
 */
export const whenReachable = async <T>(
  { url, setting = 'DATABASE_URL' }: { url: string; setting?: string },
  { timeout, log }: { timeout: number; log: Logger },
  attempt: () => Promise<T>,
): Promise<T> => {
  const server = whereOf(url)
  const deadline = steadyTime() + timeout
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      const refusal = refusalOf(error)
      if (refusal) throw new ConfigError([`${setting}: ${server} ${refusal}`])
      if (!isUnavailable(error)) throw error
      const late = steadyTime() >= deadline
      if (error instanceof NoPrimaryError) {
        if (late || error.isFinal) throw new ConfigError([`${setting}: ${error.message}`])
        log.warn(`Waiting for the database: ${error.message}`)
      } else {
        const lack = lackOf(error)
        const advice = lack === null ? '' : `. ${lacks[lack].advice}`
        if (late) throw new ConfigError([`${setting}: ${server} ${describeFailure(error)}${advice}`])
        const says = lack === null ? 'does not answer yet' : lacks[lack].text
        log.warn({ code: firstCodeOf(error) }, `Waiting for the database: ${server} ${says}`)
      }
      await delay(Math.min(1000, Math.max(0, deadline - steadyTime())))
    }
  }
}
