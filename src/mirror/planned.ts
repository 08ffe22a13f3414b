import type { DirectoryError, Write } from '../ldap/directory.ts'
import type { Reached } from './ledger-record.ts'
import type { Found, Item } from './plan.ts'
import { notKept, type Repair } from './repairs.ts'

/** What a batch did to one record. */
export type Action = 'added' | 'updated' | 'moved' | 'removed' | 'unchanged' | 'failed'

export interface Converged extends Reached {
  name: string
  action: Action
  /** A password of the directory that is to become the record's, in place of this one. */
  adopt?: { value: string; instead: string | null }
  /** What the server said that refused it for reasons of its own (see isServerRefusal): others may meet the same. */
  refusedByServer?: string
}

/** A record and what has to be written for it. */
export interface Planned {
  item: Item
  /** What is to be remembered of the repair, where it is one. */
  repair?: Repair
  /** null: none was found, or (for a record never written) none was looked for. */
  found: Found | null
  writes: Write[]
  /** What is done with attributes of other tools once that is written; null: they stay as they are. */
  foreign: 'strip' | 'putBack' | null
  /** Why the record cannot be where it is to be, whatever is written; '': nothing stands in its way. */
  obstacle: string
  /** It is left as it is: what is written there does not hold. */
  unheld?: true
}

export const uuidOf = (found: Found | null): string | null =>
  found?.entry.attributes.entryUUID?.[0]?.toLowerCase() ?? null

export const outcome = (item: Item, result: Reached['outcome'], action: Action): Converged => ({
  id: item.id,
  version: item.version,
  outcome: result,
  from: item.dn,
  fromTarget: item.targetDn,
  dn: item.dn,
  entryCsn: null,
  entryUuid: item.entryUuid,
  forgetKept: false,
  unseen: false,
  error: '',
  delay: 0,
  name: item.name,
  action,
})

/** Milliseconds until try number `attempts` + 1: doubling from a quarter of a second to five minutes, with jitter. */
export const backoff = (attempts: number): number => Math.min(300_000, 250 * 2 ** attempts) * (0.75 + Math.random() / 2)

/** Likewise for what the server refuses for reasons of its own: from a second to an hour. */
export const serverBackoff = (attempts: number): number =>
  Math.min(3_600_000, 1000 * 2 ** attempts) * (0.75 + Math.random() / 2)

/** It is tried again by itself. */
export const retry = ({ item, found }: Pick<Planned, 'item' | 'found'>): Converged => ({
  ...outcome(item, 'retry', 'failed'),
  dn: found?.dn ?? null,
  entryUuid: uuidOf(found) ?? item.entryUuid,
  delay: backoff(item.attempts),
})

export const refusedByServer = (
  one: Pick<Planned, 'item' | 'found'>,
  { message, diagnosis }: DirectoryError,
): Converged => ({
  ...retry(one),
  delay: serverBackoff(one.item.attempts),
  error: message,
  refusedByServer: diagnosis,
})

/** It was not tried: the server has just refused others. */
export const unsent = (one: Planned, reason: string): Converged => ({
  ...retry(one),
  outcome: 'unsent',
  delay: 0,
  error: reason,
})

export const nameTaken = (one: Planned): Converged => ({
  ...retry(one),
  error: 'its name is still taken by another record',
})

/** It may have been looked for, or found, at what is not its place any more. */
export const uncertain = (one: Pick<Planned, 'item' | 'found'>): Converged => ({
  ...retry(one),
  unseen: true,
  error: 'it is being moved, or a group above it',
})

/** Something stands where it is to be that is not ours to touch. */
export const obstructed = ({ item, found, obstacle }: Pick<Planned, 'item' | 'found' | 'obstacle'>): Converged => ({
  ...outcome(item, 'parked', 'failed'),
  dn: found?.dn ?? null,
  entryUuid: uuidOf(found) ?? item.entryUuid,
  error: obstacle,
})

/** One whose last repairs did not hold, and that is not repaired again for now. */
export const unheld = ({ item, found }: Planned): Converged => ({
  ...outcome(item, 'parked', 'failed'),
  dn: found?.dn ?? null,
  entryCsn: found?.entry.attributes.entryCSN?.[0] ?? null,
  error: notKept,
})

export const success = (planned: Planned): Converged => {
  const { item, found, writes, obstacle, repair } = planned
  if (obstacle !== '') return obstructed(planned)
  if (item.wanted === null) return outcome(item, 'removed', 'removed')
  const first = writes[0]?.kind
  const action = first === 'add' ? 'added' : first === 'rename' ? 'moved' : first === 'modify' ? 'updated' : 'unchanged'
  return {
    ...outcome(item, 'in_sync', action),
    dn: item.wanted.dn,
    // An entry that was added is another one than was known: see entry-name.ts.
    entryUuid: action === 'added' ? null : (uuidOf(found) ?? item.entryUuid),
    error: item.password?.note ?? '',
    ...(item.password && { passwordDigest: item.password.settled }),
    ...(item.password && item.password.foreign !== null && { foreignPassword: item.password.foreign }),
    ...(item.password?.adopt && { adopt: { value: item.password.adopt, instead: item.secret } }),
    ...(repair && { repair }),
    // Only a comparison that found nothing to do has seen the entry as it is now; one whose password is being adopted is
    // looked at again.
    entryCsn: action === 'unchanged' && !item.password?.adopt ? (found?.entry.attributes.entryCSN?.[0] ?? null) : null,
  }
}
