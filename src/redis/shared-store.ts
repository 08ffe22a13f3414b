import { commonGeneration } from '../contract/cache/answers.ts'
import { storeKey } from '../contract/cache/plugin-cache.ts'
import type { KeptStore } from '../contract/cache/store.ts'
import type { Redis, RedisClient } from './connection.ts'

const prefix = 'steward:kept:'

/** Kept for all instances; while Redis is away nothing is, and everything rejects. */
export const sharedStore = (redis: Redis): KeptStore => ({
  get: (key) => redis.run((client) => client.get(prefix + key)),
  async set(key, text, lifetime) {
    const expiration = { type: 'PX', value: Math.ceil(lifetime) } as const
    await redis.run((client) => client.set(prefix + key, text, { expiration }))
  },
  clear: () => redis.run(clearShared),
})

/**
 * No answer is found any more that was kept so far: the next one begins another common generation. Also for when a drop
 * may have been lost: where this instance could not reach Redis, and where Redis came back with what it remembered.
 */
export const clearShared = async (client: RedisClient): Promise<void> => {
  await client.del(prefix + storeKey(commonGeneration))
}
