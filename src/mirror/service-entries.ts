import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
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
import type { PasswordTerms } from './password-merge.ts'
import { schemeAdvice } from './password-scheme.ts'
import { schemeOf } from './password-values.ts'
import { serviceAccountPlace, serviceAccountsDn } from './places.ts'
import { protectedPlaces } from './protected-places.ts'
import { serviceLeases } from './service-leases.ts'
import { openSleeper } from './sleeper.ts'
import { asJson, statements } from './statements.ts'

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
  log: Logger
}

/** An account with what is known of its entry; an account that was deleted has no name. */
interface Row extends Record<string, unknown> {
  id: string
  name: string | null
  description: string
  people: boolean
  people_filter: string
  groups: boolean
  group_filter: string
  enabled: boolean
  version: string
  /** Of `userPassword`. */
  passwords: string[]
  dn: string | null
  target_dn: string | null
  target_digest: string | null
  entry_uuid: string | null
  attempts: number
  /** Whether the account was changed since its entry was written. */
  changed: boolean
}

/** Writes while this instance holds the account. @throws LeaseLostError */
type WriteEntry = (change: Write) => Promise<void>

interface Wanted {
  dn: string
  attributes: Attributes
}

/** Milliseconds between searches for due accounts: passwords that expire, and what other instances changed. */
const pollInterval = 1000
/** Seconds before an entry that the directory refused is tried again: it doubles up to this. */
const longestPause = 60

