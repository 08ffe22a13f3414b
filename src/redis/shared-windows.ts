import type { Limit, TakeFromWindow, Taken } from '../contract/limits/window.ts'
import type { Redis, RedisClient } from './connection.ts'

/**
 * A sliding window as a list of the counted instants, oldest first, by the clock of Redis, which all instances share.
 * Never longer than the limit, and it expires with its last instant. One script makes check and count atomic.
 */
const script = `
local key, max, window = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local first = tonumber(redis.call('LINDEX', key, 0))
while first and (first <= now - window or first > now) do
  redis.call('LPOP', key)
  first = tonumber(redis.call('LINDEX', key, 0))
end
local count = redis.call('LLEN', key)
if count >= max then
  return { max + 1, redis.call('LINDEX', key, count - max) + window - now }
end
redis.call('RPUSH', key, now)
redis.call('PEXPIRE', key, window)
return { count + 1, (first or now) + window - now }
`

/** Counts a request in Redis; rejects where Redis cannot. */
export const takeShared = async (client: RedisClient, key: string, { max, window }: Limit): Promise<Taken> => {
  const reply = await client.eval(script, { keys: [key], arguments: [String(max), String(window)] })
  const [current, ttl] = reply as [number, number]
  return { current, ttl }
}

/** Windows that all instances share; while Redis is unreachable each instance counts by itself. */
export const sharedWindows =
  (redis: Redis, alone: TakeFromWindow): TakeFromWindow =>
  (key, limit) =>
    redis.run((client) => takeShared(client, `${redis.prefix}limit:${key}`, limit)).catch(() => alone(key, limit))
