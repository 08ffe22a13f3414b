import type { Statement } from '../../failures/statement.ts'
import type { DirectoryError } from '../../ldap/directory.ts'
import type { MergedPassword } from '../passwords/password-merge.ts'
import { joined, statements } from '../statements.ts'
import type { Item } from './item.ts'
import { mainWrite, type Plan, uuidOf, writesFor } from './plan.ts'
import type { Repair } from './repairs.ts'

/** What a batch did to one entry. */
export type Action = 'added' | 'updated' | 'moved' | 'removed' | 'unchanged' | 'failed'

/** The result for one item, as it is stored in the ledger. */
export interface Outcome {
  id: number
  version: number
  /** `waiting`: for the entry of the group above it. `unsent`: still due, and not tried. */
  result: 'in_sync' | 'removed' | 'retry' | 'unsent' | 'parked' | 'waiting'
  /** The DN of its entry when the work began, and the DN to which an interrupted write may have moved it. */
  from: string | null
  fromTarget: string | null
  /** The DN at which the directory has it now; null: it has none. */
  dn: string | null
  /** The directory did not return its DN: the DN in the ledger is kept. */
  unseen: boolean
  entryCsn: string | null
  /** The entryUUID; null: the entry was added and not read since. */
  entryUuid: string | null
  /** The stored foreign attributes are on the entry again. */
  forgetKept: boolean
  /** The state of its password; see password-merge.ts. Absent: unchanged. */
  passwordDigest?: string | null
  /** Which password that state is of; stored with it. */
  passwordId?: string | null
  /** Whether its entry holds a password that Steward does not know. Absent: unchanged. */
  foreignPassword?: boolean
  /** The repair to store. Absent: unchanged. */
  repair?: Repair
  /** Why it is not done, or what its entry does not show; null: nothing. */
  error: Statement | null
  /** Milliseconds until the next attempt; only for `retry`. */
  delay: number
  name: string
  action: Action
  /** A password of the directory that replaces this password of the record. */
  adopt?: { value: string; instead: string | null }
  /** Its entry had an earlier password of the record; the present one was written. */
  hadFormerPassword?: boolean
  /**
   * The error of a server that refused it for reasons that do not depend on the record (see isServerRefusal): it may
   * refuse others too.
   */
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
  error: null,
  delay: 0,
  name: item.name,
  action,
})

/**
 * Milliseconds until attempt number `attempts` + 1: it doubles from a quarter of a second to five minutes, with jitter.
 */
export const backoff = (attempts: number): number => Math.min(300_000, 250 * 2 ** attempts) * (0.75 + Math.random() / 2)

/** The same for refusals that do not depend on the record: from a second to an hour. */
export const serverBackoff = (attempts: number): number =>
  Math.min(3_600_000, 1000 * 2 ** attempts) * (0.75 + Math.random() / 2)

/** It is retried automatically. */
export const retry = ({ item, found }: Pick<Plan, 'item' | 'found'>): Outcome => ({
  ...outcomeOf(item, 'retry', 'failed'),
  dn: found?.dn ?? null,
  entryUuid: uuidOf(found) ?? item.entryUuid,
  delay: backoff(item.attempts),
})

export const refusedByServer = (one: Pick<Plan, 'item' | 'found'>, { stated, diagnosis }: DirectoryError): Outcome => ({
  ...retry(one),
  delay: serverBackoff(one.item.waitedForPlace ? 0 : one.item.attempts),
  error: stated,
  refusedByServer: diagnosis,
})

/** It was not tried, because the server has just refused others. */
export const unsent = (one: Plan, reason: Statement): Outcome => ({
  ...retry(one),
  result: 'unsent',
  delay: 0,
  error: reason,
})

export const nameTaken = (one: Pick<Plan, 'item' | 'found'>): Outcome => ({
  ...retry(one),
  error: statements.name_held(),
})

/** It stays until the group that it is to be below has left: no entry can be moved below itself. */
export const belowItself = (one: Pick<Plan, 'item' | 'found'>): Outcome => ({
  ...retry(one),
  error: statements.below_itself(),
})

