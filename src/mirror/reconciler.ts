import type { Db } from '../db/client.ts'
import type { Directory } from '../ldap/directory.ts'
import { DirectoryError } from '../ldap/directory-error.ts'
import type { Moment } from '../runtime/clock.ts'
import type { Logger } from '../runtime/log.ts'
import { traced } from '../tracing/span.ts'
import { openAvailability } from './availability.ts'
import { openNotes } from './availability-notes.ts'
import { type Compared, logUncompared, openComparison } from './comparison/comparison.ts'
import { type DirectoryProgress, type DirectoryRun, directoryRuns, emptyRun } from './comparison/directory-run.ts'
import { type Foreseeing, foresee } from './comparison/foresee.ts'
import { type DirectorySchema, readSchema } from './entry/directory-schema.ts'
import type { ActiveDirectorySettings, ShownAttributes } from './entry/directory-settings.ts'
import { entryForm } from './entry/entry-form.ts'
import type { GroupClass } from './entry/entry-shape.ts'
import type { PosixSettings } from './entry/posix.ts'
import { readOwnEntry } from './entry/protected-places.ts'
import { openGreeting } from './greeting.ts'
import type { Book } from './ledger/claim.ts'
import { openLedger } from './ledger/ledger.ts'
import { workLoop } from './loop.ts'
import { adoptPasswords } from './passwords/adopt-passwords.ts'
import type { FreshPasswords } from './passwords/fresh-passwords.ts'
import type { OtherHashes } from './passwords/other-hashes.ts'
import { passwordDigest } from './passwords/password-merge.ts'
import type { SchemeProofs } from './passwords/password-scheme.ts'
import { aheadPlanner, aheadReader } from './plan/plan-ahead.ts'
import { reasons } from './reasons.ts'
import { openServiceEntries, type ServiceEntries } from './services/service-entries.ts'
import { openSleeper } from './sleeper.ts'
import { openSynchronizer, reporting } from './synchronizer.ts'
import { mainDirectory, type RecordKind, type Touched } from './touch.ts'
import { openBatches } from './writing/batches.ts'
import { converge } from './writing/converge.ts'
import type { EarlyClaim } from './writing/early-claim.ts'
import { type Settler, settler } from './writing/settle.ts'

export interface Reconciler {
  /**
   * Waits until the directory holds these versions, up to `timeout` milliseconds (default: that of the options). false: it does not
   * yet, or a record was refused; the reconciler continues in the background.
   * @param claimed what the transaction has claimed. Default: null, nothing
   */
  settle(touched: readonly Touched[], timeout?: number, claimed?: EarlyClaim | null): Promise<boolean>
  /** For a transaction that changes records; then either `settle` or its `failed` has to be called. */
  earlyClaim(): EarlyClaim
  /**
   * Compares entries with their records and repairs the differences: for these records, the records not in sync, or the
   * whole directory. Errors of the directory are in the result; it does not throw them.
   */
  synchronize(
    kind: RecordKind,
    which: readonly number[] | 'pending' | 'all',
    progress?: DirectoryProgress,
  ): Promise<DirectoryRun>
  /**
   * What `synchronize` would do for all records, without doing it: see foresee.ts. Errors of the directory are in the
   * result.
   */
  foresee(kind: RecordKind, options: Foreseeing & { progress?: DirectoryProgress }): Promise<DirectoryRun>
  /**
   * Compares all records with the directory, repairs the differences, and logs what it found.
   * @returns what it did not repair
   * @throws AppError (unavailable) if the directory becomes unavailable
   */
  compareEverything(): Promise<Compared>
  /** Whether the directory verifies passwords of this scheme; null: it is not known. */
  verifies(scheme: string): boolean | null
  /**
   * The schema that the directory publishes; null: it publishes none, or there is no directory.
   * @throws AppError (unavailable) if the directory is not available
   */
  schema(): Promise<DirectorySchema | null>
  /**
   * Call it when a person has signed in: a directory that has not got the password gets it.
   * @param value what the record holds of the password
   */
  passwordUsed(userId: number, value: string): Promise<void>
  /** The entries of service accounts. */
  services: Pick<ServiceEntries, 'settle' | 'lastUses'>
  /** Call it when records were changed that no request waits for. */
  wake(): void
  /** Processes all due records until it is stopped. */
  start(): void
  /** Ends the work in progress and releases its leases. */
  stop(): Promise<void>
}

