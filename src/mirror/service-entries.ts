import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Db } from '../db/client.ts'
import { LeaseLostError } from '../db/lease.ts'
import { inTime } from '../in-time.ts'
import type { Attributes, Directory, Entry, Write } from '../ldap/directory.ts'
import { DirectoryError, isUnavailable } from '../ldap/directory-error.ts'
import { matchingKey, parseDn, sameDn } from '../ldap/dn.ts'
import { equals, present } from '../ldap/filter.ts'
import { resultCodes } from '../ldap/result-code.ts'
import { errorRecord, type Logger } from '../log.ts'
import type { Statement } from '../statement.ts'
import type { Availability } from './availability.ts'
import { difference } from './compare.ts'
import { ensureServiceAccountsUnit } from './layout.ts'
import type { OtherHashes } from './other-hashes.ts'
import type { PasswordTerms } from './password-merge.ts'
import { schemeAdvice, schemeSetting } from './password-scheme.ts'
import { schemeOf } from './password-values.ts'
import { serviceAccountPlace, serviceAccountsDn } from './places.ts'
import { protectedPlaces, readOwnEntry } from './protected-places.ts'
import { type Account, type ServicePassword, serviceLedger } from './service-ledger.ts'
import { openSleeper } from './sleeper.ts'
import { statements } from './statements.ts'

/** The entries of service accounts, in one directory. */
export interface ServiceEntries {
  /** Writes what is due, and waits for it for some time. @returns whether the entry is equal to the account by now */
  settle(id: number): Promise<boolean>
  /** Compares all entries with their accounts. @throws DirectoryError */
  compare(): Promise<void>
  /** When the accounts were last used, by name key, as far as the directory says. @throws DirectoryError */
  lastUses(): Promise<ReadonlyMap<string, Date>>
  /** Writes what is due, until it is stopped. */
  start(): void
  stop(): Promise<void>
}

export interface ServiceEntriesOptions {
  db: Db
  /** The number of the directory. */
  number: number
  directory: Directory
  /** Whether entries say what their accounts may read, for the embedded directory. */
  embedded: boolean
  /** Milliseconds that a request waits. */
  patience: number
  availability: Pick<Availability, 'ready' | 'pause' | 'reason'>
  lost: (error: DirectoryError) => Promise<void>
  /** What is known of the passwords of these schemes. */
  passwordTerms: (schemes: ReadonlySet<string>) => Promise<Pick<PasswordTerms, 'of'>>
  openHash: OtherHashes['open']
  /** The scheme that the directory has of its own, as it stands in a value; null: none. */
  ownScheme: string | null
  log: Logger
}

/** Writes while this instance holds the account. @throws LeaseLostError */
type WriteEntry = (change: Write) => Promise<void>

interface Wanted {
  dn: string
  attributes: Attributes
}

/** Milliseconds between searches for due accounts: passwords that expire, and what other instances changed. */
const pollInterval = 1000
const readAttributes = [
  ...['objectClass', 'cn', 'description', 'userPassword', 'stewardPeopleFilter', 'stewardGroupFilter'],
  ...['stewardReadsNtHashes', 'entryUUID'],
]
/** slapd with lastbind, and with a password policy. */
const useAttributes = ['authTimestamp', 'pwdLastSuccess']

const everything = '(objectClass=*)'

const digestOf = (passwords: readonly string[]): string =>
  createHash('sha256')
    .update([...passwords].sort().join('\n'))
    .digest('hex')

const uuidOf = (entry: Entry): string | null => entry.attributes.entryUUID?.[0]?.toLowerCase() ?? null

const isSameDn = (one: string | null, other: string): boolean => one !== null && sameDn(one, other)

/** A generalized time (RFC 4517 section 3.3.13) as servers write it, in UTC. */
const timeOf = (text: string): Date | null => {
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)?(?:[.,]\d+)?Z$/.exec(text) ?? []
  if (year === undefined) return null
  return new Date(`${year}-${month}-${day}T${hour}:${minute}:${second ?? '00'}Z`)
}

/**
 * What the entry of an account is to be; null: there is to be none. An account that is disabled or has no password has no
 * entry, so that it cannot bind, whatever the server.
 */
const wantedOf = (baseDn: string, embedded: boolean, row: Account, passwords: readonly string[]): Wanted | null => {
  const { name, description, enabled } = row
  if (name === null || !enabled || passwords.length === 0) return null
  const rights = {
    stewardPeopleFilter: row.people ? [row.people_filter || everything] : [],
    stewardGroupFilter: row.groups ? [row.group_filter || everything] : [],
    stewardReadsNtHashes: row.nt_hashes ? ['TRUE'] : [],
  }
  return {
    dn: serviceAccountPlace(baseDn, name),
    attributes: {
      objectClass: [
        ...['top', 'applicationProcess', 'simpleSecurityObject'],
        ...(embedded ? ['stewardServiceAccount'] : []),
      ],
      cn: [name],
      description: description === '' ? [] : [description],
      userPassword: [...passwords],
      ...(embedded && rights),
    },
  }
}

