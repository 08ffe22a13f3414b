import { storeKey } from '../contract/cache/plugin-cache.ts'
import { commonGeneration } from '../contract/cache/response-cache.ts'
import type { CacheStore } from '../contract/cache/store.ts'
import type { Redis, RedisClient } from './connection.ts'

const at = (prefix: string, key: string): string => `${prefix}kept:${key}`

/** Shared by all instances; while Redis is unreachable nothing is stored, and every call rejects. */
export const sharedStore = (redis: Redis): CacheStore => ({
  get: (key) => redis.run((client) => client.get(at(redis.prefix, key))),
  async set(key, text, lifetime) {
    const expiration = { type: 'PX', value: Math.ceil(lifetime) } as const
    await redis.run((client) => client.set(at(redis.prefix, key), text, { expiration }))
  },
  clear: () => redis.run((client) => clearShared(client, redis.prefix)),
})

/**
 * Invalidates all cached responses: the next one starts another common generation. Also for when a drop may have been
 * lost: this instance could not reach Redis, or Redis was restored from an older state.
 */
export const clearShared = async (client: RedisClient, prefix: string): Promise<void> => {
  await client.del(at(prefix, storeKey(commonGeneration)))
}
