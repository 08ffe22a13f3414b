import { randomUUID } from 'node:crypto'
import { allDone } from '../all-done.ts'
import type { Tx } from '../db/client.ts'
import { inOrder } from '../db/in-order.ts'
import { LeaseLostError } from '../db/lease.ts'
import { isConnectionLost } from '../db/unavailable.ts'
import type { BeforeWrite } from '../ldap/directory.ts'
import { isUnavailable } from '../ldap/directory-error.ts'
import { semaphore } from '../semaphore.ts'
import type { Statement } from '../statement.ts'
import type { Took } from './batches.ts'
import { intentOf } from './intents.ts'
import type { Ledger } from './ledger.ts'
import { type Claim, lease } from './ledger-claim.ts'
import type { Scope } from './ledger-leases.ts'
import type { Claimed } from './ledger-rows.ts'
import { afterPeople, type ClaimedGroups } from './list-changes.ts'
import type { Outcome } from './outcome.ts'
import type { BatchPlan } from './plan-batch.ts'
import { statements } from './statements.ts'
import type { RecordKind } from './touch.ts'

export interface ClaimsOptions {
  ledger: Pick<Ledger, 'claim' | 'claimWith' | 'intendAhead' | 'renew' | 'record' | 'release'>
  /** See plan-ahead.ts. */
  planAhead: (claim: Claimed) => Promise<BatchPlan | null>
  makeEqual: (claim: Claimed, requireLease: BeforeWrite) => AsyncIterable<Outcome[]>
  /** Called with the stored outcomes. */
  recorded: (outcomes: readonly Outcome[]) => Promise<void>
  /** Milliseconds since 1970. */
  now?: (() => number) | undefined
}

/** Records that are held under a lease, and written soon. */
export interface Held {
  kind: RecordKind
  /** Makes the entries equal to the records, and releases the lease in any case. */
  write(took: Took): Promise<Written>
  /** Releases the lease; nothing was written. */
  giveBack(): Promise<void>
}

/** The outcomes. Of people whose groups were claimed with them, those of the groups too, unless these were given back. */
export type Written = Record<RecordKind, Outcome[]>

/** People and the groups that change with them, or either. */
export type Wanted = Readonly<Record<RecordKind, readonly number[]>>

/** A claim that is sent with the last statements of a transaction. */
export interface LateClaim {
  /** It may be sent again, if the transaction is tried again. */
  send(tx: Tx): Promise<void>
  /**
   * Sends it, and plans new people among them as soon as they are claimed. What it returns stores their intents, with the
   * last statements of the same transaction.
   */
  sendAhead(tx: Tx): Promise<() => Promise<void>>
  /** Call it once the transaction has ended. null: nothing was claimed. */
  held(): Held | null
  /** Call it when the transaction failed. */
  failed(error: unknown): void
}

type Store = (outcomes: Outcome[]) => Promise<void>

export const noOutcomes: Written = { user: [], group: [] }

