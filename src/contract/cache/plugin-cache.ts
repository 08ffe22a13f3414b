import type { AbstractCacheCompliantObject } from '@fastify/caching'
import type { KeptStore } from './store.ts'

export interface CacheKey {
  segment: string
  id: string
}

/** Under what name a store keeps an item. */
export const storeKey = (key: string | CacheKey): string =>
  typeof key === 'string' ? `:${key}` : `${key.segment}:${key.id}`

/** `stored` is an instant, `ttl` what is left; both milliseconds. */
type Found<T> = { item: T; stored: number; ttl: number } | null

/** Where @fastify/caching looks for the ETag of every `If-None-Match`. None is ever made, so nobody need be asked. */
export const etagSegment = 'etags'

/**
 * A store as @fastify/caching takes it: the abstract-cache protocol, with callbacks and, for `get`, promises. Items are
 * anything that JSON can hold.
 */
export const pluginCache = (store: KeptStore, now: () => number): AbstractCacheCompliantObject => {
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