const readAttributes = [
  ...['objectClass', 'cn', 'description', 'userPassword', 'stewardPeopleFilter', 'stewardGroupFilter', 'entryUUID'],
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
const wantedOf = (baseDn: string, embedded: boolean, row: Row, passwords: readonly string[]): Wanted | null => {
  const { name, description, enabled } = row
  if (name === null || !enabled || passwords.length === 0) return null
  const rights = {
    stewardPeopleFilter: row.people ? [row.people_filter || everything] : [],
    stewardGroupFilter: row.groups ? [row.group_filter || everything] : [],
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
  const { baseDn } = directory
  const sleeper = openSleeper()
  let stopping = false
  let loop: Promise<void> = Promise.resolve()
  /** The end of the work in progress: there is one piece at a time. */
  let last: Promise<unknown> = Promise.resolve()
  const leases = serviceLeases({ db, number })

  /** The ids of the accounts to write, without those that another instance writes. */
  const due = async (all: boolean): Promise<number[]> => {
    const rows = await db.execute<{ id: string }>(sql`
      select coalesce(a.id, e.account_id) as id from service_accounts a
      full join (select * from service_entries where directory = ${number}) e on e.account_id = a.id
      where (${all} or e.synced_version is distinct from a.version and coalesce(e.next_at <= now(), true))
        and not ${leases.isHeld}`)
    return rows.map(({ id }) => Number(id))
  }

  /** What this instance holds. Removals come first: they make DNs free. */
  const held = async (): Promise<Row[]> => {
    const rows = await db.execute<Row>(sql`
      select e.account_id as id, a.name, a.description, a.people, a.people_filter, a.groups, a.group_filter, a.enabled,
        a.version, e.dn, e.target_dn, e.target_digest, e.entry_uuid, e.attempts,
        e.synced_version is distinct from a.version as changed,
        (select coalesce(json_agg(coalesce(p.directory_password, '{ARGON2}' || p.password_hash) order by p.id), '[]')
          from service_passwords p
          where p.account_id = a.id and coalesce(p.expires_at > now(), true)) as passwords
      from service_entries e left join service_accounts a on a.id = e.account_id
      where e.directory = ${number} and ${leases.isOwn}
      order by a.name is not null, e.account_id`)
    return [...rows]
  }

  /** Of passwords that expired, nothing is left. */
  const expire = async (): Promise<void> => {
    const [any] = await db.execute(sql`select from service_passwords where expires_at <= now() limit 1`)
    if (any === undefined) return
    await db.execute(sql`
      with gone as (delete from service_passwords where expires_at <= now() returning account_id)
      update service_accounts set version = version + 1 where id in (select account_id from gone)`)
  }

  /** Those that the directory verifies, and why others are left out. */
  const usable = async (passwords: readonly string[]): Promise<{ values: string[]; problem: Statement | null }> => {
    const schemes = new Set(passwords.flatMap((value) => schemeOf(value) ?? []))
    const terms = await passwordTerms(schemes)
    const refused = [...schemes].filter((scheme) => terms.of(scheme).verdict === 'disproved')
    const [first] = refused
    return {
      values: passwords.filter((value) => !refused.includes(schemeOf(value) ?? '')),
      problem: first === undefined ? null : (terms.of(first).reason ?? schemeAdvice(first)),
    }
  }

  /** Whether an entry is what an interrupted add has left. */
  const isAdded = (row: Row, { dn, attributes: { userPassword, objectClass = [] } }: Entry): boolean => {
    if (!isSameDn(row.target_dn, dn)) return false
    if (userPassword !== undefined) return digestOf(userPassword) === row.target_digest
    return objectClass.some((name) => name.toLowerCase() === 'applicationprocess')
  }

  const isOurs = (row: Row, entry: Entry): boolean => {
    if (isAdded(row, entry)) return true
    const uuid = uuidOf(entry)
    return row.entry_uuid !== null && uuid !== null ? uuid === row.entry_uuid : isSameDn(row.dn, entry.dn)
  }

  /** The entry at the wanted DN, whosever it is, and those of the account elsewhere. */
  const found = async (row: Row, wanted: Wanted | null): Promise<{ there: Entry | null; elsewhere: Entry[] }> => {
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

  const tellDrift = (row: Row): void => {
    if (!row.changed) log.warn({ id: Number(row.id) }, 'the entry of a service account had drifted')
  }

  const remove = (write: WriteEntry, dn: string): Promise<void> =>
    write({ kind: 'delete', dn }).catch((error: unknown) => {
      if (!(error instanceof DirectoryError) || error.code !== resultCodes.noSuchObject) throw error
    })

  const note = (row: Row, columns: { dn?: string | null; uuid?: string | null; target?: string; digest?: string }) =>
    db.execute(sql`
      insert into service_entries as e (directory, account_id, dn, entry_uuid, target_dn, target_digest)
      values (${number}, ${row.id}, ${columns.dn ?? null}, ${columns.uuid ?? null}, ${columns.target ?? null},
        ${columns.digest ?? null})
      on conflict (directory, account_id) do update set
        dn = ${columns.target === undefined ? sql`excluded.dn` : sql`e.dn`},
        entry_uuid = ${columns.target === undefined ? sql`excluded.entry_uuid` : sql`e.entry_uuid`},
        target_dn = excluded.target_dn, target_digest = excluded.target_digest`)

  const add = async (write: WriteEntry, row: Row, { dn, attributes }: Wanted): Promise<void> => {
    const obstacle = (await protectedPlaces(directory, 'nested')).reasonAt(dn)
    if (obstacle !== null) throw new DirectoryError('refused', obstacle)
    await ensureServiceAccountsUnit(directory)
    await note(row, { target: dn, digest: digestOf(attributes.userPassword ?? []) })
    await write({ kind: 'add', dn, attributes })
    const added = await directory.read(dn, ['entryUUID'])
    await note(row, { dn, uuid: added && uuidOf(added) })
  }

  const update = async (write: WriteEntry, row: Row, entry: Entry, { dn, attributes }: Wanted): Promise<void> => {
    const { userPassword, ...rest } = attributes
    // Where we may not read passwords, they are written after a change only.
    const isShown = entry.attributes.userPassword !== undefined
    const desired: Attributes = isShown || row.changed ? { userPassword: userPassword ?? [], ...rest } : rest
    const requests = difference(entry, desired, true)
    if (requests.length > 0) tellDrift(row)
    for (const changes of requests) await write({ kind: 'modify', dn: entry.dn, changes })
    await note(row, { dn, uuid: uuidOf(entry) })
  }

  /** @returns why the entry does not show all of the account; null: it is equal */
  const converge = async (row: Row, write: WriteEntry): Promise<Statement | null> => {
    // It takes no hashes, and only the application knows the password.
    if (directory.isActiveDirectory) return statements.no_service_accounts()
    const { values, problem } = await usable(row.passwords)
    const wanted = wantedOf(baseDn, embedded, row, values)
    const { there, elsewhere } = await found(row, wanted)
    for (const { dn } of elsewhere) await remove(write, dn)
    if (elsewhere.length > 0 || (wanted !== null && there === null)) tellDrift(row)
    if (wanted === null) await note(row, {})
    else if (there === null) await add(write, row, wanted)
    else if (isOurs(row, there)) await update(write, row, there, wanted)
    else throw new DirectoryError('refused', statements.place_taken({ dn: there.dn }))
    return problem
  }

  /** The account may have been changed meanwhile, or another instance has taken over: then it is written once more. */
  const settled = async ({ id, name, version }: Row, problem: Statement | null): Promise<void> => {
    if (name === null) {
      await db.execute(sql`
        delete from service_entries e where directory = ${number} and account_id = ${id} and ${leases.isOwn}
          and not exists (select from service_accounts a where a.id = e.account_id)`)
      return
    }
    await db.execute(sql`
      update service_entries e set attempts = 0, next_at = null, stated = ${problem && asJson(problem)}, synced_version =
        case when ${leases.isOwn} and exists (
            select from service_accounts a where a.id = e.account_id and a.version = ${version}::bigint)
          then ${version}::bigint else 0 end
      where directory = ${number} and account_id = ${id}`)
  }

  const refused = async ({ id, attempts }: Row, { stated }: DirectoryError): Promise<void> => {
    const pause = Math.min(longestPause, 2 ** Math.min(attempts, 10))
    await db.execute(sql`
      insert into service_entries as e (directory, account_id, attempts, next_at, stated)
      values (${number}, ${id}, 1, now() + make_interval(secs => ${pause}), ${asJson(stated)})
      on conflict (directory, account_id) do update set
        attempts = e.attempts + 1, next_at = excluded.next_at, stated = excluded.stated, synced_version = 0`)
  }

  /** Says of all accounts that wait why they do. */
  const explain = async (stated: Statement): Promise<void> => {
    await db.execute(sql`
      insert into service_entries as e (directory, account_id, stated)
      select ${number}, a.id, ${asJson(stated)} from service_accounts a
      left join service_entries e on e.directory = ${number} and e.account_id = a.id
      where e.synced_version is distinct from a.version
      on conflict (directory, account_id) do update set stated = excluded.stated`)
  }

  const writeDue = async (all: boolean): Promise<void> => {
    await expire()
    const accounts = await due(all)
    if (accounts.length === 0) return
    await availability.ready()
    const kept = await leases.take(accounts)
    const writeEntry: WriteEntry = (change) => directory.write(change, kept.confirm)
    try {
      for (const row of await held()) {
        if (stopping) return
        try {
          await settled(row, await converge(row, writeEntry))
        } catch (error) {
          if (!(error instanceof DirectoryError) || error.kind === 'unavailable') throw error
          const { id, attempts } = row
          if (attempts === 0) log.warn({ id: Number(id), reason: error.message }, 'a service account was refused')
          await refused(row, error)
        }
      }
    } catch (error) {
      // The rest is due again, for this or another instance.
      if (!(error instanceof LeaseLostError)) throw error
    } finally {
      kept.end()
      await leases.releaseAll()
    }
  }

  const write = (all: boolean): Promise<void> => {
    const work = last.then(() => writeDue(all))
    last = work.catch(() => undefined)
    return work
  }

  const stateOf = async (id: number): Promise<{ isEqual: boolean; isHeld: boolean }> => {
    const [row] = await db.execute<{ isEqual: boolean; isHeld: boolean }>(sql`
      select coalesce(e.synced_version = a.version, false) as "isEqual", ${leases.isHeld} as "isHeld"
      from service_accounts a
      full join (select * from service_entries where directory = ${number}) e on e.account_id = a.id
      where ${id} in (a.id, e.account_id)`)
    // An account that was deleted together with its entry has neither.
    return row ?? { isEqual: true, isHeld: false }
  }

  const failed = async (error: unknown): Promise<void> => {
    if (!isUnavailable(error)) {
      log.error({ error: errorRecord(error) }, 'service accounts could not be written and are tried again')
      return
    }
    await lost(error)
    await explain(error.stated).catch(() => undefined)
  }

  return {
    async settle(id) {
      if (availability.pause() > 0) {
        await explain(availability.reason() ?? statements.not_answered_yet()).catch(() => undefined)
        return false
      }
      const deadline = Date.now() + patience
      for (let wait = 10; ; wait = Math.min(wait * 2, 200)) {
        await inTime(deadline - Date.now(), write(false).catch(failed), () => undefined)
        const { isEqual, isHeld } = await stateOf(id)
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
