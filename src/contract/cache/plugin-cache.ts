import type { AbstractCacheCompliantObject } from '@fastify/caching'
import type { CacheStore } from './store.ts'

export interface CacheKey {
  segment: string
  id: string
}

/** The key of an item in a store. */
export const storeKey = (key: string | CacheKey): string =>
  typeof key === 'string' ? `:${key}` : `${key.segment}:${key.id}`

/** `stored` is an instant, `ttl` the remaining time; both milliseconds. */
type Found<T> = { item: T; stored: number; ttl: number } | null

/**
 * Where @fastify/caching looks up the ETag of every `If-None-Match`. We never store ETags, so the look-up is skipped.
 */
export const etagSegment = 'etags'

/**
 * A store in the form that @fastify/caching needs: the abstract-cache protocol, with callbacks and, for `get`,
 * promises. Items are any JSON values.
 */
export const pluginCache = (store: CacheStore, now: () => number): AbstractCacheCompliantObject => {
  const look = async <T>(key: string | CacheKey): Promise<Found<T>> => {
    if (typeof key !== 'string' && key.segment === etagSegment) return null
    const text = await store.get(storeKey(key))
    if (text === null) return null
    const { item, stored, ttl }: NonNullable<Found<T>> = JSON.parse(text)
    const left = stored + ttl - now()
    return left > 0 ? { item, stored, ttl: left } : null
  }

  return {
    get<T>(key: string | CacheKey, callback?: (error: unknown, found: Found<T>) => void): Promise<Found<T>> {
      const found = look<T>(key)
      if (callback) {
        found.then(
          (result) => callback(null, result),
          (error: unknown) => callback(error, null),
        )
      }
      return found
    },
    set(key, item, ttl, callback = () => {}) {
      store.set(storeKey(key), JSON.stringify({ item, stored: now(), ttl }), ttl).then(
        () => callback(null, undefined),
        (error: unknown) => callback(error, undefined),
      )
    },
  }
}
