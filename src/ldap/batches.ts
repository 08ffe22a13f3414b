import { randomUUID } from 'node:crypto'
import { allDone } from '../all-done.ts'
import type { Permit } from './directory.ts'
import { isUnavailable } from './directory-error.ts'
import { type Ledger, leaseSeconds, type Scope } from './ledger.ts'
import type { Claim } from './ledger-claim.ts'
import type { Converged } from './planned.ts'
import type { RecordKind } from './touch.ts'

/** Brings records to the directory, a batch at a time, each under a lease that is given back however it ends. */
export interface Batches {
  /**
   * Claims a batch, makes it equal, writes down what came of it. Empty: there was nothing to claim.
   * @param took is told of those written down, also when it throws for the others
   */
  step(kind: RecordKind, scope: Scope, took?: (reached: Converged[]) => void): Promise<Converged[]>
  /**
   * Batch after batch until nothing is due. While one is with the directory, the next is read from SQL.
   * @returns whether there was anything
   */
  everythingDue(kind: RecordKind, took: (reached: Converged[]) => void): Promise<boolean>
  /** Gives back what could not be given back when the database was away. */
  giveBackLate(): Promise<void>
}

/** Nothing is wrong with the directory: what is left of the batch is taken up again, here or by others. */
class LeaseLost extends Error {}

interface BatchesOptions {
  ledger: Ledger
  makeEqual: (claim: Claim, permit: Permit) => AsyncIterable<Converged[]>
  /** Resolves when the directory can be written to. */
  ready: () => Promise<void>
  stopped: () => boolean
  /** Milliseconds since 1970. */
  now?: (() => number) | undefined
}

/** A lease counts as lost when so many milliseconds of it are left: a write takes its time, too. */
const leaseMargin = 2000

export const batchSize: Readonly<Record<RecordKind, number>> = { user: 1000, group: 50 }
/** How many batches are under way at once. Groups depend on each other's places and go one at a time. */
const lanes: Readonly<Record<RecordKind, number>> = { user: 2, group: 1 }

export const openBatches = ({ ledger, makeEqual, ready, stopped, now = Date.now }: BatchesOptions): Batches => {
  /** Claims to be given back as soon as the database, which was away, is there again. */
  const unreleased: Claim[] = []

  const giveBack = async (claim: Claim, reason: string): Promise<void> => {
    try {
      await ledger.release(claim, reason)
    } catch {
      unreleased.push(claim)
    }
  }

  const step: Batches['step'] = async (kind, scope, took = () => {}) => {
    await ready()
    const owner = randomUUID()
    // From before it was asked for: on the way there and back it may have taken any time.
    let heldSince = now()
    const hasLease = (): boolean => now() >= heldSince && now() < heldSince + leaseSeconds * 1000 - leaseMargin
    const permit = (): void => {
      if (!hasLease()) throw new LeaseLost('this process stood still for so long that others may have taken over')
    }
    const claim = await ledger.claim(kind, owner, scope, batchSize[kind]).catch((error: unknown) => {
      // The database may have taken it down and gone away before it could say so.
      unreleased.push({ kind, owner, ids: [] })
      throw error
    })
    if (claim.ids.length === 0) return []
    const renew = async (): Promise<void> => {
      const asked = now()
      const renewed = await ledger.renew(claim)
      // Once lost, it stays lost: somebody may have written meanwhile.
      if (renewed && hasLease()) heldSince = asked
    }
    const renewal = setInterval(() => renew().catch(() => undefined), (leaseSeconds * 1000) / 3)
    const all: Converged[] = []
    try {
      for await (const reached of makeEqual(claim, permit)) {
        await ledger.record(claim, reached)
        took(reached)
        all.push(...reached)
      }
      return all
    } catch (error) {
      if (error instanceof LeaseLost) {
        await giveBack(claim, error.message)
        return all
      }
      await giveBack(claim, isUnavailable(error) ? error.message : 'internal error, see the log')
      throw error
    } finally {
      clearInterval(renewal)
    }
  }

  const everythingDue = async (kind: RecordKind, took: (reached: Converged[]) => void): Promise<boolean> => {
    let worked = false
    const lane = async (): Promise<void> => {
      while (!stopped()) {
        const reached = await step(kind, 'due', took)
        if (reached.length === 0) return
        worked = true
      }
    }
    await allDone(Array.from({ length: lanes[kind] }, lane))
    return worked
  }

  const giveBackLate = async (): Promise<void> => {
    for (const claim of unreleased.splice(0)) await giveBack(claim, '')
  }

  return { step, everythingDue, giveBackLate }
}
