import type { Outcome } from '../plan/outcome.ts'
import type { RecordKind } from '../touch.ts'
import type { Batches, OnStored } from './batches.ts'
import { batchSize } from './batches.ts'

export interface SharedSteps {
  /** Brings records of one request to the directory, in a batch with those of other requests. */
  step(kind: RecordKind, ids: readonly number[], onStored: OnStored): Promise<Outcome[]>
  /** Whether nothing is under way. */
  isIdle(): boolean
}

/** Milliseconds after which a batch keeps the next one waiting no longer: one of its entries is slow. */
const slow = 50

/** What one request waits for. */
interface Waiting {
  ids: readonly number[]
  onStored: OnStored
  resolve: (outcomes: Outcome[]) => void
  reject: (error: unknown) => void
}

/**
 * While a batch is under way, the records of the requests that come meanwhile wait together for the next one: each of
 * its statements and searches is made once for all of them. A request alone does not wait. Batches of one process do not
 * hold each other's records, as those of requests that change the same group at the same time otherwise would.
 */
export const sharedSteps = (step: Batches['step']): SharedSteps => {
  const waiting: Record<RecordKind, Waiting[]> = { user: [], group: [] }
  const underWay: Record<RecordKind, number> = { user: 0, group: 0 }

  const carryOut = async (kind: RecordKind, requests: readonly Waiting[]): Promise<void> => {
    const ids = [...new Set(requests.flatMap((one) => one.ids))]
    try {
      const outcomes = await step(kind, { ids, onlyPending: true }, (some, recorded) => {
        for (const { onStored } of requests) onStored(some, recorded)
      })
      for (const { ids, resolve } of requests) resolve(outcomes.filter(({ id }) => ids.includes(id)))
    } catch (error) {
      for (const { reject } of requests) reject(error)
    }
  }

  const next = (kind: RecordKind): void => {
    if (underWay[kind] > 0 || waiting[kind].length === 0) return
    underWay[kind] += 1
    let isAwaited = true
    const end = (): void => {
      if (!isAwaited) return
      isAwaited = false
      underWay[kind] -= 1
      next(kind)
    }
    const timer = setTimeout(end, slow)
    void carryOut(kind, firstOf(waiting[kind], batchSize[kind])).finally(() => {
      clearTimeout(timer)
      end()
    })
  }

  return {
    step: (kind, ids, onStored) =>
      new Promise((resolve, reject) => {
        waiting[kind].push({ ids, onStored, resolve, reject })
        next(kind)
      }),
    isIdle: () => underWay.user + underWay.group === 0,
  }
}

/** Takes requests with up to this many records together out of the queue, one at least. */
const firstOf = (queue: Waiting[], max: number): Waiting[] => {
  let count = 1
  for (let records = queue[0]?.ids.length ?? 0; count < queue.length; count += 1) {
    records += queue[count]?.ids.length ?? 0
    if (records > max) break
  }
  return queue.splice(0, count)
}
