import { readSentinels } from '../redis/sentinels.ts'
import type { Variables } from './variables.ts'

export interface RedisConfig {
  /** REDIS_URL; null: each instance counts requests and caches responses by itself. */
  redisUrl: string | null
  /** REDIS_SENTINEL_PASSWORD; null: the sentinels of REDIS_URL want none. */
  sentinelPassword: string | null
}

/** Where instances share rate limits and cached responses. */
export const readRedis = ({ problems, read, parse }: Variables): RedisConfig => {
  const redisUrl = parse<string | null>(
    'REDIS_URL',
    null,
    toRedisUrl,
    'redis:// or rediss:// with a host, and no path but the number of a database; or redis-sentinel:// or rediss-sentinel:// with hosts, the name of the master and the number of a database',
  )
  const sentinelPassword = read('REDIS_SENTINEL_PASSWORD')
  const isUnused = sentinelPassword !== null && !/^rediss?-sentinel:/.test(read('REDIS_URL') ?? '')
  if (isUnused) {
    problems.push(
      'REDIS_SENTINEL_PASSWORD: is allowed only when REDIS_URL begins with redis-sentinel:// or rediss-sentinel://; the password of a server is in REDIS_URL',
    )
  }
  return { redisUrl, sentinelPassword }
}

/** A URL of which the Redis client uses every part: it would ignore a query, and read a path as a database number. */
const toRedisUrl = (value: string): string | undefined => {
  if (readSentinels(value) !== null) return value
  if (!URL.canParse(value)) return undefined
  const { protocol, hostname, pathname, search, hash, username, password } = new URL(value)
  const isRedis = protocol === 'redis:' || protocol === 'rediss:'
  const isDecodable = !/%(?![\da-f]{2})/i.test(username + password)
  return isRedis && hostname !== '' && /^(\/\d{0,4})?$/.test(pathname) && search + hash === '' && isDecodable
    ? value
    : undefined
}
