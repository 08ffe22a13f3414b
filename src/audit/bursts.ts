import { addressKey } from '../text/throttle-keys.ts'
import { openCounts } from './counts.ts'
import type { LogEntry } from './entry.ts'

/** Of one address, so many a minute are an entry each … */
export const singlesPerAddress = 20
/** … of all addresses together, so many … */
const singlesAltogether = 600
/** … and what comes beyond is one entry a minute for each of so many addresses and results, and then for each result. */
const countedKeys = 380

/** Milliseconds. */
const minute = 60_000

export interface Bursts {
  /** Takes the entry of a request that changed nothing and whose caller is not known. */
  take(entry: LogEntry, key: string): void
  /** Appends what was counted up to now. */
  settle(): void
}

/**
 * Keeps a flood of anonymous requests from outgrowing the log: the first ones of an address and minute are entries of
 * their own, the others are counted, and appended as one entry when the minute is over. However many addresses there
 * are, a minute adds at most a thousand entries, and memory is bounded.
 */
export const openBursts = (append: (entry: LogEntry) => void): Bursts => {
  const counts = openCounts(countedKeys)
  /** Entries of their own this minute, by address: at most as many addresses as there are such entries. */
  const singles = new Map<string, number>()
  let altogether = 0
  let timer: NodeJS.Timeout | undefined

  const settle = (): void => {
    clearTimeout(timer)
    timer = undefined
    singles.clear()
    altogether = 0
    for (const entry of counts.take()) append(entry)
  }

  return {
    take(entry, key) {
      timer ??= setTimeout(settle, minute).unref()
      const address = addressKey(entry.ip)
      const before = singles.get(address) ?? 0
      if (before >= singlesPerAddress || altogether >= singlesAltogether) {
        const ip = address.slice(address.indexOf(':') + 1)
        counts.add(`${address} ${entry.status} ${key}`, { ...entry, ip })
        return
      }
      singles.set(address, before + 1)
      altogether += 1
      append(entry)
    },
    settle,
  }
}
