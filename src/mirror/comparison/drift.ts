import { crc32 } from 'node:zlib'
import { sql } from 'drizzle-orm'
import { type Directory, DirectoryError, type Entry, type SearchOptions } from '../../ldap/directory.ts'
import { keyOfAny, normalizeDn } from '../../ldap/dn.ts'
import { anyOf, equals, present } from '../../ldap/filter.ts'
import { resultCodes } from '../../ldap/result-code.ts'
import { groupLayoutIn } from '../entry/group-layout.ts'
import { disabledDn, type GroupLayout, peopleDn, serviceAccountsDn, unitsOf } from '../entry/places.ts'
import { isProbe } from '../entry/probe-entry.ts'
import { type Book, isRowOf } from '../ledger/claim.ts'
import type { ReadableDirectory } from '../plan/plan-batch.ts'
import { heldRepairs } from '../plan/repairs.ts'
import type { RecordKind } from '../touch.ts'
import { type KnownEntries, openKnownEntries } from './known-entries.ts'
import { ignoredAmong } from './orphan-records.ts'

/** What a search of the whole directory found, before anything is repaired. */
export interface Drift {
  total: number
  /**
   * The number of records whose entry has the change number it had when it was last equal to its record, and their ids.
   */
  unchanged: number
  isUnchanged: (id: number) => boolean
  /** Whether a record is counted in `total`. */
  isKnown: (id: number) => boolean
  /** Records to compare completely: their entry was changed, is missing, or was not read since it was written. */
  suspects: number[]
  /** DNs of orphan entries, without ignored ones. They are reported, never deleted. */
  orphans: string[]
  /** A digest of the DNs and change numbers of all entries found: if it differs, something has changed. */
  fingerprint: number
}

const rowsPerQuery = 10_000
/**
 * The later a page, the longer a server takes for it. With this size slapd takes a third less time in total than with
 * pages of 1000.
 */
const pageSize = 4000
/** How many pages are read in advance: the directory sends them while SQL responds. */
const pagesAhead = 8
/**
 * How many entries may wait for the record that they are of. A directory mostly lists its entries in the order of the
 * records, so that few come before it. If they do not, the search waits until all records have been read.
 */
const earlyEntries = 10_000
/** How many orphan entries are reported by name. More of them are usually the tree of another system. */
const orphansNamed = 1000

/**
 * Compares what the directory holds with what it held when it was last in sync, by DN and `entryCSN` alone: reading the
 * change numbers costs no more than a plain search, and entries that were not changed are not read completely. On a
 * server without change numbers every record is compared completely.
 */
export const findDrift = async (book: Book, directory: ReadableDirectory, kind: RecordKind): Promise<Drift> => {
  const { known, unknown, fingerprint } = await readBoth(book, directory, kind)
  const suspects = known.suspects()
  const isUnchanged = (place: number | undefined): boolean => place !== undefined && known.found(place) === 'unchanged'
  const drift: Drift = {
    total: known.size(),
    unchanged: known.size() - suspects.length,
    isUnchanged: (id) => isUnchanged(known.placeOf(id)),
    isKnown: (id) => known.placeOf(id) !== undefined,
    suspects,
    orphans: [],
    fingerprint,
  }

  // The server may spell a DN differently. Parsing is slow, so it is done only for entries that were not found by their
  // text.
  const keys = unknown.length === 0 ? new Set<string>() : await keysOfMissing(book, kind, known)
  for (let start = 0; start < unknown.length && drift.orphans.length < orphansNamed; start += orphansNamed) {
    const some = unknown.slice(start, start + orphansNamed).filter((dn) => !keys.has(keyOfAny(dn)) && !isProbe(dn))
    const ignored = await ignoredAmong(book, some)
    const left = some.filter((dn) => !ignored.has(dn))
    drift.orphans.push(...(await stillThere(directory, await withoutRow(book, left))))
  }
  drift.orphans.splice(orphansNamed)
  return drift
}

/**
 * Reads the records and the entries by turns, so that PostgreSQL and the directory work at the same time.
 * @returns `unknown`: DNs of entries that are of no record as they are spelled, or of one that has another entry
 */
const readBoth = async (book: Book, directory: ReadableDirectory, kind: RecordKind) => {
  const { entryCsn: hasCsn } = await directory.features()
  const layout = await groupLayoutIn(book)
  const pages = readAhead(kind === 'user' ? searchUsers(directory) : searchGroups(directory, layout), pagesAhead)
  const records = readAhead(readKnown(book, kind), 1)
  const rows = records.read()
  const known = openKnownEntries()
  const unknown: string[] = []
  /** Entries of none of the records read so far. */
  const early: Entry[] = []
  let [seen, fingerprint, allRead] = [0, 0, false]
  const readUntil = async (isEnough: () => boolean): Promise<void> => {
    while (!allRead && !isEnough()) {
      const next = await rows.next()
      if (next.done === true) allRead = true
      else for (const [id, entryCsn, dn] of next.value) known.add(id, dn, entryCsn)
    }
  }
  const note = (entry: Entry): void => {
    const place = known.at(entry.dn)
    if (place === undefined && !allRead) early.push(entry)
    else if (place === undefined || known.found(place) !== 'nothing') unknown.push(entry.dn)
    else known.note(place, hasCsn ? entry.attributes.entryCSN?.[0] : undefined)
  }
  const noteEarly = async (): Promise<void> => {
    await readUntil(() => false)
    for (const entry of early.splice(0)) note(entry)
  }
  try {
    for await (const page of untilUnreadable(pages.read())) {
      seen += page.length
      await readUntil(() => known.size() >= seen)
      for (const entry of page) {
        // A sum: the order in which entries come may differ.
        if (!isProbe(entry.dn))
          fingerprint = (fingerprint + crc32(`${entry.dn}\n${entry.attributes.entryCSN?.[0]}`)) % 2 ** 48
        note(entry)
      }
      if (early.length > earlyEntries) await noteEarly()
    }
    await noteEarly()
  } finally {
    await pages.end()
    await records.end()
  }
  return { known, unknown, fingerprint }
}

