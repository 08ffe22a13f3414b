/** A URL of which the Redis client uses every part: it would ignore a query, and read a path as a database number. */
export const toRedisUrl = (value: string): string | undefined => {
  if (!URL.canParse(value)) return undefined
  const { protocol, hostname, pathname, search, hash, username, password } = new URL(value)
  const isRedis = protocol === 'redis:' || protocol === 'rediss:'
  const isDecodable = !/%(?![\da-f]{2})/i.test(username + password)
  return isRedis && hostname !== '' && /^(\/\d{0,4})?$/.test(pathname) && search + hash === '' && isDecodable
    ? value
    : undefined
}
