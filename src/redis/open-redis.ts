// The room redis.
// What instances share for a while: rate limits and cached responses.
// It never holds data that must not be lost.

import { ConfigError } from '../failures/errors.ts'
import { noLog } from '../runtime/log.ts'
import { connectTo, type Redis, type RedisClient, type RedisOptions, reasonOf } from './connection.ts'
import { clearShared } from './shared-store.ts'
import { takeShared } from './shared-windows.ts'

const tryWindow = (client: RedisClient, prefix: string): Promise<unknown> =>
  takeShared(client, `${prefix}limit:trial`, { max: 1, window: 1000 })

/** Tries what Redis is used for, so that a server without the needed features is not used. */
const prepare = async (client: RedisClient, prefix: string): Promise<void> => {
  await tryWindow(client, prefix)
  await clearShared(client, prefix)
}

/** What to do, by what Redis answers. */
const advice: readonly (readonly [answer: RegExp, text: string])[] = [
  [/^OOM /, 'raise its maxmemory, or set a maxmemory-policy that evicts keys'],
  [/^READONLY /, 'name the master, or its sentinels, not a replica'],
  [/^(NOAUTH|WRONGPASS) /, 'check its user and password in the URL'],
  [/^NOPERM /, 'let its user run every command that is used'],
  [/^MISCONF /, 'see in its log why it cannot save to its disk'],
  [/max number of clients/, 'raise its maxclients'],
]

/** What to do about a Redis that cannot be used, without a full stop. */
export const redisAdvice = (error: unknown): string => {
  const reason = reasonOf(error)
  const [, text] = advice.find(([answer]) => answer.test(reason)) ?? []
  return text ?? 'check that Redis 6 or newer runs there, and its user and password'
}

/**
 * The Redis of the configuration; null where no URL is set.
 * @throws ConfigError when it cannot be used. Unreachable at the start counts as a wrong setting; later it does not.
 */
export const openRedis = async ({
  redisUrl,
  ...options
}: Pick<RedisOptions, 'log' | 'timeout' | 'scope' | 'sentinelPassword'> & {
  redisUrl: string | null
}): Promise<Redis | null> => {
  if (redisUrl === null) return null
  try {
    return await connectTo({ url: redisUrl, prepare, ...options })
  } catch (error) {
    throw new ConfigError([`REDIS_URL: Redis cannot be used (${reasonOf(error)}); ${redisAdvice(error)}`])
  }
}

/**
 * Tries a Redis that may be in use, and changes nothing in it but the count of a trial.
 * @throws Error without the password of the URL
 */
export const tryRedis = async (url: string, sentinelPassword: string | null): Promise<void> => {
  const redis = await connectTo({
    url,
    sentinelPassword,
    scope: 'doctor',
    log: noLog,
    prepare: tryWindow,
  }).catch((error: unknown) => {
    throw new Error(reasonOf(error))
  })
  await redis.close()
}
