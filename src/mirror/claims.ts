import { randomUUID } from 'node:crypto'
import type { Tx } from '../db/client.ts'
import { LeaseLostError } from '../db/lease.ts'
import { isConnectionLost } from '../db/unavailable.ts'
import type { BeforeWrite } from '../ldap/directory.ts'
import { isUnavailable } from '../ldap/directory-error.ts'
import type { Statement } from '../statement.ts'
import type { Took } from './batches.ts'
import type { Ledger } from './ledger.ts'
import { type Claim, lease } from './ledger-claim.ts'
import type { Scope } from './ledger-leases.ts'
import type { Claimed } from './ledger-rows.ts'
import type { Outcome } from './outcome.ts'
import { statements } from './statements.ts'
import type { RecordKind } from './touch.ts'

export interface ClaimsOptions {
  ledger: Pick<Ledger, 'claim' | 'claimWith' | 'renew' | 'record' | 'release'>
  makeEqual: (claim: Claimed, requireLease: BeforeWrite) => AsyncIterable<Outcome[]>
  /** Called with the stored outcomes. */
  recorded: (outcomes: readonly Outcome[]) => Promise<void>
  /** Milliseconds since 1970. */
  now?: (() => number) | undefined
}

/** Records that are held under a lease, and written soon. */
export interface Held {
  kind: RecordKind
  /**
   * Makes the entries equal to the records, and releases the lease in any case.
   * @param next groups that are claimed when outcomes are stored, where that takes no further round trip
   */
  write(took: Took, next?: readonly number[]): Promise<Written>
  /** Releases the lease; nothing was written. */
  giveBack(): Promise<void>
}

export interface Written {
  outcomes: Outcome[]
  /** The groups that were claimed; null: none. */
  next: Held | null
}

/** A claim that is sent with the last statements of a transaction. */
export interface LateClaim {
  /** It may be sent again, if the transaction is tried again. */
  send(tx: Tx): Promise<void>
  /** Call it once the transaction has ended. null: nothing was claimed. */
  held(): Held | null
  /** Call it when the transaction failed. */
  failed(error: unknown): void
}

/** Claims records, makes their entries equal to them and stores the outcomes, for the loop and for requests alike. */
export const openClaims = ({ ledger, makeEqual, recorded, now = Date.now }: ClaimsOptions) => {
  /** Claims to release when the database is available again. */
  const unreleased: Claim[] = []
  let lost = 0

  const giveBack = async (claim: Claim, reason: Statement | null): Promise<void> => {
    try {
      await ledger.release(claim, reason)
    } catch {
      unreleased.push(claim)
    }
  }
  /** The database may have committed it and become unavailable before it could confirm. */
  const mayBeHeld = ({ kind, owner }: Claim): void => void unreleased.push({ kind, owner, ids: [] })

  const record = async (claim: Claimed, outcomes: readonly Outcome[], next: Claim | null) => {
    try {
      return await ledger.record(claim, outcomes, next)
    } catch (error) {
      if (next !== null) mayBeHeld(next)
      throw error
    }
  }

  const heldSince = (claim: Claimed, since: number): Held => ({
    kind: claim.kind,
    giveBack: () => giveBack(claim, null),
    async write(took, nextIds = []) {
      const kept = lease.keep({ renew: () => ledger.renew(claim), since, now })
      const outcomes: Outcome[] = []
      let next: Held | null = null
      try {
        for await (const some of makeEqual(claim, kept.confirm)) {
          const isWanted = nextIds.length > 0 && next === null
          const asked = now()
          const wanted: Claim | null = isWanted ? { kind: 'group', owner: randomUUID(), ids: [...nextIds] } : null
          const stored = await record(claim, some, wanted)
          if (stored.next && stored.next.ids.length > 0) next = heldSince(stored.next, asked)
          await recorded(some)
          took(some, stored)
          outcomes.push(...some)
        }
        return { outcomes, next }
      } catch (error) {
        await next?.giveBack()
        // The directory is not the cause: the rest of the batch is claimed again, by this or another instance.
        if (error instanceof LeaseLostError) {
          lost += 1
          await giveBack(claim, statements.lease_lost())
          return { outcomes, next: null }
        }
        await giveBack(claim, isUnavailable(error) ? error.stated : statements.internal_error())
        throw error
      } finally {
        kept.end()
      }
    },
  })

  const carryOut = async (
    kind: RecordKind,
    scope: Scope,
    limit: number,
    { except, took = () => {} }: { except: readonly number[]; took?: Took | undefined },
  ): Promise<Outcome[]> => {
    const owner = randomUUID()
    const asked = now()
    const claim = await ledger.claim(kind, owner, scope, limit, except).catch((error: unknown) => {
      mayBeHeld({ kind, owner, ids: [] })
      throw error
    })
    if (claim.ids.length === 0) return []
    return (await heldSince(claim, asked).write(took)).outcomes
  }

  const late = (kind: RecordKind, ids: readonly number[]): LateClaim => {
    const wanted: Claim = { kind, owner: randomUUID(), ids: [...ids] }
    let claimed: Claimed | null = null
    /** null: it was not sent. */
    let asked: number | null = null
    return {
      async send(tx) {
        asked = now()
        claimed = await ledger.claimWith(tx, wanted)
      },
      held: () => (claimed !== null && asked !== null && claimed.ids.length > 0 ? heldSince(claimed, asked) : null),
      failed(error) {
        if (asked !== null && isConnectionLost(error)) mayBeHeld(wanted)
      },
    }
  }

  const giveBackLate = async (): Promise<void> => {
    for (const claim of unreleased.splice(0)) await giveBack(claim, null)
  }
  return { carryOut, late, giveBackLate, lostLeases: () => lost }
}