/**
 * Makes the entries of service accounts equal to SQL. They are few, so that it is simpler than with people and groups:
 * one after the other. An instance holds those that it writes; one that was changed meanwhile is written once more.
 *
 * An entry is ours if it has the id (entryUUID) that it had when it was added, or if it is what an interrupted add would
 * have left. No other entry is changed or deleted. A row of the ledger stays after its account until the entry is gone.
 */
export const openServiceEntries = (options: ServiceEntriesOptions): ServiceEntries => {
  const { db, number, directory, embedded, patience, availability, lost, passwordTerms, log } = options
  const { openHash, ownScheme } = options
  const { baseDn } = directory
  const sleeper = openSleeper()
  let stopping = false
  let loop: Promise<void> = Promise.resolve()
  /** The end of the work in progress: there is one piece at a time. */
  let last: Promise<unknown> = Promise.resolve()
  const ledger = serviceLedger({ db, number })

  /**
   * In the scheme that the directory has of its own, where there is a hash in it: no account signs in here, so that one
   * which had its password before the setting keeps it, if the directory verifies it.
   */
  const shownOf = ({ value, ownHash }: ServicePassword): string =>
    (ownHash && openHash(ownHash.scheme, ownHash.sealed, value)) ?? value

  /** Those that the directory verifies, and why others are left out. */
  const usable = async (all: readonly ServicePassword[]): Promise<{ values: string[]; problem: Statement | null }> => {
    const passwords = all.map(shownOf)
    const schemes = new Set(passwords.flatMap((value) => schemeOf(value) ?? []))
    const terms = await passwordTerms(schemes)
    const refused = [...schemes].filter((scheme) => terms.of(scheme).verdict === 'disproved')
    const [first] = refused
    return {
      values: passwords.filter((value) => !refused.includes(schemeOf(value) ?? '')),
      problem: first === undefined ? null : refusalOf(first, terms),
    }
  }

  const refusalOf = (scheme: string, terms: Pick<PasswordTerms, 'of'>): Statement =>
    ownScheme === null || scheme === ownScheme
      ? (terms.of(scheme).reason ?? schemeAdvice(scheme, schemeSetting(number)))
      : statements.service_password_unhashed({ scheme: `{${ownScheme}}` })

  /** Whether an entry is what an interrupted add has left. */
  const isAdded = (row: Account, { dn, attributes: { userPassword, objectClass = [] } }: Entry): boolean => {
    if (!isSameDn(row.target_dn, dn)) return false
    if (userPassword !== undefined) return digestOf(userPassword) === row.target_digest
    return objectClass.some((name) => name.toLowerCase() === 'applicationprocess')
  }

  const isOurs = (row: Account, entry: Entry): boolean => {
    if (isAdded(row, entry)) return true
    const uuid = uuidOf(entry)
    return row.entry_uuid !== null && uuid !== null ? uuid === row.entry_uuid : isSameDn(row.dn, entry.dn)
  }

  /** The entry at the wanted DN, whosever it is, and those of the account elsewhere. */
  const found = async (row: Account, wanted: Wanted | null): Promise<{ there: Entry | null; elsewhere: Entry[] }> => {
    const places = [wanted?.dn, row.dn, row.target_dn].flatMap((dn) => dn ?? [])
    const dns = places.filter((dn, index) => places.findIndex((other) => sameDn(other, dn)) === index)
    const entries = (await Promise.all(dns.map((dn) => directory.read(dn, readAttributes)))).flatMap(
      (each) => each ?? [],
    )
    const own = entries.filter((entry) => isOurs(row, entry))
    if (own.length === 0 && row.entry_uuid !== null) {
      // Another program may have renamed it.
      const search = { scope: 'one', filter: equals('entryUUID', row.entry_uuid), attributes: readAttributes } as const
      const pages = directory.search(serviceAccountsDn(baseDn), { ...search, attributes: [...readAttributes] })
      for await (const page of pages) own.push(...page)
    }
    const isThere = ({ dn }: Entry): boolean => wanted !== null && sameDn(dn, wanted.dn)
    return { there: entries.find(isThere) ?? null, elsewhere: own.filter((entry) => !isThere(entry)) }
  }

  const tellDrift = (row: Account): void => {
    if (!row.changed) log.warn({ id: Number(row.id) }, 'the entry of a service account had drifted')
  }

  const remove = (write: WriteEntry, dn: string): Promise<void> =>
    write({ kind: 'delete', dn }).catch((error: unknown) => {
      if (!(error instanceof DirectoryError) || error.code !== resultCodes.noSuchObject) throw error
    })

  const add = async (write: WriteEntry, row: Account, { dn, attributes }: Wanted): Promise<void> => {
    const obstacle = (await protectedPlaces(directory, readOwnEntry(directory), 'nested')).reasonAt(dn)
    if (obstacle !== null) throw new DirectoryError('refused', obstacle)
    await ensureServiceAccountsUnit(directory)
    await ledger.note(row, { target: dn, digest: digestOf(attributes.userPassword ?? []) })
    await write({ kind: 'add', dn, attributes })
    const added = await directory.read(dn, ['entryUUID'])
    await ledger.note(row, { dn, uuid: added && uuidOf(added) })
  }

  const update = async (write: WriteEntry, row: Account, entry: Entry, { dn, attributes }: Wanted): Promise<void> => {
    const { userPassword, ...rest } = attributes
    // Where we may not read passwords, they are written after a change only.
    const isShown = entry.attributes.userPassword !== undefined
    const desired: Attributes = isShown || row.changed ? { userPassword: userPassword ?? [], ...rest } : rest
    const requests = difference(entry, desired, true)
    if (requests.length > 0) tellDrift(row)
    for (const changes of requests) await write({ kind: 'modify', dn: entry.dn, changes })
    await ledger.note(row, { dn, uuid: uuidOf(entry) })
  }

  /** @returns why the entry does not show all of the account; null: it is equal */
  const converge = async (row: Account, write: WriteEntry): Promise<Statement | null> => {
    // It takes no hashes, and only the application knows the password.
    if (directory.isActiveDirectory) return statements.no_service_accounts()
    const { values, problem } = await usable(row.passwords)
    const wanted = wantedOf(baseDn, embedded, row, values)
    const { there, elsewhere } = await found(row, wanted)
    for (const { dn } of elsewhere) await remove(write, dn)
    if (elsewhere.length > 0 || (wanted !== null && there === null)) tellDrift(row)
    if (wanted === null) await ledger.note(row, {})
    else if (there === null) await add(write, row, wanted)
    else if (isOurs(row, there)) await update(write, row, there, wanted)
    else throw new DirectoryError('refused', statements.place_taken({ dn: there.dn }))
    return problem
  }

  const writeDue = async (all: boolean): Promise<void> => {
    await ledger.expire()
    const accounts = await ledger.due(all)
    if (accounts.length === 0) return
    await availability.ready()
    const kept = await ledger.take(accounts)
    const writeEntry: WriteEntry = (change) => directory.write(change, kept.confirm)
    try {
      for (const row of await ledger.held()) {
        if (stopping) return
        try {
          await ledger.settled(row, await converge(row, writeEntry))
        } catch (error) {
          if (!(error instanceof DirectoryError) || error.kind === 'unavailable') throw error
          const { id, attempts } = row
          if (attempts === 0) log.warn({ id: Number(id), reason: error.message }, 'a service account was refused')
          await ledger.refused(row, error)
        }
      }
    } catch (error) {
      // The rest is due again, for this or another instance.
      if (!(error instanceof LeaseLostError)) throw error
    } finally {
      kept.end()
      await ledger.releaseAll()
    }
  }

  const write = (all: boolean): Promise<void> => {
    const work = last.then(() => writeDue(all))
    last = work.catch(() => undefined)
    return work
  }

  const failed = async (error: unknown): Promise<void> => {
    if (!isUnavailable(error)) {
      log.error({ error: errorRecord(error) }, 'service accounts could not be written and are tried again')
      return
    }
    await lost(error)
    await ledger.explain(error.stated).catch(() => undefined)
  }

  return {
    async settle(id) {
      if (availability.pause() > 0) {
        await ledger.explain(availability.reason() ?? statements.not_answered_yet()).catch(() => undefined)
        return false
      }
      const deadline = Date.now() + patience
      for (let wait = 10; ; wait = Math.min(wait * 2, 200)) {
        await inTime(deadline - Date.now(), write(false).catch(failed), () => undefined)
        const { isEqual, isHeld } = await ledger.stateOf(id)
        if (isEqual || !isHeld || Date.now() + wait > deadline) return isEqual
        await delay(wait)
      }
    },
    compare: () => write(true),
    async lastUses() {
      const found = new Map<string, Date>()
      const search = { scope: 'one', filter: present('objectClass'), attributes: useAttributes } as const
      for await (const page of directory.search(serviceAccountsDn(baseDn), {
        ...search,
        attributes: [...useAttributes],
      })) {
        for (const { dn, attributes } of page) {
          const times = useAttributes.flatMap((name) => timeOf(attributes[name]?.[0] ?? '')?.getTime() ?? [])
          const name = parseDn(dn)[0]?.[0]?.value
          if (name !== undefined && times.length > 0) found.set(matchingKey(name), new Date(Math.max(...times)))
        }
      }
      return found
    },
    start() {
      const work = async (): Promise<void> => {
        while (!stopping) {
          if (availability.pause() === 0) await write(false).catch(failed)
          await sleeper.sleep(Math.max(pollInterval, availability.pause()))
        }
      }
      loop = work()
    },
    async stop() {
      stopping = true
      sleeper.wake()
      await loop
      await last
    },
  }
}
