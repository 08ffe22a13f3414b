import { allDone } from '../../concurrency/all-done.ts'
import type { Directory } from '../../ldap/directory.ts'
import { steadyTime } from '../../runtime/clock.ts'
import type { Scope } from '../ledger/leases.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Recorded } from '../ledger/record-in-one-trip.ts'
import type { Action, Outcome } from '../plan/outcome.ts'
import type { RecordKind } from '../touch.ts'
import { type ClaimsOptions, type HeldClaim, openClaims, type TransactionClaim, type Written } from './claims.ts'

/** Makes entries equal to their records in batches. The lease of a batch is released in any case. */
export interface Batches {
  /**
   * Claims a batch, makes its entries equal to the records and stores the outcomes. Empty: nothing was due.
   * @param onStored is called with the stored outcomes, also if the method throws for the other items
   */
  step(kind: RecordKind, scope: Scope, onStored?: OnStored): Promise<Outcome[]>
  /** Claims of records for a transaction that changes them, and a request that writes them after it. */
  claimInTransaction(): TransactionClaim
  /** Writes what such a claim holds. Otherwise it does what `step` does. */
  write(held: HeldClaim, onStored: OnStored): Promise<Written>
  /**
   * Batch after batch until nothing is due. While the directory processes one, the next is read from SQL.
   * @returns whether anything was due
   */
  everythingDue(kind: RecordKind, onStored: OnStored): Promise<boolean>
  /** Reserves these records for a request of this process, which writes them itself: `everythingDue` does not take them. */
  reserve(records: readonly RecordRef[]): Reservation
  /** Whether anything is due for `everythingDue`. */
  isAnyDue(): Promise<boolean>
  /**
   * Tries a few of the waiting records, without checking that the directory is available.
   * @returns why the server refused them for reasons that do not depend on the record (see isServerRefusal); null: it
   *   accepted one, or did not refuse any for such a reason
   */
  trial(): Promise<string | null>
  /** Why the server refused the whole last batch, although it accepts writes in general; null: it did not. */
  refusal(): string | null
  /** Whether the pause after such a refusal has not ended yet. */
  resting(): boolean
  /** Releases the leases that could not be released while the database was not available. */
  giveBackUnreleased(): Promise<void>
}

/** Told which outcomes were stored, and what the ledger holds since. */
export type OnStored = (outcomes: Outcome[], recorded: Recorded) => void

interface RecordRef {
  kind: RecordKind
  id: number
}

/** The records that one request writes itself. */
export interface Reservation {
  add(records: readonly RecordRef[]): void
  end(): void
}

interface BatchesOptions extends ClaimsOptions {
  directory: Pick<Directory, 'features'>
  ledger: Ledger
  /** Resolves when the directory can be written to. */
  ready: () => Promise<void>
  stopped: () => boolean
  /** Called when the server refused a whole batch. @throws DirectoryError if it does not accept any write */
  doubt: (reason: string) => Promise<void>
}

const takesEffect: ReadonlySet<Action> = new Set(['added', 'updated', 'moved', 'removed'])

export const batchSize: Readonly<Record<RecordKind, number>> = { user: 1000, group: 50 }
/**
 * Where all are written in one transaction. Without, so many would hold their lease too long for the requests that wait for
 * a group below one of them.
 */
const groupsInTransaction = 500
/**
 * People that `everythingDue` claims at once where each is written by itself. More would make the directory no faster, and
 * while they are planned, this process sends it nothing.
 */
const peopleOneByOne = 160
/**
 * Those of its first batch, so that the directory has something to do soon, and how much larger the next one is: while that is
 * claimed and planned, the directory is busy with those before it.
 */
const firstPeople = 16
const growth = 2
/**
 * How many batches run at once. Where each person is written by itself, the directory has those of two while the outcomes of
 * a third are stored and the next is planned. Groups depend on each other's DNs, so their batches run one at a time.
 */
const lanesOf = (kind: RecordKind, transacts: boolean): number => (kind === 'group' ? 1 : transacts ? 2 : 3)

/** How many of the refused records are tried at once. */
const fewAtOnce = 8
/** Milliseconds between such tries, at most. */
const longestRest = 10_000

const maxAtOnce = (kind: RecordKind, transacts: boolean): number =>
  kind === 'group' && transacts ? groupsInTransaction : batchSize[kind]

