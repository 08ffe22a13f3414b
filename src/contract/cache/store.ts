/** Keeps texts for so many milliseconds, or for less where room runs out. */
export interface KeptStore {
  get(key: string): Promise<string | null>
  set(key: string, text: string, lifetime: number): Promise<void>
  /** For when nothing that was kept is known to hold any more: no answer that rests on it is found again. */
  clear(): Promise<void>
}

/** Characters held at once: about 32 MB. */
const capacity = 16 * 1024 * 1024

/** In memory; what has not been asked for the longest makes room, whether it has run out or not. */
export const memoryStore = (): KeptStore => {
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
