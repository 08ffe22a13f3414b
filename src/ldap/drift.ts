import { sql } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import type { Directory, SearchOptions } from './directory.ts'
import { DnSyntaxError, normalizeDn } from './dn.ts'
import { anyOf, equals, present } from './filter.ts'
import { isProbe } from './password-scheme.ts'
import { disabledDn, peopleDn } from './places.ts'
import type { RecordKind } from './touch.ts'

/** What a look at the whole directory found, before anything is repaired. */
export interface Drift {
  total: number
  /** Entries seen with the change number they had when they were last equal to their row. */
  unchanged: number
  /** Records to compare in full: their entry changed, is gone, or was never looked at since it was written. */
  suspects: number[]
  /** DNs of entries without a row. They are reported, never deleted. */
  strangers: string[]
}

interface Known {
  id: number
  entryCsn: string | null
}

const rowsPerQuery = 10_000
/** How many strangers are named; the rest is somebody else's tree. */
const strangersNamed = 1000

/**
 * Compares what the directory holds with what it held when it was last in sync, by DN and `entryCSN` alone: reading
 * the change numbers costs no more than a plain search, and nothing else has to be read of an entry nobody changed.
 * On a server without change numbers every record is a suspect.
 */
export const findDrift = async (db: Db, directory: Directory, kind: RecordKind): Promise<Drift> => {
  const { entryCsn: hasCsn } = await directory.features()
  const knownRows = loadKnown(db, kind)
  // The search starts at once; the directory is busy with its first page while SQL answers.
  const pages = kind === 'user' ? searchUsers(directory) : searchGroups(directory)
  const firstPage = pages.next()
  firstPage.catch(() => undefined)
  const known = await knownRows
  const drift: Drift = { total: known.size, unchanged: 0, suspects: [], strangers: [] }
  const unknown: string[] = []

  for (let page = await firstPage; page.done !== true; page = await pages.next()) {
    for (const entry of page.value) {
      const record = known.get(entry.dn)
      if (record === undefined) {
        unknown.push(entry.dn)
        continue
      }
      known.delete(entry.dn)
      if (hasCsn && record.entryCsn !== null && record.entryCsn === entry.attributes.entryCSN?.[0]) drift.unchanged++
      else drift.suspects.push(record.id)
    }
  }

  // The server may spell a DN differently; only what is left over is worth the parsing.
  if (unknown.length > 0) {
    const byKey = new Map([...known].map(([dn, record]) => [normalizeDn(dn), [dn, record] as const]))
    for (const dn of unknown) {
      const found = byKey.get(keyOf(dn))
      if (found === undefined) {
        if (isProbe(dn)) continue
        if (drift.strangers.length < strangersNamed) drift.strangers.push(dn)
        continue
      }
      drift.suspects.push(found[1].id)
      known.delete(found[0])
    }
  }
  for (const record of known.values()) drift.suspects.push(record.id)
  drift.suspects.sort((a, b) => a - b)
  drift.strangers = await withoutRow(db, drift.strangers)
  return drift
}

/** A stranger's name may be one that we could not write ourselves. */
const keyOf = (dn: string): string => {
  try {
    return normalizeDn(dn)
  } catch (error) {
    if (error instanceof DnSyntaxError) return dn
    throw error
  }
}

/** Records that have an entry and are in sync; those on their way are the reconciler's business already. */
const loadKnown = async (db: Db, kind: RecordKind): Promise<Map<string, Known>> => {
  const known = new Map<string, Known>()
  for (let after = 0; ; ) {
    const rows = await db.execute<{ id: string; dn: string; csn: string | null }>(sql`
      select record_id as id, dn, entry_csn as csn from directory_entries
      where kind = ${kind} and record_id > ${after} and dn is not null and version = synced_version
      order by record_id limit ${rowsPerQuery}`)
    for (const row of rows) known.set(row.dn, { id: Number(row.id), entryCsn: row.csn })
    if (rows.length < rowsPerQuery) return known
    after = Number(rows.at(-1)?.id)
  }
}

const anything = present('objectClass')
const groupClasses = anyOf(
  ...['organizationalUnit', 'groupOfNames', 'groupOfUniqueNames'].map((name) => equals('objectClass', name)),
)

async function* searchUsers(directory: Directory) {
  for (const container of [peopleDn(directory.baseDn), disabledDn(directory.baseDn)]) {
    yield* directory.search(container, { scope: 'one', filter: anything, attributes: ['entryCSN'] })
  }
}

async function* searchGroups(directory: Directory) {
  const ours = new Set([directory.baseDn, peopleDn(directory.baseDn), disabledDn(directory.baseDn)].map(normalizeDn))
  const options: SearchOptions = { scope: 'sub', filter: groupClasses, attributes: ['entryCSN'] }
  for await (const page of directory.search(directory.baseDn, options)) {
    yield page.filter((entry) => !ours.has(keyOf(entry.dn)))
  }
}

/** Some were written while the search went on: they have a row by now, or one that is on its way. */
const withoutRow = async (db: Db, dns: readonly string[]): Promise<string[]> => {
  if (dns.length === 0) return []
  const rows = await db.execute<{ dn: string }>(sql`
    select dn from jsonb_array_elements_text(${JSON.stringify(dns)}::jsonb) as s(dn)
    where not exists (select from directory_entries e where lower(e.dn) = lower(s.dn))
      and not exists (select from directory_entries e where lower(e.target_dn) = lower(s.dn))`)
  return rows.map((row) => row.dn)
}
