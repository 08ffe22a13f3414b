import { addressKey } from '../text/throttle-keys.ts'
import { openCounts } from './counts.ts'
import type { LogEntry } from './entry.ts'

/** Requests of one address in a minute that get an entry each … */
export const singlesPerAddress = 20
/** … and of all addresses together. */
const singlesAltogether = 600
/**
 * Further requests are counted: one entry a minute for each pair of address and result up to this many, then per
 * result.
 */
const countedKeys = 380

/** Milliseconds. */
const minute = 60_000

export interface Bursts {
  /** Takes the entry of a request that changed nothing and whose caller is unknown. */
  take(entry: LogEntry, key: string): void
  /** Appends what was counted so far. */
  settle(): void
}

/**
 * Limits the entries of a flood of anonymous requests: the first ones of an address in a minute get entries of their
 * own, the others are counted, and appended as one entry at the end of the minute. However many addresses there are, a
 * minute adds at most a thousand entries, and memory is bounded.
 */
export const openBursts = (append: (entry: LogEntry) => void): Bursts => {
  const counts = openCounts(countedKeys)
  /** Entries of their own this minute, by address; the number of addresses is bounded by that of the entries. */
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
