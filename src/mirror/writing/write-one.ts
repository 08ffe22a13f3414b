import { NotSent } from '../../ldap/brake.ts'
import { type Directory, DirectoryError, type Write } from '../../ldap/directory.ts'
import { formatDn, parseDn } from '../../ldap/dn.ts'
import { isServerRefusal, resultCodes } from '../../ldap/result-code.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { secretWritten } from '../plan/account.ts'
import { leaveAccountName } from '../plan/account-names.ts'
import type { Item } from '../plan/item.ts'
import {
  backoff,
  nameTaken,
  type Outcome,
  outcomeOf,
  refusedByServer,
  retry,
  searchNext,
  success,
  unsent,
} from '../plan/outcome.ts'
import { isLeaveWrite, type Plan } from '../plan/plan.ts'
import { isStrayed } from '../plan/strayed-entries.ts'
import { statements } from '../statements.ts'
import type { RecordKind } from '../touch.ts'
import { despiteRefusal } from './despite-refusal.ts'
import type { Parking } from './parking.ts'

export interface WriteOneOptions {
  directory: Directory
  ledger: Ledger
  kind: RecordKind
  parking: Parking
  /** Called before an entry is renamed. */
  beforeRename: (from: string, to: string) => Promise<void>
  foundForeignChange: () => void
}

/** The entry was changed between the read and the write. */
const changedMeanwhile: readonly number[] = [resultCodes.noSuchAttribute, resultCodes.attributeOrValueExists]

/** The value that was to be removed is not there: its person is deleted, and the server has removed it with their entry. */
const unlessGone = (error: unknown): void => {
  if (!(error instanceof DirectoryError) || error.code !== resultCodes.noSuchAttribute) throw error
}

/** The number of attempts after which the error is not caused by a change in between, but by the entry. */
const readAnew = 3

