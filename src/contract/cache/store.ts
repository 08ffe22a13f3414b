import { LRUCache } from 'lru-cache'

/** Stores texts for a number of milliseconds, or for less where it is full. */
export interface CacheStore {
  get(key: string): Promise<string | null>
  set(key: string, text: string, lifetime: number): Promise<void>
  /** Invalidates all entries and everything derived from them, for when the cache may be stale. */
  clear(): Promise<void>
}

/** Characters stored at once: about 32 MB. */
const capacity = 16 * 1024 * 1024

/** In memory; the least recently used entry is evicted first, expired or not. */
export const memoryStore = (): CacheStore => {
  const held = new LRUCache<string, string>({
    maxSize: capacity,
    sizeCalculation: (text, key) => key.length + text.length,
  })
  return {
    get: async (key) => held.get(key) ?? null,
    set: async (key, text) => void held.set(key, text),
    clear: async () => held.clear(),
  }
}
