import type { Db } from '../db/client.ts'
import type { SshKey } from '../db/schema.ts'
import type { Directory } from '../ldap/directory.ts'
import type { Claim } from './ledger-claim.ts'
import { ledgerDue } from './ledger-due.ts'
import { ledgerLeases } from './ledger-leases.ts'
import { ledgerPasswords } from './ledger-passwords.ts'
import { heldElsewhere, type Intent, intend, knownElsewhere, type Place } from './ledger-places.ts'
import { ledgerReading } from './ledger-reading.ts'
import { record } from './ledger-record.ts'
import { readGroups, readUsers } from './ledger-rows.ts'
import type { Outcome } from './outcome.ts'
import type { PosixSettings } from './posix.ts'
import { assignNumbers, type Numberless } from './posix-numbers.ts'
import { storeTakenKeys } from './ssh-keys.ts'
import type { RecordKind } from './touch.ts'

/**
 * The SQL part of the reconciler: which records are due, which entries they should have, what was reached. Every
 * statement handles a batch. A batch is held under a lease; outcomes that arrive after the lease was lost are not
 * stored.
 */
export const ledger = (db: Db, baseDn: string) => ({
  ...ledgerLeases(db),
  ...ledgerReading(db),
  ...ledgerDue(db),
  ...ledgerPasswords(db),
  users: (ids: readonly number[]) => readUsers(db, ids),
  groups: (ids: readonly number[]) => readGroups(db, baseDn, ids),
  intend: (claim: Claim, intents: readonly Intent[]) => intend(db, claim, intents),
  heldElsewhere: (kind: RecordKind, places: readonly Place[]) => heldElsewhere(db, kind, places),
  knownElsewhere: (kind: RecordKind, entries: readonly { id: number; uuid: string }[]) =>
    knownElsewhere(db, kind, entries),
  assignNumbers: (
    directory: Pick<Directory, 'read'>,
    posix: PosixSettings,
    kind: RecordKind,
    records: readonly Numberless[],
  ) => assignNumbers({ db, directory }, posix, kind, records),
  storeTakenKeys: (taken: ReadonlyMap<number, readonly SshKey[]>) => storeTakenKeys(db, taken),
  record: (claim: Claim, outcomes: readonly Outcome[]) => record(db, claim, outcomes),
})

export type Ledger = ReturnType<typeof ledger>
