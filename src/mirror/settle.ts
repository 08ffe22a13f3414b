import { setTimeout as delay } from 'node:timers/promises'
import { inTime } from '../in-time.ts'
import { type DirectoryError, isUnavailable } from '../ldap/directory-error.ts'
import { errorRecord, type Logger } from '../log.ts'
import type { Batches } from './batches.ts'
import type { Ledger } from './ledger.ts'
import type { Outcome } from './outcome.ts'
import type { RecordKind, Touched } from './touch.ts'

export interface SettleOptions {
  batches: Pick<Batches, 'step'>
  ledger: Pick<Ledger, 'behind' | 'groupsOnTheirWay'>
  stopped: () => boolean
  /** Whether the directory is not available and must not be tried now. */
  paused: () => boolean
  /** Wakes the loop. */
  wake: () => void
  /** Stores for all records not in the directory yet why the directory is not available. */
  explain: () => Promise<void>
  /** Stores for all records not in the directory yet and without a reason that the directory did not respond. */
  explainSilence: () => Promise<void>
  lost: (error: DirectoryError) => Promise<void>
  /** Work that continues after the caller stopped waiting. */
  track: <T>(work: Promise<T>) => Promise<T>
  log: Logger
}

/** Up to this many records are written by the request itself; more are left to the loop. */
const ownRecords = 200

/** Waits until the directory holds what a request changed; see Reconciler.settle. */
export const settler = (options: SettleOptions) => {
  const { batches, ledger, track, log } = options

  /** @returns whether the server refused one of them, so that the request does not wait for it */
  const bringHome = async (touched: readonly Touched[]): Promise<boolean> => {
    let refused = false
    const idsOf = (kind: RecordKind) => touched.filter((one) => one.kind === kind).map((one) => one.id)
    const bring = async (kind: RecordKind, ids: readonly number[]): Promise<void> => {
      // Groups are written one level after the other, parents first.
      for (let going = ids.length > 0; going; ) {
        const outcomes = await batches.step(kind, { ids, onlyPending: true })
        refused ||= outcomes.some((one) => one.refusedByServer !== undefined)
        going = outcomes.some(arrived)
      }
    }
    await bring('user', idsOf('user'))
    await bring('group', [...idsOf('group'), ...(await ledger.groupsOnTheirWay(idsOf('user')))])
    return refused
  }

  const arrival = async (touched: readonly Touched[], deadline: number): Promise<boolean> => {
    for (let wait = 10; ; wait = Math.min(wait * 2, 200)) {
      // Read again each time: another instance may have held one of them a moment ago.
      const refused = touched.length <= ownRecords && (await bringHome(touched))
      const { behind, parked } = await ledger.behind(touched)
      if (behind === 0) return true
      if (refused || parked === behind || Date.now() + wait > deadline) return false
      await delay(wait)
    }
  }

  return async (touched: readonly Touched[], timeout = 2000): Promise<boolean> => {
    if (touched.length === 0) return true
    options.wake()
    if (options.stopped()) return false
    if (options.paused()) {
      await options.explain()
      return false
    }
    try {
      const settled = await inTime(timeout, track(arrival(touched, Date.now() + timeout)), () => false)
      if (!settled) await options.explainSilence()
      return settled
    } catch (error) {
      if (isUnavailable(error)) await options.lost(error)
      else log.error({ error: errorRecord(error) }, 'records could not be brought to the directory; they follow')
      return false
    }
  }
}

const arrived = ({ result }: Outcome): boolean => result === 'in_sync' || result === 'removed'
