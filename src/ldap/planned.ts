import type { Write } from './directory.ts'
import type { Reached } from './ledger-record.ts'
import type { Found, Item } from './plan.ts'

/** What a batch did to one record. */
export type Action = 'added' | 'updated' | 'moved' | 'removed' | 'unchanged' | 'failed'

export interface Converged extends Reached {
  name: string
  action: Action
}

/** A record and what has to be written for it. */
export interface Planned {
  item: Item
  /** null: none was found, or (for a record never written) none was looked for. */
  found: Found | null
  writes: Write[]
}

export const outcome = (item: Item, result: Reached['outcome'], action: Action): Converged => ({
  id: item.id,
  version: item.version,
  outcome: result,
  from: item.dn,
  fromTarget: item.targetDn,
  dn: item.dn,
  entryCsn: null,
  unseen: false,
  error: '',
  delay: 0,
  name: item.name,
  action,
})

/** Milliseconds until try number `attempts` + 1: doubling from a quarter of a second to five minutes, with jitter. */
export const backoff = (attempts: number): number => Math.min(300_000, 250 * 2 ** attempts) * (0.75 + Math.random() / 2)

/** It is tried again by itself. */
export const retry = ({ item, found }: Planned): Converged => ({
  ...outcome(item, 'retry', 'failed'),
  dn: found?.dn ?? null,
  delay: backoff(item.attempts),
})

export const nameTaken = (one: Planned): Converged => ({
  ...retry(one),
  error: 'its name is still taken by another record',
})

export const success = ({ item, found, writes }: Planned): Converged => {
  if (item.wanted === null) return outcome(item, 'removed', 'removed')
  const first = writes[0]?.kind
  const action = first === 'add' ? 'added' : first === 'rename' ? 'moved' : first === 'modify' ? 'updated' : 'unchanged'
  return {
    ...outcome(item, 'in_sync', action),
    dn: item.wanted.dn,
    // Only a comparison that found nothing to do has seen the entry as it is now.
    entryCsn: action === 'unchanged' ? (found?.entry.attributes.entryCSN?.[0] ?? null) : null,
  }
}
