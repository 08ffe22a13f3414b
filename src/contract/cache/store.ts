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
  const held = new Map<string, string>()
  let size = 0

  const take = (key: string): string | undefined => {
    const text = held.get(key)
    if (text !== undefined) size -= key.length + text.length
    held.delete(key)
    return text
  }

  const put = (key: string, text: string): void => {
    size += key.length + text.length
    held.set(key, text)
    for (const oldest of held.keys()) {
      if (size <= capacity) return
      take(oldest)
    }
  }

  return {
    async get(key) {
      const text = take(key)
      if (text === undefined) return null
      put(key, text)
      return text
    },
    async set(key, text) {
      take(key)
      put(key, text)
    },
    async clear() {
      held.clear()
      size = 0
    },
  }
}
