import type { Statement } from '../../failures/statement.ts'
import type { Attributes, Change, Directory, Entry, Write } from '../../ldap/directory.ts'
import { DirectoryError } from '../../ldap/directory-error.ts'
import { resultCodes } from '../../ldap/result-code.ts'
import type { Logger } from '../../runtime/log.ts'
import { difference } from '../entry/compare.ts'
import { ensureServiceAccountsUnit } from '../entry/layout.ts'
import { protectedPlaces, readOwnEntry } from '../entry/protected-places.ts'
import { statements } from '../statements.ts'
import type { Account, serviceLedger } from './service-ledger.ts'
import { digestOf, findEntries, isOurs, uuidOf } from './service-ownership.ts'
import { type ServicePasswordsOptions, usablePasswords } from './service-passwords.ts'
import { type WantedEntry, wantedOf } from './service-shape.ts'

export interface ServiceConvergeOptions extends ServicePasswordsOptions {
  directory: Directory
  ledger: Pick<ReturnType<typeof serviceLedger>, 'note'>
  /** Whether entries say what their accounts may read, for the embedded directory. */
  embedded: boolean
  log: Logger
}

/** Writes while this instance holds the account. @throws LeaseLostError */
export type WriteEntry = (change: Write) => Promise<void>

/** @returns why the entry does not show all of the account; null: it is equal. @throws DirectoryError, LeaseLostError */
type ConvergeService = (row: Account, write: WriteEntry) => Promise<Statement | null>

/** The changes after which an entry has of these passwords only those that it is to have. */
const withoutOthers = (present: readonly string[] = [], wanted: readonly string[]): Change[] => {
  const values = present.filter((value) => wanted.includes(value))
  const left: Change = { operation: 'replace', attribute: 'userPassword', values }
  // The class requires one.
  const leaving: Change = { operation: 'delete', attribute: 'objectClass', values: ['simpleSecurityObject'] }
  return values.length > 0 ? [left] : [leaving, left]
}

/**
 * A password that has ended must not stay valid because the directory refuses the rest of a change, the next password or
 * to remove the entry: the first of these attempts that it takes is made. @throws the error
 */
const despite = async (
  write: WriteEntry,
  error: DirectoryError,
  dn: string,
  ...attempts: Change[][]
): Promise<never> => {
  for (const changes of error.kind === 'unavailable' ? [] : attempts) {
    try {
      await write({ kind: 'modify', dn, changes })
      break
    } catch (second) {
      if (!(second instanceof DirectoryError) || second.kind === 'unavailable') throw second
    }
  }
  throw error
}

/** Makes the entry of one account equal to it. */
export const serviceConverge = (options: ServiceConvergeOptions): ConvergeService => {
  const { directory, ledger, embedded, log } = options

  const tellDrift = (row: Account): void => {
    if (!row.changed) log.warn({ id: Number(row.id) }, 'the entry of a service account had drifted')
  }

  const remove = async (write: WriteEntry, { dn, attributes }: Entry): Promise<void> => {
    try {
      await write({ kind: 'delete', dn })
    } catch (error) {
      if (!(error instanceof DirectoryError)) throw error
      if (error.code === resultCodes.noSuchObject) return
      await despite(write, error, dn, withoutOthers(attributes.userPassword, []))
    }
  }

  const add = async (write: WriteEntry, row: Account, { dn, attributes }: WantedEntry): Promise<void> => {
    const obstacle = (await protectedPlaces(directory, readOwnEntry(directory), 'nested')).reasonAt(dn)
    if (obstacle !== null) throw new DirectoryError('refused', obstacle)
    await ensureServiceAccountsUnit(directory)
    await ledger.note(row, { target: dn, digest: digestOf(attributes.userPassword ?? []) })
    await write({ kind: 'add', dn, attributes })
    const added = await directory.read(dn, ['entryUUID'])
    await ledger.note(row, { dn, uuid: added && uuidOf(added) })
  }

  const update = async (
    write: WriteEntry,
    row: Account,
    entry: Entry,
    { dn, attributes }: WantedEntry,
  ): Promise<void> => {
    const { userPassword, ...rest } = attributes
    // Where we may not read passwords, they are written after a change only.
    const isShown = entry.attributes.userPassword !== undefined
    const desired: Attributes = isShown || row.changed ? { userPassword: userPassword ?? [], ...rest } : rest
    const requests = difference(entry, desired, true)
    if (requests.length > 0) tellDrift(row)
    try {
      for (const changes of requests) await write({ kind: 'modify', dn: entry.dn, changes })
    } catch (error) {
      if (!(error instanceof DirectoryError) || desired.userPassword === undefined) throw error
      const values = desired.userPassword
      const alone: Change[] = [{ operation: 'replace', attribute: 'userPassword', values }]
      await despite(write, error, entry.dn, alone, withoutOthers(entry.attributes.userPassword, values))
    }
    await ledger.note(row, { dn, uuid: uuidOf(entry) })
  }

  return async (row, write) => {
    // It takes no hashes, and only the application knows the password.
    if (directory.isActiveDirectory) return statements.no_service_accounts()
    const { values, problem } = await usablePasswords(options, row.passwords)
    const wanted = wantedOf(directory.baseDn, embedded, row, values)
    const { there, elsewhere } = await findEntries(directory, row, wanted)
    for (const each of elsewhere) await remove(write, each)
    if (elsewhere.length > 0 || (wanted !== null && there === null)) tellDrift(row)
    if (wanted === null) await ledger.note(row, {})
    else if (there === null) await add(write, row, wanted)
    else if (isOurs(row, there)) await update(write, row, there, wanted)
    else throw new DirectoryError('refused', statements.place_taken({ dn: there.dn }))
    return problem
  }
}