export interface ReconcilerOptions {
  db: Db
  /** Whether a standby of the database is read from. Default: false. */
  hasReplica?: boolean
  /** The number of the directory. Default: 1, the main one. */
  number?: number
  directory: Directory
  groupClass: GroupClass
  /** Default: null, any other kind of directory. */
  activeDirectory?: ActiveDirectorySettings | null
  /** Default: null, all. */
  attributes?: ShownAttributes
  /** Default: null, no POSIX accounts. */
  posix?: PosixSettings | null
  /** Runs once per connection, after the layout was created. The function that it returns tests password schemes. */
  greet: () => Promise<SchemeProofs>
  passwords: ReconcilerPasswords
  /** Whether it is the embedded directory. Default: false. */
  embedded?: boolean
  /** Milliseconds that a request waits for its records; default 2000. */
  timeout?: number
  log: Logger
  /** By which leases are judged. */
  now?: () => Moment
}

export interface ReconcilerPasswords {
  /** 32 bytes; digests what was last written. */
  key: Buffer
  /** The scheme of new hashes, as it stands in a value. */
  scheme: string
  /** The same where it is that of this directory alone. Default: null. */
  ownScheme?: string | null
  /** Whether records take over passwords that were changed in this directory. */
  adopts: boolean
  /** Adopts such a password; null: another process does it. */
  adopt: AdoptPassword | null
  /** Passwords in clear text, for a directory that takes no hashes. Default: none. */
  fresh?: FreshPasswords | null
  /** Default: none is shown. */
  otherHashes?: Pick<OtherHashes, 'open'> | null
}

/**
 * @param value what `userPassword` holds, in a form that `adoptable` knows
 * @param instead the password of the record when the value was read; null: it had none. If the record has another one
 *   by now, the value is not adopted
 */
export type AdoptPassword = (userId: number, value: string, instead: string | null) => Promise<void>

/** Active Directory takes passwords in clear text, and answers otherwise to values that are there already. */
const bookOf = (
  { db, hasReplica = false, activeDirectory, passwords }: ReconcilerOptions,
  directory: number,
): Book => ({
  db,
  directory,
  hasReplica,
  ...(activeDirectory && { holder: passwords.fresh?.holder ?? '', wholeLists: true }),
})

/**
 * Puts the parts together: the state of the connection (`availability`), what is done first on each connection
 * (`greeting`), batches of work, comparisons of all records, and the three callers of the work: the loop, requests
 * (`settle`) and runs.
 */
