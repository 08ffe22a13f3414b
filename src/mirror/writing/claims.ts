import { randomUUID } from 'node:crypto'
import { allDone } from '../../concurrency/all-done.ts'
import { semaphore } from '../../concurrency/semaphore.ts'
import type { Tx } from '../../db/client.ts'
import { LeaseLostError } from '../../db/lease.ts'
import { isConnectionLost } from '../../db/unavailable.ts'
import type { Statement } from '../../failures/statement.ts'
import type { BeforeWrite } from '../../ldap/directory.ts'
import { isUnavailable } from '../../ldap/directory-error.ts'
import { type Moment, thisMoment } from '../../runtime/clock.ts'
import { type Claim, lease } from '../ledger/claim.ts'
import type { Scope } from '../ledger/leases.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Claimed, PlannedAhead } from '../ledger/record-rows.ts'
import { afterPeople, type ClaimedGroups } from '../plan/list-changes.ts'
import type { Outcome } from '../plan/outcome.ts'
import { statements } from '../statements.ts'
import type { RecordKind } from '../touch.ts'
import type { OnStored } from './batches.ts'

export interface ClaimsOptions {
  ledger: Pick<Ledger, 'claim' | 'claimWith' | 'intendAhead' | 'renew' | 'record' | 'recordBoth' | 'release'>
  /** See plan-ahead.ts. */
  planAhead: (claim: Claimed) => Promise<PlannedAhead | null>
  /** See plan-ahead.ts. */
  lookAhead: (claim: Claimed) => void
  makeEqual: (claim: Claimed, requireLease: BeforeWrite) => AsyncIterable<Outcome[]>
  /** Called with the stored outcomes. */
  recorded: (outcomes: readonly Outcome[]) => Promise<void>
  now?: (() => Moment) | undefined
}

/** Records that are held under a lease, and written soon. */
export interface HeldClaim {
  kind: RecordKind
  /** Makes the entries equal to the records, and releases the lease in any case. */
  write(onStored: OnStored): Promise<Written>
  /** Releases the lease; nothing was written. */
  giveBack(): Promise<void>
}

/** The outcomes. Of people whose groups were claimed with them, those of the groups too, unless these were given back. */
export type Written = Record<RecordKind, Outcome[]>

/** People and the groups that change with them, or either. */
export interface Wanted extends Readonly<Record<RecordKind, readonly number[]>> {
  /** The transaction locks no more rows after this: then DNs may be stored for the people. Default: false, it is not known. */
  locksNoMore?: boolean
}

/** Claims that are sent with statements of one transaction. */
export interface TransactionClaim {
  /** Claims these. Once for people and once for groups, or once for both; people first. */
  send(tx: Tx, wanted: Wanted): Promise<void>
  /**
   * Finds out where the claimed people will be as soon as they are, if their DNs may be stored. What it returns stores their
   * intents, with the last statements of the same transaction.
   */
  planAhead(): Promise<(tx: Tx) => Promise<void>>
  /** Call it once the transaction has ended. null: nothing was claimed. */
  held(): HeldClaim | null
  /** Call it when the transaction failed. */
  failed(error: unknown): void
}

type Store = (outcomes: Outcome[]) => Promise<void>

export const noOutcomes: Written = { user: [], group: [] }

const kinds: readonly RecordKind[] = ['user', 'group']

