import { storeKey } from '../contract/cache/plugin-cache.ts'
import { commonGeneration } from '../contract/cache/response-cache.ts'
import type { CacheStore } from '../contract/cache/store.ts'
import type { Redis, RedisClient } from './connection.ts'

const prefix = 'steward:kept:'

/** Shared by all instances; while Redis is unreachable nothing is stored, and every call rejects. */
export const sharedStore = (redis: Redis): CacheStore => ({
  get: (key) => redis.run((client) => client.get(prefix + key)),
  async set(key, text, lifetime) {
    const expiration = { type: 'PX', value: Math.ceil(lifetime) } as const
    await redis.run((client) => client.set(prefix + key, text, { expiration }))
  },
  clear: () => redis.run(clearShared),
})

/**
 * Invalidates all cached responses: the next one starts another common generation. Also for when a drop may have been
 * lost: this instance could not reach Redis, or Redis was restored from an older state.
 */
export const clearShared = async (client: RedisClient): Promise<void> => {
  await client.del(prefix + storeKey(commonGeneration))
}
