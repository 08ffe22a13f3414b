import type { FastifyRateLimitStore, FastifyRateLimitStoreCtor } from '@fastify/rate-limit'
import type { TakeFromWindow } from './window.ts'

/**
 * The store that makes @fastify/rate-limit's windows slide. Its own windows restart at fixed times, which allows twice
 * the limit around a restart. Routes with one `groupId` share a window.
 * @param open the windows of a group
 */
export const slidingStore = (open: (groupId: string) => TakeFromWindow): FastifyRateLimitStoreCtor => {
  const groups = new Map<string, TakeFromWindow>()
  const windowsOf = (groupId: string): TakeFromWindow => {
    const windows = groups.get(groupId) ?? open(groupId)
    groups.set(groupId, windows)
    return windows
  }

  return class SlidingStore implements FastifyRateLimitStore {
    readonly #group: string

    /** @param options those of the plugin, or of a route's limit, although their type does not say so */
    constructor(options: object) {
      this.#group = 'groupId' in options ? String(options.groupId) : ''
    }

    incr(key: string, callback: Parameters<FastifyRateLimitStore['incr']>[1], window: number, max: number): void {
      // Opened by the first request: windows reserve the memory for all their keys, and most groups are seldom used.
      const take = async () => windowsOf(this.#group)(key, { max, window })
      take().then((taken) => callback(null, taken), callback)
    }

    child(route: object): SlidingStore {
      return new SlidingStore(route)
    }
  }
}