/** The sizes of the batches of one `everythingDue`. */
const growing = (kind: RecordKind): ((transacts: boolean) => number) => {
  let next = firstPeople
  return (transacts) => {
    if (transacts || kind === 'group') return maxAtOnce(kind, transacts)
    const size = next
    next = Math.min(growth * next, peopleOneByOne)
    return size
  }
}

/** What the server refused last, and when it is retried. */
interface Refusals {
  judge(outcomes: readonly Outcome[]): void
  reason(): string | null
  resting(): boolean
}

const openRefusals = (): Refusals => {
  /** How many batches in a row the server refused completely. */
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
        restUntil = steadyTime() + Math.min(longestRest, 500 * 2 ** ++inARow)
      }
    },
    reason: () => reason,
    resting: () => steadyTime() < restUntil,
  }
}

interface Reservations {
  reserve(records: readonly RecordRef[]): Reservation
  /** The ids of the reserved records of this kind. */
  of(kind: RecordKind): number[]
}

/** Several requests may write the same record. */
const openReservations = (): Reservations => {
  const requests = new Set<RecordRef[]>()
  return {
    reserve(records) {
      const own = [...records]
      requests.add(own)
      return { add: (more) => void own.push(...more), end: () => void requests.delete(own) }
    },
    of: (kind) => [...requests].flatMap((own) => own.flatMap((one) => (one.kind === kind ? [one.id] : []))),
  }
}

export const openBatches = (options: BatchesOptions): Batches => {
  const { directory, ready, stopped, doubt } = options
  const refusals = openRefusals()
  const reservations = openReservations()
  const { carryOut: claimAndWrite, claimInTransaction, giveBackUnreleased, lostLeases } = openClaims(options)
  const carryOut = (kind: RecordKind, scope: Scope, limit: number, onStored?: OnStored): Promise<Outcome[]> =>
    claimAndWrite(kind, scope, limit, { except: () => reservations.of(kind), onStored })

  const judge = async (outcomes: readonly Outcome[]): Promise<void> => {
    refusals.judge(outcomes)
    const reason = refusals.reason()
    if (reason !== null && outcomes.some((one) => one.refusedByServer !== undefined)) await doubt(reason)
  }

  const write: Batches['write'] = async (held, onStored) => {
    await ready().catch(async (error: unknown) => {
      await held.giveBack()
      throw error
    })
    const written = await held.write(onStored)
    await judge([...written.user, ...written.group])
    return written
  }

  /** @param sizeOf how many are claimed at once */
  const batch = async (
    kind: RecordKind,
    scope: Scope,
    sizeOf: (transacts: boolean) => number,
    onStored?: OnStored,
  ): Promise<Outcome[]> => {
    await ready()
    const { transactions } = await directory.features()
    const limit = scope === 'due' && refusals.reason() !== null ? fewAtOnce : sizeOf(transactions)
    const outcomes = await carryOut(kind, scope, limit, onStored)
    await judge(outcomes)
    return outcomes
  }

  const step: Batches['step'] = (kind, scope, onStored) =>
    batch(kind, scope, (transacts) => maxAtOnce(kind, transacts), onStored)

  const everythingDue: Batches['everythingDue'] = async (kind, onStored) => {
    let worked = false
    const sizeOf = growing(kind)
    const lane = async (): Promise<void> => {
      while (!stopped()) {
        const lost = lostLeases()
        const outcomes = await batch(kind, 'due', sizeOf, onStored)
        // What a lost lease held is due again.
        if (outcomes.length === 0 && lostLeases() === lost) return
        worked = true
        if (refusals.reason() !== null) return
      }
    }
    await ready()
    const { transactions } = await directory.features()
    await allDone(Array.from({ length: lanesOf(kind, transactions) }, lane))
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

  const isAnyDue = (): Promise<boolean> =>
    options.ledger.isAnyDue(new Map((['user', 'group'] as const).map((kind) => [kind, reservations.of(kind)])))

  return {
    step,
    claimInTransaction,
    write,
    everythingDue,
    reserve: reservations.reserve,
    isAnyDue,
    trial,
    refusal: refusals.reason,
    resting: refusals.resting,
    giveBackUnreleased,
  }
}