/** Its place is taken, and it was not searched before: nothing was written for it, so that entry is another's. */
export const searchNext = (one: Pick<Plan, 'item' | 'found'>): Outcome => ({
  ...retry(one),
  delay: 0,
  error: statements.place_taken({ dn: one.item.wanted?.dn ?? '' }),
})

/** Its DN may have changed since its entry was searched. */
export const uncertain = (one: Pick<Plan, 'item' | 'found'>): Outcome => ({
  ...retry(one),
  unseen: true,
  error: statements.being_moved(),
})

/** An entry of another program has the DN and may not be changed. */
const obstructed = ({ item, found, obstacle }: Pick<Plan, 'item' | 'found' | 'obstacle'>): Outcome => ({
  ...outcomeOf(item, 'parked', 'failed'),
  dn: found?.dn ?? null,
  entryUuid: uuidOf(found) ?? item.entryUuid,
  error: obstacle,
})

/** An item that cannot be done, and what would have been written for it. */
export interface Obstructed {
  one: Plan
  outcome: Outcome
}

/** The same of an entry that was to leave its DN, with what would have been written; otherwise the outcome alone. */
export const obstructedAt = (
  { item, found }: Pick<Plan, 'item' | 'found'>,
  obstacle: Plan['obstacle'],
): Obstructed | Outcome => {
  const outcome = obstructed({ item, found, obstacle })
  if (found === null || found.dn === item.wanted?.dn) return outcome
  return { one: { item, found, writes: writesFor(item, found), foreign: null, obstacle: null }, outcome }
}

/** Too many would be removed at once: nothing is read or written. */
export const removalHeld = (item: Item): Outcome => ({
  ...outcomeOf(item, 'parked', 'failed'),
  unseen: true,
  error: statements.removal_held(),
})

/** Its last repairs did not hold, so it is not repaired again for now. */
export const unheld = ({ item, found }: Plan): Outcome => ({
  ...outcomeOf(item, 'parked', 'failed'),
  dn: found?.dn ?? null,
  entryCsn: found?.entry.attributes.entryCSN?.[0] ?? null,
  error: statements.not_kept(),
})

/** The state of a password, as it is stored once the entry shows it. */
export const stateOf = ({
  settled,
  passwordId,
}: MergedPassword): Required<Pick<Outcome, 'passwordDigest' | 'passwordId'>> => ({
  passwordDigest: settled,
  passwordId,
})

export const success = (planned: Plan): Outcome => {
  const { item, found, writes, obstacle, repair } = planned
  if (obstacle !== null) return obstructed(planned)
  if (item.wanted === null) return outcomeOf(item, 'removed', 'removed')
  const first = mainWrite(writes)?.kind
  if (planned.isPart) return { ...retry(planned), action: 'added', dn: item.wanted.dn, entryUuid: null, delay: 0 }
  const action = first === 'add' ? 'added' : first === 'rename' ? 'moved' : first === 'modify' ? 'updated' : 'unchanged'
  const { password } = item
  const done = outcomeOf(item, 'in_sync', action)
  done.dn = item.wanted.dn
  // An added entry is not the entry of the ledger: see write-one.ts.
  done.entryUuid = action === 'added' ? null : (uuidOf(found) ?? item.entryUuid)
  done.error = joined([password?.note ?? null, item.note])
  if (password) Object.assign(done, stateOf(password))
  if (password && password.foreign !== null) done.foreignPassword = password.foreign
  if (password?.adopt) done.adopt = { value: password.adopt, instead: item.secret }
  if (password?.isFormer) done.hadFormerPassword = true
  if (repair) done.repair = repair
  // Only a comparison without differences has read the current entry. An entry whose password is being adopted, or waits for
  // a test, is read again.
  if (action === 'unchanged' && !password?.adopt && !password?.isUntested && !item.notedOnly) {
    done.entryCsn = found?.entry.attributes.entryCSN?.[0] ?? null
  }
  return done
}
