import { LRUCache } from 'lru-cache'
import type { AnsweredRequest, Journal } from '../contract/journal.ts'
import { steadyTime } from '../runtime/clock.ts'
import { addressKey } from '../text/throttle-keys.ts'
import { alertOf } from './alert.ts'
import type { RaiseAlert } from './alert-queue.ts'

/** This many refusals of one kind to one caller within the window are a burst. */
const limit = 20
/** Milliseconds. */
const window = 60_000
/** Callers that are counted at once; above it the least recently refused one is dropped. */
const capacity = 10_000

/** What a burst of a code raises. */
const rules: Readonly<Record<number, 'forbiddenBurst' | 'limitBurst'>> = { 403: 'forbiddenBurst', 429: 'limitBurst' }

/**
 * A journal that also counts refusals, per caller and in memory, so that it costs a request almost nothing. One alert
 * for each window: if the burst continues, the next window raises it again.
 */
export const countingBursts = (
  journal: Journal,
  { raise, now = steadyTime }: { raise: RaiseAlert; now?: () => number },
): Journal => {
  /** By code and caller. */
  const counts = new LRUCache<string, { recent: number[]; quietUntil: number }>({ max: capacity })

  const count = ({ code, username, address }: AnsweredRequest): void => {
    const rule = rules[code]
    if (rule === undefined) return
    const caller = username === '' ? addressKey(address).replace(':', ' ') : `user ${username}`
    const key = `${code} ${caller}`
    const at = now()
    const { recent, quietUntil } = counts.get(key) ?? { recent: [], quietUntil: 0 }
    if (quietUntil > at) return
    const instants = [...recent.filter((instant) => instant > at - window), at]
    const isBurst = instants.length >= limit
    counts.set(key, isBurst ? { recent: [], quietUntil: at + window } : { recent: instants, quietUntil: 0 })
    if (!isBurst) return
    void raise(alertOf(rule, { caller, requests: limit, seconds: window / 1000, address }))
  }

  return {
    ...journal,
    note(request) {
      journal.note(request)
      count(request)
    },
  }
}