/** The careful path: one record alone, with a reaction to every result of the directory. */
export const writeOne =
  ({ directory, ledger, kind, parking, beforeRename, foundForeignChange }: WriteOneOptions) =>
  async (planned: Plan): Promise<Outcome> => {
    const { item } = planned
    let step: Write['kind'] | undefined
    /** The current DN of the entry: a rename may have succeeded before a modify was refused. */
    let dn = planned.found?.dn ?? null
    /** Of the entry that was added, if the server told it. */
    let entryUuid: string | null = null
    let written = 0

    const write = async (writes: readonly Write[]): Promise<void> => {
      for (const one of writes) {
        step = one.kind
        if (one.kind === 'rename') await beforeRename(one.dn, one.newDn)
        // Of anyone else it may have followed their entry to another place: then the list is compared as a whole.
        await (item.mayMiss && isLeaveWrite(item, one)
          ? directory.write(one).catch(unlessGone)
          : writeLeavingClasses(directory, one, (uuid) => {
              entryUuid = uuid
            }))
        if (one.kind === 'rename') dn = one.newDn
        written += 1
      }
    }

    const failed = (error: DirectoryError): Outcome => ({
      ...(isServerRefusal(error) ? refusedByServer(planned, error) : retry(planned)),
      dn,
      // It may have been carried out in spite of the error, or its parent does not exist while a group above it has
      // another DN.
      unseen: error.kind === 'unavailable' || (error.code === resultCodes.noSuchObject && isStrayed(planned)),
      error: error.stated,
    })
    const isPassing = (error: DirectoryError): boolean =>
      isServerRefusal(error) ||
      error.code === resultCodes.notAllowedOnNonLeaf ||
      // Of its last member: the list has lost the others, and is compared as a whole.
      (item.notedOnly && error.code === resultCodes.objectClassViolation) ||
      (item.attempts < readAnew && error.code !== null && changedMeanwhile.includes(error.code))

    const refused = async (error: DirectoryError): Promise<Outcome> => {
      if (error.code === resultCodes.noSuchObject) {
        if (step === 'delete') return outcomeOf(item, 'removed', 'removed')
        foundForeignChange()
        return failed(error)
      }
      if (error.code === resultCodes.notAllowedOnNonLeaf && step === 'delete') {
        // It may be a group of a record that was moved there.
        if (item.attempts === 0) foundForeignChange()
        return { ...failed(error), error: statements.entries_below({ problem: error.stated }) }
      }
      if (isPassing(error)) return failed(error)
      if (error.code === resultCodes.entryAlreadyExists && item.wanted !== null) return occupied(item.wanted, error)
      return { ...failed(error), result: 'parked' }
    }

    /**
     * Another program added it first, or the server treats names as equal that differ in SQL: the entry is read again.
     */
    const occupied = async (wanted: NonNullable<Item['wanted']>, error: DirectoryError): Promise<Outcome> => {
      if (planned.unsearched) return searchNext(planned)
      const entry = await directory.read(wanted.dn, ['objectClass'])
      const [account] = wanted.attributes.sAMAccountName ?? []
      // Its own entry has the place, or none has: then the name of the account is held elsewhere in the domain.
      if (account !== undefined && (entry === null || dn === wanted.dn)) {
        const isLeft = await leaveAccountName({ directory, ledger, kind }, planned, dn)
        const held = statements.account_name_held({ name: account, problem: error.diagnosis })
        return { ...failed(error), error: held, ...(isLeft && { delay: backoff(0) }) }
      }
      // Or it was deleted in between: the next attempt adds this one.
      if (entry === null) return { ...failed(error), error: statements.place_hidden({ dn: wanted.dn }) }
      const place = { id: item.id, dn: formatDn(parseDn(entry.dn)) }
      if ((await ledger.heldElsewhere(kind, [place])).size > 0) return { ...nameTaken(planned), dn }
      // It may have been written by an earlier attempt whose response was lost.
      return { ...failed(error), unseen: true, error: statements.place_taken({ dn: wanted.dn }) }
    }

    const writeAll = async (): Promise<Outcome> => {
      try {
        await write(planned.writes)
        const done = await named(directory, { ...success(planned), ...(entryUuid && { entryUuid }) })
        return await secretWritten(directory, planned, await parking(planned, done))
      } catch (error) {
        if (!(error instanceof DirectoryError)) throw error
        if (error.kind === 'unavailable' && !error.answered) throw error
        try {
          return await despiteRefusal(directory, planned, planned.writes.slice(written), await refused(error))
        } catch (second) {
          if (!(second instanceof DirectoryError) || (second.kind === 'unavailable' && !second.answered)) throw second
          if (second.code === resultCodes.noSuchObject) return { ...failed(second), dn: null }
          return isPassing(second) ? failed(second) : { ...failed(second), result: 'parked' }
        }
      }
    }
    return writeAll().catch((error: unknown) => {
      if (!(error instanceof NotSent)) throw error
      return { ...unsent(planned, error.stated), dn }
    })
  }

/** A class that is no longer needed stays if the server refuses its removal: attributes of another tool need it. */
const writeLeavingClasses = async (
  { write }: Pick<Directory, 'write'>,
  one: Write,
  added: (entryUuid: string) => void,
): Promise<void> => {
  try {
    await write(one, undefined, added)
  } catch (error) {
    const isNeeded = error instanceof DirectoryError && error.code === resultCodes.objectClassViolation
    if (!isNeeded || one.kind !== 'modify') throw error
    const changes = one.changes.filter((each) => each.operation !== 'delete' || each.attribute !== 'objectClass')
    if (changes.length === one.changes.length || changes.length === 0) throw error
    await write({ ...one, changes })
  }
}

/**
 * Adds the entryUUID of an entry that was just added, where the server has not told it. It is read at once: until it is known, the ledger recognizes the
 * entry only by its DN, and takes any entry with this DN for it.
 * @throws DirectoryError; noSuchObject if the entry does not exist any more
 */
export const named = async ({ read }: Pick<Directory, 'read'>, done: Outcome): Promise<Outcome> => {
  if (done.action !== 'added' || done.dn === null || done.entryUuid !== null) return done
  const entry = await read(done.dn, ['entryUUID'])
  if (entry === null) {
    throw new DirectoryError('refused', statements.added_and_gone({ dn: done.dn }), { code: resultCodes.noSuchObject })
  }
  return { ...done, entryUuid: entry.attributes.entryUUID?.[0]?.toLowerCase() ?? null }
}
