import type { Tx } from '../db/client.ts'
import type { Batches } from './batches.ts'
import type { Held, LateClaim } from './claims.ts'
import type { RecordKind, Touched } from './touch.ts'

/**
 * A request that is alone: the transaction that changes its records claims them too, so that their entries are written
 * without another question. The records of several requests at once are claimed together instead.
 */
export interface Ahead {
  /**
   * Call it when the transaction has changed its records. It may be called again, if that is tried again.
   * @returns sends the claim, or the intents of new people, who were claimed already; with the last statements of the
   *   transaction
   */
  claim(tx: Tx, touched: readonly Touched[]): Promise<() => Promise<void>>
  /** Call it when the transaction failed. */
  failed(error: unknown): void
  /** What was claimed, for the caller to write or give back; null: nothing, or it was taken before. */
  take(): Held | null
  /** Call it when the request waits no longer for its records. */
  end(): void
}

const nothing = async (): Promise<void> => {}

/** It claims nothing. */
export const nothingAhead: Ahead = { claim: async () => nothing, failed: () => {}, take: () => null, end: () => {} }

/** Up to this many records are claimed by the transaction that changes them. */
const few = 20

/** @param isAlone whether no other request brings records to the directory, and they can be brought there now */
export const openAhead = ({ late }: Pick<Batches, 'late'>, isAlone: () => boolean) => {
  let underWay = 0
  return (): Ahead => {
    let isCounted = false
    let claim: LateClaim | null = null
    const end = (): void => {
      if (isCounted) underWay -= 1
      isCounted = false
    }
    return {
      async claim(tx, touched) {
        claim = null
        if (touched.length === 0 || touched.length > few) return nothing
        if (!isCounted && (underWay > 0 || !isAlone())) return nothing
        if (!isCounted) underWay += 1
        isCounted = true
        const idsOf = (kind: RecordKind) => touched.flatMap((one) => (one.kind === kind ? [one.id] : []))
        const sent = late({ user: idsOf('user'), group: idsOf('group') })
        claim = sent
        const areNew = touched.every(({ kind, version }) => kind === 'group' || version === 1)
        if (!areNew || !touched.some(({ kind }) => kind === 'user')) return () => sent.send(tx)
        return sent.sendAhead(tx)
      },
      failed(error) {
        end()
        claim?.failed(error)
      },
      take() {
        const held = claim?.held() ?? null
        claim = null
        return held
      },
      end,
    }
  }
}
