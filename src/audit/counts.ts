import { type LogEntry, storable } from './entry.ts'

/** Counts requests that are too many for an entry each. */
export interface Counts {
  /**
   * Counts one more request. Requests with the same key become one entry.
   * @param key always includes the entry's status
   */
  add(key: string, entry: LogEntry): void
  /** The entries for what was counted; resets the counts. */
  take(): LogEntry[]
}

interface Counted {
  /** What all of them have in common; empty where they differ. */
  common: LogEntry
  times: number
  /** When the newest of them ended. */
  until: number
}

/** @param capacity keys; further requests are counted by their status alone, so that memory is bounded */
export const openCounts = (capacity: number): Counts => {
  const counted = new Map<string, Counted>()

  const count = (key: string, entry: LogEntry): void => {
    const until = entry.startTime.getTime() + entry.timeCost
    const known = counted.get(key)
    if (known === undefined) {
      counted.set(key, { common: entry, times: entry.times, until })
      return
    }
    known.times += entry.times
    known.until = Math.max(known.until, until)
    known.common = inCommon(known.common, entry)
  }

  return {
    add(key, given) {
      const entry = storable(given)
      const isKnown = counted.has(key)
      count(isKnown || counted.size < capacity ? key : `status ${entry.status}`, entry)
    },
    take() {
      const entries = [...counted.values()].map(entryOf)
      counted.clear()
      return entries
    },
  }
}

const same = (a: string, b: string): string => (a === b ? a : '')

const inCommon = (a: LogEntry, b: LogEntry): LogEntry => ({
  username: same(a.username, b.username),
  ip: same(a.ip, b.ip),
  method: same(a.method, b.method),
  path: same(a.path, b.path),
  remark: same(a.remark, b.remark),
  status: a.status,
  startTime: a.startTime < b.startTime ? a.startTime : b.startTime,
  timeCost: 0,
  userAgent: same(a.userAgent, b.userAgent),
  target: [],
  times: 1,
  preview: a.preview && b.preview,
})

/** What was counted, from when to when; one request alone is its own entry. */
const entryOf = ({ common, times, until }: Counted): LogEntry => {
  if (times === 1) return common
  const from = common.startTime
  const timeCost = Math.max(0, until - from.getTime())
  const span = `${from.toISOString()} to ${new Date(from.getTime() + timeCost).toISOString()}`
  const what = `${times} requests counted, all answered ${common.status}, ${span}`
  return { ...common, timeCost, times, target: [], remark: common.remark === '' ? what : `${common.remark}: ${what}` }
}