/** Claims records, makes their entries equal to them and stores the outcomes, for the loop and for requests alike. */
export const openClaims = (options: ClaimsOptions) => {
  const { ledger, planAhead, lookAhead, makeEqual, recorded, now = thisMoment } = options
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
  const write = async (claim: Claimed, since: Moment, store: Store): Promise<Outcome[]> => {
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

  const storing =
    (claim: Claimed, onStored: OnStored): Store =>
    async (some) => {
      const stored = await ledger.record(claim, some)
      await recorded(some)
      onStored(some, stored)
    }

  const heldSince = (claim: Claimed, since: Moment): HeldClaim => ({
    kind: claim.kind,
    giveBack: () => giveBack(claim, null),
    async write(onStored) {
      const outcomes = await write(claim, since, storing(claim, onStored))
      return { ...noOutcomes, [claim.kind]: outcomes }
    },
  })

  /**
   * Writes the lists as these outcomes of people say, and stores the outcomes of both together: that of a group says that
   * its list has what the ledger says of the people.
   */
  const withLists = async (
    people: { claim: Claimed; outcomes: Outcome[] },
    groups: ClaimedGroups,
    { since, onStored }: { since: Moment; onStored: OnStored },
  ): Promise<Outcome[]> => {
    let isStored = false
    const store: Store = async (listed) => {
      if (isStored) return storing(groups, onStored)(listed)
      isStored = true
      const stored = await ledger.recordBoth(people, { claim: groups, outcomes: listed })
      await recorded([...people.outcomes, ...listed])
      onStored(people.outcomes, stored.people)
      onStored(listed, stored.groups)
    }
    try {
      return await write(groups, since, store)
    } finally {
      // The lists could not be written.
      if (!isStored) await storing(people.claim, onStored)(people.outcomes)
    }
  }

  /** The lists of the groups are written, and stored, together with the people, where their outcomes say what the lists have. */
  const bothSince = (people: Claimed, groups: ClaimedGroups, since: Moment): HeldClaim => ({
    kind: 'user',
    giveBack: async () => void (await allDone([giveBack(people, null), giveBack(groups, null)])),
    async write(onStored) {
      let lists: Outcome[] = []
      let isLeft = true
      const store: Store = async (some) => {
        const changed = isLeft ? afterPeople(groups, people, some) : null
        if (changed === null) {
          if (isLeft) await giveBack(groups, null)
          isLeft = false
          return storing(people, onStored)(some)
        }
        isLeft = false
        lists = await withLists({ claim: people, outcomes: some }, changed, { since, onStored })
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
    { except, onStored = () => {} }: { except: () => readonly number[]; onStored?: OnStored | undefined },
  ): Promise<Outcome[]> => {
    const owner = randomUUID()
    let asked = now()
    const taken = () => {
      asked = now()
      return ledger.claim({ kind, owner, scope, limit, except: except() })
    }
    const claim = await (scope === 'due' ? inTurn.run(taken) : taken()).catch((error: unknown) => {
      mayBeHeld({ kind, owner, ids: [] })
      throw error
    })
    if (claim.ids.length === 0) return []
    return write(claim, asked, storing(claim, onStored))
  }

  const claimInTransaction = (): TransactionClaim => {
    const claims: Claim[] = []
    const answered = new Map<RecordKind, Promise<Claimed>>()
    const claimed: Claimed[] = []
    let mayIntend = false
    let asked = now()
    return {
      async send(tx, wanted) {
        if (wanted.user.length > 0) mayIntend = wanted.locksNoMore === true
        if (claims.length === 0) asked = now()
        const added = kinds.flatMap((kind): Claim[] =>
          wanted[kind].length === 0 ? [] : [{ kind, owner: randomUUID(), ids: [...wanted[kind]] }],
        )
        claims.push(...added)
        const people = claims.flatMap(({ kind, ids }) => (kind === 'user' ? ids : []))
        const answers = ledger.claimWith(tx, added, { people, mayIntend })
        added.forEach(({ kind }, at) => {
          const answer = answers[at]
          if (answer !== undefined) answered.set(kind, answer)
        })
        const taken = await allDone(answers)
        for (const claim of taken) lookAhead(claim)
        claimed.push(...taken)
      },
      async planAhead() {
        const people = await answered.get('user')
        const ahead = people && mayIntend ? await planAhead(people) : null
        return async (tx) => {
          if (people?.kind !== 'user' || ahead === null) return
          const stored = await ledger.intendAhead(tx, people, ahead.intents)
          people.ahead = { ...ahead, intents: ahead.intents.filter(({ id }) => stored.has(id)) }
        }
      },
      held() {
        const [first, second] = claimed.filter(({ ids }) => ids.length > 0)
        if (first === undefined) return null
        return second?.kind === 'group' ? bothSince(first, second, asked) : heldSince(first, asked)
      },
      failed(error) {
        if (isConnectionLost(error)) for (const claim of claims) mayBeHeld(claim)
      },
    }
  }

  const giveBackUnreleased = async (): Promise<void> => {
    for (const claim of unreleased.splice(0)) await giveBack(claim, null)
  }
  return { carryOut, claimInTransaction, giveBackUnreleased, lostLeases: () => lost }
}
