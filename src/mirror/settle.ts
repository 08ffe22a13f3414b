import { setTimeout as delay } from 'node:timers/promises'
import { inTime } from '../in-time.ts'
import { type DirectoryError, isUnavailable } from '../ldap/directory-error.ts'
import { errorRecord, type Logger } from '../log.ts'
import type { Batches, Leave } from './batches.ts'
import type { Ledger } from './ledger.ts'
import type { Outcome } from './outcome.ts'
import type { RecordKind, Touched } from './touch.ts'

export interface SettleOptions {
  /** Milliseconds that a request waits if it does not say how long. */
  patience: number
  batches: Pick<Batches, 'step' | 'leave'>
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
  const bringHome = async (touched: readonly Touched[], kept: Leave): Promise<boolean> => {
    let refused = false
    const idsOf = (kind: RecordKind) => touched.filter((one) => one.kind === kind).map((one) => one.id)
    const bring = async (kind: RecordKind, ids: readonly number[]): Promise<void> => {
      // Groups are written one level after the other, parents first. A single record needs no second look.
      for (let going = ids.length > 0; going; ) {
        const outcomes = await batches.step(kind, { ids, onlyPending: true })
        refused ||= outcomes.some((one) => one.refusedByServer !== undefined)
        going = ids.length > 1 && outcomes.some(arrived)
      }
    }
    await bring('user', idsOf('user'))
    const others = await ledger.groupsOnTheirWay(idsOf('user'))
    kept.add(others.map((id) => ({ kind: 'group', id })))
    await bring('group', [...idsOf('group'), ...others])
    return refused
  }

  const arrival = async (touched: readonly Touched[], deadline: number, kept: Leave): Promise<boolean> => {
    for (let wait = 10; ; wait = Math.min(wait * 2, 200)) {
      // Read again each time: another instance may have held one of them a moment ago.
      const refused = touched.length <= ownRecords && (await bringHome(touched, kept))
      const { behind, parked } = await ledger.behind(touched)
      if (behind === 0) return true
      if (refused || parked === behind || Date.now() + wait > deadline) return false
      await delay(wait)
    }
  }

  return async (touched: readonly Touched[], timeout = options.patience): Promise<boolean> => {
    if (touched.length === 0) return true
    if (options.stopped()) return false
    if (options.paused()) {
      options.wake()
      await options.explain()
      return false
    }
    // The loop would take the records at the same time, and each of the two would wait for the other.
    const isOwn = touched.length <= ownRecords
    const kept = batches.leave(isOwn ? touched : [])
    if (!isOwn) options.wake()
    const arriving = arrival(touched, Date.now() + timeout, kept).finally(() => {
      kept.end()
      options.wake()
    })
    try {
      const settled = await inTime(timeout, track(arriving), () => false)
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