export const openReconciler = (options: ReconcilerOptions): Reconciler => {
  const { db, number = mainDirectory, directory, groupClass, passwords, timeout = 2000, log, now } = options
  const form = entryForm(directory.baseDn, groupClass, options.activeDirectory, options.attributes)
  const shapes = { form, posix: options.posix ?? null, openHash: passwords.otherHashes?.open ?? (() => null) }
  const book = bookOf(options, number)
  const ledger = openLedger(book, directory.baseDn)
  const sleeper = openSleeper()
  const { wake } = sleeper
  let stopping = false
  const stopped = (): boolean => stopping
  const underWay = new Set<Promise<unknown>>()
  const track = <T>(work: Promise<T>): Promise<T> => {
    underWay.add(work)
    work.catch(() => undefined).finally(() => underWay.delete(work))
    return work
  }

  const comparison = openComparison({
    compare: (run, kind) => runs.whole(run, kind),
    compareServices: () => services.compare(),
    wake,
    log,
  })
  const greeting = openGreeting({
    directory,
    ledger,
    openProofs: options.greet,
    passwords,
    trial: () => batches.trial(),
    log,
  })
  const availability = openAvailability({
    greet: greeting.greet,
    greeted: (failures) => {
      if (failures > 0) log.info({ failures }, 'the directory takes changes again')
      comparison.want()
    },
  })
  directory.onConnect(() => {
    if (availability.connected()) wake()
  })
  const planning = {
    ...{ directory, ledger, ...shapes },
    passwordTerms: greeting.passwordTerms,
    ...{ schema: greeting.schema, ownEntry: readOwnEntry(directory) },
    foundForeignChange: comparison.want,
  }
  const makeEqual = converge({ ...planning, groupClass, foundMoved: comparison.foundMoved })
  const recorded = adoptPasswords({ adopt: passwords.adopt, adopted: wake, log })
  const { ready } = availability
  const { doubt } = greeting
  const written = { planAhead: aheadPlanner(planning), lookAhead: aheadReader(planning), makeEqual, recorded, now }
  const batches = openBatches({ directory, ledger, ...written, ready, stopped, doubt })
  const runs = directoryRuns({ book, directory, ledger, batches })

  const notes = openNotes({ ledger, availability, log })
  const services = openServiceEntries({
    ...{ db, number, directory, timeout, availability, lost: notes.lost, log, embedded: options.embedded ?? false },
    ...{ passwordTerms: greeting.passwordTerms, openHash: shapes.openHash, ownScheme: passwords.ownScheme ?? null },
  })
  const paused = (): boolean => availability.pause() > 0
  const requests = { timeout, batches, ledger, stopped, paused, wake, ...notes, track, log }
  const synchronizer = openSynchronizer({ runs, ready, lost: notes.lost })
  const { schema, knownPasswordTerms: passwordTerms } = greeting
  const ahead = { book, directory, ledger, ...shapes, schema, passwordTerms }
  let loop: Promise<void> = Promise.resolve()
  return {
    ...tracedSettle(settler(requests)),
    synchronize: (kind, which, progress) => track(synchronizer.synchronize(kind, which, progress)),
    foresee: (kind, { progress, ...foreseeing }) =>
      track(
        reporting(emptyRun(progress), (run) => foresee(ahead, run, kind, foreseeing), {
          // The availability of the directory is not noted, because that would be written to the records.
          lost: async () => {},
        }),
      ),
    compareEverything: () =>
      track(
        comparison.compareEverything().catch((error: unknown) => {
          if (error instanceof DirectoryError && error.kind !== 'unavailable') logUncompared(log, error)
          return unavailableForNow(error)
        }),
      ),
    verifies: greeting.verifies,
    async passwordUsed(userId, value) {
      if (form.kind === 'generic') return
      if (await ledger.passwordUsed(userId, passwordDigest(passwords.key)(value))) wake()
    },
    services: { settle: (id) => track(services.settle(id)), lastUses: () => track(services.lastUses()) },
    wake,
    schema: () => track(readSchema(directory).catch(unavailableForNow)),
    start() {
      services.start()
      loop = workLoop({
        directory,
        batches,
        availability,
        askAgain: greeting.askAgain,
        comparison,
        sleeper,
        stopped,
        yields: synchronizer.isBusy,
        lost: notes.lost,
        log,
      })
    },
    async stop() {
      stopping = true
      wake()
      await Promise.all([loop, services.stop()])
      await Promise.allSettled(underWay)
    },
  }
}

const unavailableForNow = (error: unknown): never => {
  throw error instanceof DirectoryError
    ? reasons.directory_unavailable({ problem: error.stated }, { cause: error })
    : error
}

/** What a request waits for after its own transaction. */
const tracedSettle = ({ settle, ...rest }: Settler): Settler => ({
  ...rest,
  settle: (touched, ...how) =>
    touched.length === 0
      ? settle(touched, ...how)
      : traced('directory settle', { attributes: { 'steward.records': touched.length } }, () =>
          settle(touched, ...how),
        ),
})
