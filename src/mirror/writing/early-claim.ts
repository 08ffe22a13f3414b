import type { Tx } from '../../db/client.ts'
import { inOrder } from '../../db/in-order.ts'
import type { RecordKind, Touched } from '../touch.ts'
import type { Batches } from './batches.ts'
import type { HeldClaim, TransactionClaim, Wanted } from './claims.ts'

/**
 * A request that is alone: the transaction that changes its records claims them too, so that their entries are written
 * without another question. The records of several requests at once are claimed together instead.
 */
export interface EarlyClaim {
  /**
   * Call it with the statements that change the records, behind them, where it is known before they are answered which
   * records these are. `complete` claims the kinds of records that were not named here.
   */
  begin(tx: Tx, wanted: Wanted): Promise<void>
  /**
   * Call it when the transaction has changed its records. It may be called again, if that is tried again.
   * @returns sends the claim, or the intents of people who were claimed already and whose place is new; with the last
   *   statements of the transaction
   */
  complete(tx: Tx, touched: readonly Touched[]): Promise<() => Promise<void>>
  /** Call it when the transaction failed. */
  failed(error: unknown): void
  /** What was claimed, for the caller to write or give back; null: nothing, or it was taken before. */
  take(): HeldClaim | null
  /** Call it when the request waits no longer for its records. */
  end(): void
}

interface Sent {
  tx: Tx
  claim: TransactionClaim
  /** Of the records that it claims. */
  kinds: Set<RecordKind>
  /** Whether the DNs of the people may be stored. */
  intends: boolean
}

const nothing = async (): Promise<void> => {}

/** It claims nothing. */
export const noEarlyClaim: EarlyClaim = {
  begin: nothing,
  complete: async () => nothing,
  failed: () => {},
  take: () => null,
  end: () => {},
}

/** Up to this many records are claimed by the transaction that changes them. */
const few = 20

/** @param isAlone whether no other request brings records to the directory, and they can be brought there now */
export const openEarlyClaims = (
  { claimInTransaction }: Pick<Batches, 'claimInTransaction'>,
  isAlone: () => boolean,
) => {
  let underWay = 0
  return (): EarlyClaim => {
    let isCounted = false
    /** Of the last attempt. */
    let sent: Sent | null = null
    const end = (): void => {
      if (isCounted) underWay -= 1
      isCounted = false
    }
    /** null: they are not claimed here. */
    const claimOf = (tx: Tx): Sent | null => {
      if (sent?.tx === tx) return sent
      sent = null
      if (!isCounted && (underWay > 0 || !isAlone())) return null
      if (!isCounted) underWay += 1
      isCounted = true
      sent = { tx, claim: claimInTransaction(), kinds: new Set(), intends: false }
      return sent
    }
    const send = async (tx: Tx, wanted: Wanted): Promise<void> => {
      const own = claimOf(tx)
      if (own === null) return
      const { claim, kinds } = own
      const left = (kind: RecordKind) => (kinds.has(kind) ? [] : wanted[kind])
      const rest = { ...wanted, user: left('user'), group: left('group') }
      own.intends ||= wanted.locksNoMore === true && rest.user.length > 0
      for (const kind of ['user', 'group'] as const) if (rest[kind].length > 0) kinds.add(kind)
      if (rest.user.length + rest.group.length > 0) await claim.send(tx, rest)
    }
    return {
      async begin(tx, wanted) {
        if (wanted.user.length + wanted.group.length <= few) await send(tx, wanted)
      },
      async complete(tx, touched) {
        if (sent?.tx !== tx) sent = null
        if (touched.length > few || (sent === null && touched.length === 0)) return nothing
        const own = claimOf(tx)
        if (own === null) return nothing
        const idsOf = (kind: RecordKind) => touched.flatMap((one) => (one.kind === kind ? [one.id] : []))
        const wanted = { user: idsOf('user'), group: idsOf('group') }
        const areNew = touched.every(({ kind, version }) => kind === 'group' || version === 1)
        if (!own.intends && !(areNew && wanted.user.length > 0)) return () => send(tx, wanted)
        const all = send(tx, { ...wanted, locksNoMore: true })
        // It fails before anything waits for it where the first of its statements fails.
        all.catch(() => {})
        const intend = await own.claim.planAhead()
        return async () => {
          await inOrder(
            () => all,
            () => intend(tx),
          )
        }
      },
      failed(error) {
        end()
        sent?.claim.failed(error)
      },
      take() {
        const held = sent?.claim.held() ?? null
        sent = null
        return held
      },
      end,
    }
  }
}