/** Claims records, makes their entries equal to them and stores the outcomes, for the loop and for requests alike. */
export const openClaims = ({ ledger, planAhead, makeEqual, recorded, now = Date.now }: ClaimsOptions) => {
  /** Claims to release when the database is available again. */
  const unreleased: Claim[] = []
  /** What is due is claimed one batch after the other: the first is read, planned and written the sooner. */
  const inTurn = semaphore(1)
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

  /** @param store stores the outcomes */
  const write = async (claim: Claimed, since: number, store: Store): Promise<Outcome[]> => {
    const kept = lease.keep({ renew: () => ledger.renew(claim), since, now })
    const outcomes: Outcome[] = []
    try {
      for await (const some of makeEqual(claim, kept.confirm)) {
        await store(some)
        outcomes.push(...some)
      }
      return outcomes
    } catch (error) {
      // The directory is not the cause: the rest of the batch is claimed again, by this or another instance.
      if (error instanceof LeaseLostError) {
        lost += 1
        await giveBack(claim, statements.lease_lost())
        return outcomes
      }
      await giveBack(claim, isUnavailable(error) ? error.stated : statements.internal_error())
      throw error
    } finally {
      kept.end()
    }
  }

  /** @param groupsHolder see `record` of the ledger */
  const storing =
    (claim: Claimed, took: Took, groupsHolder: string | null = null): Store =>
    async (some) => {
      const stored = await ledger.record(claim, some, groupsHolder)
      await recorded(some)
      took(some, stored)
    }

  const heldSince = (claim: Claimed, since: number): Held => ({
    kind: claim.kind,
    giveBack: () => giveBack(claim, null),
    async write(took) {
      const outcomes = await write(claim, since, storing(claim, took))
      return { ...noOutcomes, [claim.kind]: outcomes }
    },
  })

  /**
   * The lists of the groups are written while the outcomes of the people are stored, where these say what the lists have.
   * Their own outcomes are stored after them: one that is stored says that the list has what the ledger says of the people.
   */
  const bothSince = (people: Claimed, groups: ClaimedGroups, since: number): Held => ({
    kind: 'user',
    giveBack: async () => void (await allDone([giveBack(people, null), giveBack(groups, null)])),
    async write(took) {
      let lists: Outcome[] = []
      let isLeft = true
      const store: Store = async (some) => {
        const changed = isLeft ? afterPeople(groups, people, some) : null
        if (changed === null) {
          if (isLeft) await giveBack(groups, null)
          isLeft = false
          return storing(people, took)(some)
        }
        isLeft = false
        const stored = storing(people, took, groups.owner)(some)
        const storeLists: Store = async (listed) => {
          await stored
          return storing(groups, took)(listed)
        }
        const [outcomes] = await allDone([write(changed, since, storeLists), stored.then(() => [])])
        lists = outcomes ?? []
      }
      try {
        return { user: await write(people, since, store), group: lists }
      } finally {
        if (isLeft) await giveBack(groups, null)
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
    const taken = () => ledger.claim(kind, owner, scope, limit, except)
    const claim = await (scope === 'due' ? inTurn.run(taken) : taken()).catch((error: unknown) => {
      mayBeHeld({ kind, owner, ids: [] })
      throw error
    })
    if (claim.ids.length === 0) return []
    return write(claim, asked, storing(claim, took))
  }

  const late = (wanted: Wanted): LateClaim => {
    const claims = (['user', 'group'] as const).flatMap((kind): Claim[] =>
      wanted[kind].length === 0 ? [] : [{ kind, owner: randomUUID(), ids: [...wanted[kind]] }],
    )
    let claimed: Claimed[] = []
    /** null: it was not sent. */
    let asked: number | null = null
    return {
      async send(tx) {
        asked = now()
        claimed = await allDone(ledger.claimWith(tx, claims))
      },
      async sendAhead(tx) {
        asked = now()
        const answers = ledger.claimWith(tx, claims)
        const all = allDone(answers).then((each) => {
          claimed = each
        })
        // It fails before anything waits for it where the first of them fails.
        all.catch(() => {})
        const people = await answers[0]
        const plan = people ? await planAhead(people) : null
        return async () => {
          await inOrder(
            () => all,
            async () => {
              if (people?.kind !== 'user' || plan === null) return
              const intents = plan.others.flatMap((one) => intentOf('user', one))
              people.ahead = { plan, intended: await ledger.intendAhead(tx, people, intents) }
            },
          )
        }
      },
      held() {
        const [first, second] = claimed.filter(({ ids }) => ids.length > 0)
        if (asked === null || first === undefined) return null
        return second?.kind === 'group' ? bothSince(first, second, asked) : heldSince(first, asked)
      },
      failed(error) {
        if (asked !== null && isConnectionLost(error)) for (const claim of claims) mayBeHeld(claim)
      },
    }
  }

  const giveBackLate = async (): Promise<void> => {
    for (const claim of unreleased.splice(0)) await giveBack(claim, null)
  }
  return { carryOut, late, giveBackLate, lostLeases: () => lost }
}
