// The room redis.
// What instances share for a while: rate limits and cached answers.
// Nothing that must not be lost is kept here.

import { ConfigError } from '../errors.ts'
import type { Logger } from '../log.ts'
import { openRedis, type Redis, type RedisClient, reasonOf } from './connection.ts'
import { clearShared } from './shared-store.ts'
import { takeShared } from './shared-windows.ts'

/** What Redis is used for is tried first, so that one that cannot do it is not used. */
const prepare = async (client: RedisClient): Promise<void> => {
  await takeShared(client, 'trial', { max: 1, window: 1000 })
  await clearShared(client)
}

/**
 * The Redis that the configuration names; null where it names none.
 * @throws ConfigError when it cannot be used: away at the start is taken for a wrong setting, away later is not
 */
export const connectRedis = async ({
  redisUrl,
  log,
}: {
  redisUrl: string | null
  log: Logger
}): Promise<Redis | null> => {
  if (redisUrl === null) return null
  try {
    return await openRedis({ url: redisUrl, log, prepare })
  } catch (error) {
    throw new ConfigError([`REDIS_URL: Redis cannot be used (${reasonOf(error)})`])
  }
}
