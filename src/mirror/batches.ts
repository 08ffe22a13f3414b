import { randomUUID } from 'node:crypto'
import { allDone } from '../all-done.ts'
import { LeaseLostError } from '../db/lease.ts'
import type { BeforeWrite } from '../ldap/directory.ts'
import { isUnavailable } from '../ldap/directory-error.ts'
import type { Ledger } from './ledger.ts'
import { type Claim, lease } from './ledger-claim.ts'
import type { Scope } from './ledger-leases.ts'
import type { Action, Outcome } from './outcome.ts'
import type { RecordKind } from './touch.ts'

/** Brings records to the directory, a batch at a time, each under a lease that is given back however it ends. */
export interface Batches {
  /**
   * Claims a batch, makes it equal, writes down what came of it. Empty: there was nothing to claim.
   * @param took is told of those written down, also when it throws for the others
   */
  step(kind: RecordKind, scope: Scope, took?: (outcomes: Outcome[]) => void): Promise<Outcome[]>
  /**
   * Batch after batch until nothing is due. While one is with the directory, the next is read from SQL.
   * @returns whether there was anything
   */
  everythingDue(kind: RecordKind, took: (outcomes: Outcome[]) => void): Promise<boolean>
  /**
   * Tries a few of those that wait, without asking whether the directory is ready.
   * @returns why the server refused them for reasons that are not about the record (see isServerRefusal); null: it
   *   accepted one, or refused none for such a reason
   */
  trial(): Promise<string | null>
  /** Why the server refused all it was asked last, though it takes writes in general; null: it did not. */
  refusal(): string | null
  /** Whether it is too early to try again what is due after such a refusal. */
  resting(): boolean
  /** Gives back what could not be given back when the database was away. */
  giveBackLate(): Promise<void>
}

interface BatchesOptions {
  ledger: Ledger
  makeEqual: (claim: Claim, requireLease: BeforeWrite) => AsyncIterable<Outcome[]>
  /** Resolves when the directory can be written to. */
  ready: () => Promise<void>
  stopped: () => boolean
  /** Told what was written down. */
  recorded: (outcomes: readonly Outcome[]) => Promise<void>
  /** Told that the server refused all of a batch. @throws DirectoryError when it takes no writes at all */
  doubt: (reason: string) => Promise<void>
  /** Milliseconds since 1970. */
  now?: (() => number) | undefined
}

const takesEffect: ReadonlySet<Action> = new Set(['added', 'updated', 'moved', 'removed'])

export const batchSize: Readonly<Record<RecordKind, number>> = { user: 1000, group: 50 }
/** How many batches are under way at once. Groups depend on each other's places and go one at a time. */
const lanes: Readonly<Record<RecordKind, number>> = { user: 2, group: 1 }

/** So many records are tried at once of those that the server refuses. */
const fewAtOnce = 8
/** Milliseconds between such tries, at most. */
const longestRest = 10_000

/** What the server refused last, and when that is tried again. */
interface Refusals {
  judge(outcomes: readonly Outcome[]): void
  reason(): string | null
  resting(): boolean
}

const openRefusals = (): Refusals => {
  /** The server refused everything in so many batches, one after the other. */
  let inARow = 0
  let reason: string | null = null
  let restUntil = 0
  return {
    judge(outcomes) {
      const refused = outcomes.find((one) => one.refusedByServer !== undefined)?.refusedByServer
      if (outcomes.some(({ action }) => takesEffect.has(action))) {
        inARow = 0
        reason = null
        restUntil = 0
      } else if (refused !== undefined) {
        reason = refused
        restUntil = Date.now() + Math.min(longestRest, 500 * 2 ** ++inARow)
      }
    },
    reason: () => reason,
    resting: () => Date.now() < restUntil,
  }
}

type CarryOut = (
  kind: RecordKind,
  scope: Scope,
  limit: number,
  took?: (outcomes: Outcome[]) => void,
) => Promise<Outcome[]>

/** Claims a batch, brings it in sync and records the outcomes, for the loop and for requests alike. */
const openClaims = ({ ledger, makeEqual, recorded, now = Date.now }: BatchesOptions) => {
  /** Claims to be given back as soon as the database, which was away, is there again. */
  const unreleased: Claim[] = []

  const giveBack = async (claim: Claim, reason: string): Promise<void> => {
    try {
      await ledger.release(claim, reason)
    } catch {
      unreleased.push(claim)
    }
  }

  const carryOut: CarryOut = async (kind, scope, limit, took = () => {}) => {
    const owner = randomUUID()
    const asked = now()
    const claim = await ledger.claim(kind, owner, scope, limit).catch((error: unknown) => {
      // The database may have taken it down and gone away before it could say so.
      unreleased.push({ kind, owner, ids: [] })
      throw error
    })
    if (claim.ids.length === 0) return []
    const kept = lease.keep({ renew: () => ledger.renew(claim), since: asked, now })
    const all: Outcome[] = []
    try {
      for await (const outcomes of makeEqual(claim, kept.confirm)) {
        await ledger.record(claim, outcomes)
        await recorded(outcomes)
        took(outcomes)
        all.push(...outcomes)
      }
      return all
    } catch (error) {
      // Nothing is wrong with the directory: what is left of the batch is taken up again, here or by others.
      if (error instanceof LeaseLostError) {
        await giveBack(claim, error.message)
        return all
      }
      await giveBack(claim, isUnavailable(error) ? error.message : 'internal error, see the log')
      throw error
    } finally {
      kept.end()
    }
  }

  const giveBackLate = async (): Promise<void> => {
    for (const claim of unreleased.splice(0)) await giveBack(claim, '')
  }
  return { carryOut, giveBackLate }
}

export const openBatches = (options: BatchesOptions): Batches => {
  const { ready, stopped, doubt } = options
  const refusals = openRefusals()
  const { carryOut, giveBackLate } = openClaims(options)

  const step: Batches['step'] = async (kind, scope, took) => {
    await ready()
    const limit = scope === 'due' && refusals.reason() !== null ? fewAtOnce : batchSize[kind]
    const outcomes = await carryOut(kind, scope, limit, took)
    refusals.judge(outcomes)
    const reason = refusals.reason()
    if (reason !== null && outcomes.some((one) => one.refusedByServer !== undefined)) await doubt(reason)
    return outcomes
  }

  const everythingDue: Batches['everythingDue'] = async (kind, took) => {
    let worked = false
    const lane = async (): Promise<void> => {
      while (!stopped()) {
        const outcomes = await step(kind, 'due', took)
        if (outcomes.length === 0) return
        worked = true
        if (refusals.reason() !== null) return
      }
    }
    await allDone(Array.from({ length: lanes[kind] }, lane))
    return worked
  }

  const trial = async (): Promise<string | null> => {
    const tried = [
      ...(await carryOut('user', 'waiting', fewAtOnce / 2)),
      ...(await carryOut('group', 'waiting', fewAtOnce / 2)),
    ]
    refusals.judge(tried)
    return tried.some((one) => one.refusedByServer !== undefined) ? refusals.reason() : null
  }

  return { step, everythingDue, trial, refusal: refusals.reason, resting: refusals.resting, giveBackLate }
}
