import { sql } from 'drizzle-orm'
import type { Db } from '../../db/client.ts'
import type { Statement } from '../../failures/statement.ts'
import type { Directory, Entry } from '../../ldap/directory.ts'
import { DirectoryError } from '../../ldap/directory-error.ts'
import { keyOfAny } from '../../ldap/dn.ts'
import { spelled } from '../../ldap/spelling.ts'
import { searchGroups, searchUsers } from '../comparison/drift.ts'
import { type Claimant, claimantsOf, ignoredAmong, kindAt } from '../comparison/orphan-records.ts'
import type { EntryForm } from '../entry/entry-form.ts'
import { groupLayoutIn } from '../entry/group-layout.ts'
import { isProbe } from '../entry/probe-entry.ts'
import { type ProtectedPlaces, protectedPlaces, readOwnEntry, systemAttribute } from '../entry/protected-places.ts'
import type { Book } from '../ledger/claim.ts'
import { unfitFor } from '../plan/sighting.ts'
import { reasons } from '../reasons.ts'
import { statements } from '../statements.ts'
import type { Orphan, OrphanFilter } from './orphan.ts'

export interface OrphansOptions {
  db: Db
  /** The number of the directory. */
  number: number
  directory: Directory
  form: EntryForm
}

/** Entries looked up in SQL with one statement. */
export const entriesPerQuery = 1000

/** The attributes that are read to decide about an entry. */
const wanted = ['objectClass', 'entryUUID', systemAttribute]

export interface OrphanSearch {
  /** All orphans of the directory that match, page by page. @throws DirectoryError */
  scan(filter: OrphanFilter): AsyncIterable<Orphan[]>
  /**
   * The orphans with these DNs, each once.
   * @throws AppError naming the first of `dns` that cannot be read, does not exist, or belongs to a record;
   *   DirectoryError
   */
  named(dns: readonly string[]): Promise<Orphan[]>
}

/** Finds the orphan entries in the directory, with the record each would belong to. */
export const orphanSearch = ({ db, number, directory, form }: OrphansOptions): OrphanSearch => {
  const { baseDn } = directory
  const book = { db, directory: number }
  const kindOf = kindAt(baseDn)

  /** The orphan entries among these entries, with the record each would belong to. */
  const judge = async (places: ProtectedPlaces, entries: readonly Entry[]): Promise<Orphan[]> => {
    const claimed = await claimedAmong(book, entries)
    const left = entries.filter((entry) => !claimed.has(entry) && !isProbe(entry.dn))
    const dns = left.map(({ dn }) => dn)
    const [claimantOf, ignored] = [await claimantsOf(book, baseDn, dns, form.naming), await ignoredAmong(book, dns)]
    return left.map((entry): Orphan => {
      const { dn, attributes } = entry
      const claimant = claimantOf(dn)
      const isProtected = places.reasonOf(entry) ?? (places.holdsAccount(dn) ? statements.own_account_below() : null)
      return {
        ...{ dn, kind: kindOf(dn), objectClasses: attributes.objectClass ?? [] },
        obstacle: isProtected ?? unfitness(entry, claimant, form),
        record: claimant && { id: claimant.id, name: claimant.name },
        ignored: ignored.has(dn),
        uuid: attributes.entryUUID?.[0]?.toLowerCase() ?? null,
        place: claimant?.place ?? spelled(dn),
      }
    })
  }

  async function* scan({ kind, text = '' }: OrphanFilter): AsyncGenerator<Orphan[]> {
    const layout = await groupLayoutIn(book)
    const places = await protectedPlaces(directory, readOwnEntry(directory), layout)
    const part = text.toLowerCase()
    for (const each of kind === undefined ? (['user', 'group'] as const) : [kind]) {
      for await (const page of each === 'user'
        ? searchUsers(directory, wanted)
        : searchGroups(directory, layout, wanted)) {
        const matching = page.filter(({ dn }) => dn.toLowerCase().includes(part))
        for (let start = 0; start < matching.length; start += entriesPerQuery) {
          yield await judge(places, matching.slice(start, start + entriesPerQuery))
        }
      }
    }
  }

  const named = async (dns: readonly string[]): Promise<Orphan[]> => {
    const places = await protectedPlaces(directory, readOwnEntry(directory), await groupLayoutIn(book))
    const entries = await Promise.all(
      dns.map(async (dn, index) => {
        const entry = await directory.read(dn, wanted).catch((error: unknown) => {
          if (!(error instanceof DirectoryError) || error.kind !== 'refused') throw error
          throw reasons.dn_unreadable.at(`dns.${index}`, { problem: error.stated })
        })
        if (entry === null) throw reasons.entry_not_found.at(`dns.${index}`)
        return entry
      }),
    )
    const distinct = [...new Map(entries.map((entry) => [keyOfAny(entry.dn), entry])).values()]
    const orphans = await judge(places, distinct)
    const found = new Set(orphans.map(({ dn }) => keyOfAny(dn)))
    const index = entries.findIndex(({ dn }) => !found.has(keyOfAny(dn)))
    if (index >= 0) throw reasons.entry_of_record.at(`dns.${index}`)
    return orphans
  }

  return { scan, named }
}

/** Why an entry cannot become the entry of its record; null: it can. */
export const unfitness = (entry: Entry, claimant: Claimant | null, form: EntryForm): Statement | null => {
  if (claimant === null) return statements.unclaimed()
  if (claimant.dn !== null) return statements.own_entry({ dn: claimant.dn })
  const { kind, groupType } = claimant
  return unfitFor(entry, kind === 'group' ? form.groupClasses(groupType ?? '') : form.personClasses)
}

/** The entries that belong to a record. */
const claimedAmong = async ({ db, directory }: Book, entries: readonly Entry[]): Promise<ReadonlySet<Entry>> => {
  if (entries.length === 0) return new Set()
  const places = entries.map(({ dn }, index) => ({ index, dn: spelled(dn) }))
  const rows = await db.execute<{ index: number }>(sql`
    select p.index from jsonb_to_recordset(${JSON.stringify(places)}::jsonb) as p(index int, dn text)
    where exists (select from directory_entries e where e.directory = ${directory} and lower(e.dn) = lower(p.dn))
      or exists (select from directory_entries e where e.directory = ${directory} and lower(e.target_dn) = lower(p.dn))`)
  return new Set(rows.flatMap(({ index }) => entries[index] ?? []))
}
