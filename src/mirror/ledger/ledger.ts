import type { Tx } from '../../db/client.ts'
import type { SshKey } from '../../db/schema.ts'
import type { Directory } from '../../ldap/directory.ts'
import type { UserFacts } from '../entry/entry-shape.ts'
import { assignFlatNames } from '../entry/flat-names.ts'
import { groupLayoutIn } from '../entry/group-layout.ts'
import { ledgerMemberOf } from '../entry/member-of.ts'
import type { PosixSettings } from '../entry/posix.ts'
import { storeTakenKeys } from '../entry/ssh-keys.ts'
import type { Outcome } from '../plan/outcome.ts'
import type { RecordKind } from '../touch.ts'
import type { Book, Claim } from './claim.ts'
import { ledgerDue } from './due.ts'
import { ledgerLeases } from './leases.ts'
import { ledgerPasswords } from './passwords.ts'
import {
  aboveMoving,
  heldElsewhere,
  type Intent,
  intend,
  intendAhead,
  knownElsewhere,
  type Place,
  wantedElsewhere,
} from './places.ts'
import { assignNumbers, type Numberless } from './posix-numbers.ts'
import { ledgerReading } from './reading.ts'
import { record, recordBoth } from './record-outcomes.ts'
import { type PlacedGroup, readingsOf, readRecords } from './record-rows.ts'
import type { ToStore } from './store-in-sync.ts'

/**
 * The SQL part of a directory's reconciler: which records are due, which entries they should have, what was reached. Every
 * statement handles a batch. A batch is held under a lease; outcomes that arrive after the lease was lost are not
 * stored.
 */
export const openLedger = (book: Book, baseDn: string) => {
  const readings = readingsOf(book, baseDn)
  return {
    ...ledgerLeases(book, readings),
    ...ledgerReading(book),
    ...ledgerDue(book),
    ...ledgerPasswords(book),
    ...ledgerMemberOf(book),
    groupLayout: () => groupLayoutIn(book),
    assignEntryNames: (ids: readonly number[]) => assignFlatNames(book.db, ids),
    users: (ids: readonly number[]) => readRecords<UserFacts>(book, readings.user, { kind: 'user', ids }),
    groups: (ids: readonly number[]) => readRecords<PlacedGroup>(book, readings.group, { kind: 'group', ids }),
    intend: (claim: Claim, intents: readonly Intent[]) => intend(book, claim, intents),
    intendAhead: (tx: Tx, claim: Claim, intents: readonly Intent[]) => intendAhead(tx, book, claim, intents),
    heldElsewhere: (kind: RecordKind, places: readonly Place[]) => heldElsewhere(book, kind, places),
    wantedElsewhere: (places: readonly Place[]) => wantedElsewhere(book, baseDn, places),
    aboveMoving: (places: readonly Place[]) => aboveMoving(book, places),
    knownElsewhere: (kind: RecordKind, entries: readonly { id: number; uuid: string }[]) =>
      knownElsewhere(book, kind, entries),
    assignNumbers: (
      directory: Pick<Directory, 'read'>,
      posix: PosixSettings,
      kind: RecordKind,
      records: readonly Numberless[],
    ) => assignNumbers({ db: book.db, directory }, posix, kind, records),
    storeTakenKeys: (taken: ReadonlyMap<number, readonly SshKey[]>) => storeTakenKeys(book.db, taken),
    record: (claim: Claim, outcomes: readonly Outcome[]) => record(book, claim, outcomes),
    recordBoth: (people: ToStore, groups: ToStore) => recordBoth(book, people, groups),
  }
}

export type Ledger = ReturnType<typeof openLedger>