/**
 * A search ends at an entry that the directory cannot read (`other`, for example because it is damaged). Records that
 * were not reached are then read one by one, and the record of the entry gets the error.
 */
async function* untilUnreadable<Page>(pages: AsyncIterable<Page>): AsyncGenerator<Page> {
  try {
    yield* pages
  } catch (error) {
    if (!(error instanceof DirectoryError) || !error.answered || error.code !== resultCodes.other) throw error
  }
}

type KnownRow = [id: number, entryCsn: string | null, dn: string]

/** Records that have an entry and are in sync or parked, by id. The reconciler already works on the others. */
async function* readKnown({ db, ...book }: Book, kind: RecordKind): AsyncGenerator<KnownRow[]> {
  for (let after = 0; ; ) {
    // As one value: rows that arrive one by one take several times as long to receive.
    const [row] = await db.execute<{ entries: KnownRow[] | null }>(sql`
      select json_agg(json_build_array(record_id, entry_csn, dn) order by record_id) as entries from (
        select record_id, entry_csn, dn from directory_entries e
        where ${isRowOf(book, kind)} and record_id > ${after} and dn is not null
          and (version = synced_version or next_at is null and repairs >= ${heldRepairs})
        order by record_id limit ${rowsPerQuery}
      ) e`)
    const entries = row?.entries ?? []
    yield entries
    if (entries.length < rowsPerQuery) return
    after = entries.at(-1)?.[0] ?? 0
  }
}

/** The normalized DNs of the records whose entry was not found. */
const keysOfMissing = async (book: Book, kind: RecordKind, known: KnownEntries): Promise<Set<string>> => {
  const keys = new Set<string>()
  for await (const rows of readKnown(book, kind)) {
    for (const [id, , dn] of rows) {
      const place = known.placeOf(id)
      if (place !== undefined && known.found(place) === 'nothing') keys.add(normalizeDn(dn))
    }
  }
  return keys
}

/** Reads pages before they are requested, at most `ahead` pages in advance. Call `end` in any case. */
const readAhead = <Page>(source: AsyncGenerator<Page>, max: number) => {
  const next = (): Promise<IteratorResult<Page>> => {
    const page = source.next()
    // The reader gets the error, unless it has stopped.
    page.catch(() => {})
    return page
  }
  const ahead = Array.from({ length: max }, next)
  return {
    async *read(): AsyncGenerator<Page> {
      for (let page = await ahead.shift(); page && page.done !== true; page = await ahead.shift()) {
        ahead.push(next())
        yield page.value
      }
    },
    end: async (): Promise<void> => void (await source.return(undefined)),
  }
}

const anything = present('objectClass')
const groupClasses = (isActiveDirectory: boolean) =>
  anyOf(
    ...['organizationalUnit', ...(isActiveDirectory ? ['group'] : ['groupOfNames', 'groupOfUniqueNames'])].map((name) =>
      equals('objectClass', name),
    ),
  )

/** The entries of people, parked or not. */
export async function* searchUsers(directory: Pick<Directory, 'baseDn' | 'search'>, attributes = ['entryCSN']) {
  for (const container of [peopleDn(directory.baseDn), disabledDn(directory.baseDn)]) {
    yield* directory.search(container, { scope: 'one', filter: anything, attributes, pageSize })
  }
}

/** The entries of groups, wherever they are below the base. */
export async function* searchGroups(
  directory: Pick<Directory, 'baseDn' | 'isActiveDirectory' | 'search'>,
  layout: GroupLayout,
  attributes = ['entryCSN'],
) {
  const { baseDn, isActiveDirectory = false } = directory
  const ours = new Set([baseDn, ...unitsOf(baseDn, layout), serviceAccountsDn(baseDn)].map(normalizeDn))
  const options: SearchOptions = { scope: 'sub', filter: groupClasses(isActiveDirectory), attributes, pageSize }
  for await (const page of directory.search(directory.baseDn, options)) {
    yield page.filter((entry) => !ours.has(keyOfAny(entry.dn)))
  }
}

/** The entries that still exist: Steward may have moved or deleted some in the meantime. */
export const stillThere = async (directory: Pick<Directory, 'read'>, dns: readonly string[]): Promise<string[]> => {
  const found = await Promise.all(dns.map((dn) => directory.read(dn, [])))
  return dns.filter((_, index) => found[index] !== null)
}

/** Some were written during the search: they have a row in the ledger by now, or an intent. */
const withoutRow = async ({ db, directory }: Book, dns: readonly string[]): Promise<string[]> => {
  if (dns.length === 0) return []
  const rows = await db.execute<{ dn: string }>(sql`
    select dn from jsonb_array_elements_text(${JSON.stringify(dns)}::jsonb) as s(dn)
    where not exists (select from directory_entries e where e.directory = ${directory} and lower(e.dn) = lower(s.dn))
      and not exists (select from directory_entries e where e.directory = ${directory} and lower(e.target_dn) = lower(s.dn))`)
  return rows.map((row) => row.dn)
}
