import type { DirectoryError } from '../ldap/directory.ts'
import type { Item } from './item.ts'
import { type Plan, uuidOf } from './plan.ts'
import { notKept, type Repair } from './repairs.ts'

/** What a batch did to one entry. */
export type Action = 'added' | 'updated' | 'moved' | 'removed' | 'unchanged' | 'failed'

/** What became of one item, as it is written down in the ledger. */
export interface Outcome {
  id: number
  version: number
  /** `waiting`: for the group above it to arrive. `unsent`: it is still due, and was not tried. */
  result: 'in_sync' | 'removed' | 'retry' | 'unsent' | 'parked' | 'waiting'
  /** Where its entry was known to be when the work began, and where an interrupted write might have taken it. */
  from: string | null
  fromTarget: string | null
  /** Where it is now, as far as the directory showed it; null: nowhere. */
  dn: string | null
  /** The directory did not say where it is: what was known of its place stays. */
  unseen: boolean
  entryCsn: string | null
  /** The server's name for the entry; null: it was added and not looked at since. */
  entryUuid: string | null
  /** What was kept of other tools for it is on the entry again. */
  forgetKept: boolean
  /** What is settled of its password by now; see password-merge.ts. Absent: what was. */
  passwordDigest?: string | null
  /** Whether its entry holds a password that is not known here. Absent: what was. */
  foreignPassword?: boolean
  /** What is to be remembered of repairs. Absent: what was. */
  repair?: Repair
  error: string
  /** Milliseconds until the next try; only for `retry`. */
  delay: number
  name: string
  action: Action
  /** A password of the directory that is to become the record's, in place of this one. */
  adopt?: { value: string; instead: string | null }
  /** What the server said that refused it for reasons of its own (see isServerRefusal): others may meet the same. */
  refusedByServer?: string
}

export const outcomeOf = (item: Item, result: Outcome['result'], action: Action): Outcome => ({
  id: item.id,
  version: item.version,
  result,
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
export const retry = ({ item, found }: Pick<Plan, 'item' | 'found'>): Outcome => ({
  ...outcomeOf(item, 'retry', 'failed'),
  dn: found?.dn ?? null,
  entryUuid: uuidOf(found) ?? item.entryUuid,
  delay: backoff(item.attempts),
})

export const refusedByServer = (
  one: Pick<Plan, 'item' | 'found'>,
  { message, diagnosis }: DirectoryError,
): Outcome => ({
  ...retry(one),
  delay: serverBackoff(one.item.attempts),
  error: message,
  refusedByServer: diagnosis,
})

/** It was not tried: the server has just refused others. */
export const unsent = (one: Plan, reason: string): Outcome => ({
  ...retry(one),
  result: 'unsent',
  delay: 0,
  error: reason,
})

export const nameTaken = (one: Pick<Plan, 'item' | 'found'>): Outcome => ({
  ...retry(one),
  error: 'its name is still taken by another record',
})

/** It may have been looked for, or found, at what is not its place any more. */
export const uncertain = (one: Pick<Plan, 'item' | 'found'>): Outcome => ({
  ...retry(one),
  unseen: true,
  error: 'it is being moved, or a group above it',
})

/** An entry of another program is at the place of this one and may not be changed. */
export const obstructed = ({ item, found, obstacle }: Pick<Plan, 'item' | 'found' | 'obstacle'>): Outcome => ({
  ...outcomeOf(item, 'parked', 'failed'),
  dn: found?.dn ?? null,
  entryUuid: uuidOf(found) ?? item.entryUuid,
  error: obstacle,
})

/** One whose last repairs did not hold, and that is not repaired again for now. */
export const unheld = ({ item, found }: Plan): Outcome => ({
  ...outcomeOf(item, 'parked', 'failed'),
  dn: found?.dn ?? null,
  entryCsn: found?.entry.attributes.entryCSN?.[0] ?? null,
  error: notKept,
})

export const success = (planned: Plan): Outcome => {
  const { item, found, writes, obstacle, repair } = planned
  if (obstacle !== '') return obstructed(planned)
  if (item.wanted === null) return outcomeOf(item, 'removed', 'removed')
  const first = writes[0]?.kind
  const action = first === 'add' ? 'added' : first === 'rename' ? 'moved' : first === 'modify' ? 'updated' : 'unchanged'
  return {
    ...outcomeOf(item, 'in_sync', action),
    dn: item.wanted.dn,
    // An entry that was added is another one than was known: see write-one.ts.
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
