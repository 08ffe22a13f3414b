import { setTimeout as delay } from 'node:timers/promises'
import { inTime } from '../../concurrency/in-time.ts'
import { type DirectoryError, isUnavailable } from '../../ldap/directory-error.ts'
import { steadyTime } from '../../runtime/clock.ts'
import { errorRecord, type Logger } from '../../runtime/log.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Outcome } from '../plan/outcome.ts'
import type { Reconciler } from '../reconciler.ts'
import type { RecordKind, Touched } from '../touch.ts'
import type { Batches, OnStored, Reservation } from './batches.ts'
import { type HeldClaim, noOutcomes, type Written } from './claims.ts'
import { openEarlyClaims } from './early-claim.ts'
import { sharedSteps } from './shared-steps.ts'

export interface SettleOptions {
  /** Milliseconds that a request waits if it does not say how long. */
  timeout: number
  batches: Pick<Batches, 'step' | 'reserve' | 'claimInTransaction' | 'write'>
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

/** What a request wrote by itself. */
interface OwnWrites {
  /** Whether the server refused one of the records, so that the request does not wait for it. */
  refused: boolean
  /** Whether all of them are certainly there. false: the ledger knows. */
  isThere: boolean
}

const notTried: OwnWrites = { refused: false, isThere: false }

/** Up to this many records are written by the request itself; more are left to the loop. */
const ownRecords = 200

export type Settler = Pick<Reconciler, 'earlyClaim' | 'settle'>

/** Waits until the directory holds what a request changed; see Reconciler.settle. */
export const settler = (options: SettleOptions): Settler => {
  const { batches, ledger, track, log } = options
  const shared = sharedSteps(batches.step)
  const earlyClaim = openEarlyClaims(batches, () => !options.stopped() && !options.paused() && shared.isIdle())

  const writeOwn = async (
    touched: readonly Touched[],
    reserved: Reservation,
    claimed: HeldClaim | null,
  ): Promise<OwnWrites> => {
    let held = claimed
    const step: Step = async (kind, ids, onStored) => {
      if (held?.kind !== kind) return { ...noOutcomes, [kind]: await shared.step(kind, ids, onStored) }
      const mine = held
      held = null
      return batches.write(mine, onStored)
    }
    try {
      return await writeInOrder({ touched, reserved, step })
    } finally {
      await held?.giveBack()
    }
  }

  const writeInOrder = async ({ touched, reserved, step }: WriteOptions): Promise<OwnWrites> => {
    let refused = false
    /** The groups that were written together with the people. */
    const lists = new Set<number>()
    const reached = { user: new Map<number, number>(), group: new Map<number, number>() }
    const equal = { user: new Set<number>(), group: new Set<number>() }
    const groupsDue = new Set<number>()
    const writeKind = async (kind: RecordKind, ids: readonly number[]): Promise<void> => {
      const onStored: OnStored = (_, recorded) => {
        for (const [id, version] of recorded.reached) reached[recorded.kind].set(id, version)
        for (const id of recorded.equal) equal[recorded.kind].add(id)
        for (const { id, people } of recorded.groupsDue) if (people.some((one) => ids.includes(one))) groupsDue.add(id)
      }
      // Groups are written one level after the other, parents first. Once all are there, none needs a second look.
      let left = ids.length
      for (let going = left > 0; going; ) {
        const written = await step(kind, ids, onStored)
        refused ||= [...written.user, ...written.group].some((one) => one.refusedByServer !== undefined)
        if (kind === 'user') for (const { id } of written.group) lists.add(id)
        const count = written[kind].filter(arrived).length
        left -= count
        going = left > 0 && count > 0 && ids.length > 1
      }
    }
    const isThere = ({ kind, id, version }: Touched): boolean => (reached[kind].get(id) ?? -1) >= version

    const users = touched.filter(({ kind }) => kind === 'user')
    const ids = users.map(({ id }) => id)
    await writeKind('user', ids)
    // Those that were written by another, or before, may have changed the DNs in the lists of more groups.
    const others = users.every(isThere) ? [...groupsDue] : await ledger.groupsOnTheirWay(ids)
    reserved.add(others.map((id) => ({ kind: 'group', id })))
    const own = touched.flatMap(({ kind, id }) => (kind === 'group' && !lists.has(id) ? [id] : []))
    await writeKind('group', [...new Set([...own, ...others])])
    return { refused, isThere: touched.every(isThere) && others.every((id) => equal.group.has(id)) }
  }

  const arrival = async (
    touched: readonly Touched[],
    deadline: number,
    reserved: Reservation,
    claimed: HeldClaim | null,
  ): Promise<boolean> => {
    let held = claimed
    for (let wait = 10; ; wait = Math.min(wait * 2, 200)) {
      // Read again each time: another instance may have held one of them a moment ago.
      const { refused, isThere } = touched.length <= ownRecords ? await writeOwn(touched, reserved, held) : notTried
      held = null
      if (isThere) return true
      const { behind, stuck } = await ledger.behind(touched)
      if (behind === 0) return true
      if (refused || stuck === behind || steadyTime() + wait > deadline) return false
      await delay(wait)
    }
  }

  const settle: Settler['settle'] = async (touched, timeout = options.timeout, own = null) => {
    const held = own?.take() ?? null
    if (touched.length === 0 || options.stopped() || options.paused()) {
      await held?.giveBack()
      own?.end()
      if (touched.length === 0) return true
      if (options.stopped()) return false
      options.wake()
      await options.explain()
      return false
    }
    // The loop would take the records at the same time, and each of the two would wait for the other.
    const isOwn = touched.length <= ownRecords
    const reserved = batches.reserve(isOwn ? touched : [])
    if (!isOwn) {
      await held?.giveBack()
      options.wake()
    }
    let isThere = false
    const arriving = arrival(touched, steadyTime() + timeout, reserved, isOwn ? held : null)
      .then((arrived) => {
        isThere = arrived
        return arrived
      })
      .finally(() => {
        own?.end()
        reserved.end()
        if (!isThere) options.wake()
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
  return { settle, earlyClaim }
}

/** Writes records of one kind; of people it may write the groups too that were claimed with them. */
type Step = (kind: RecordKind, ids: readonly number[], onStored: OnStored) => Promise<Written>

interface WriteOptions {
  touched: readonly Touched[]
  reserved: Reservation
  step: Step
}

const arrived = ({ result }: Outcome): boolean => result === 'in_sync' || result === 'removed'
