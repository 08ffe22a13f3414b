import type { Directory, Entry } from '../ldap/directory.ts'
import { DirectoryError } from '../ldap/directory-error.ts'
import { anyOf, equals } from '../ldap/filter.ts'
import { spelled } from '../ldap/spelling.ts'
import type { Ledger } from './ledger.ts'
import type { ProtectedPlaces } from './protected-places.ts'
import type { Sighting } from './sighting.ts'

export interface StrayedOptions {
  directory: Pick<Directory, 'baseDn' | 'search'>
  ledger: Pick<Ledger, 'heldElsewhere'>
  /** What is read of an entry. */
  attributes: string[]
  places: ProtectedPlaces
}

/** Entries looked for with one search. */
const together = 20

/**
 * Looks for the entries of people that are not where the ledger knows them, by the names that the server gave them:
 * somebody renamed them or moved them elsewhere below the base. With a second entry made in its stead, the first would go
 * on letting the person in, whatever became of the record.
 *
 * Where many are missing and none of the first is anywhere, the directory was emptied, and the others are not looked for.
 * @throws DirectoryError when the directory does not answer
 */
export const findStrayed = async (options: StrayedOptions, seen: readonly Sighting[]): Promise<Sighting[]> => {
  const missing = seen.filter(({ item, found }) => found === null && item.entryUuid !== null)
  const entries = new Map<string, Entry>()
  for (let start = 0; start < missing.length; start += together) {
    const uuids = missing.slice(start, start + together).flatMap(({ item }) => item.entryUuid ?? [])
    for (const entry of await entriesNamed(options, uuids)) {
      entries.set(entry.attributes.entryUUID?.[0]?.toLowerCase() ?? '', entry)
    }
    if (entries.size === 0) return [...seen]
  }
  if (entries.size === 0) return [...seen]
  const found = missing.flatMap(({ item }) => {
    const entry = entries.get(item.entryUuid ?? '')
    return entry === undefined ? [] : [{ id: item.id, dn: spelled(entry.dn), entry }]
  })
  const held = await options.ledger.heldElsewhere('user', found)
  const strayed = new Map(found.filter(({ id }) => !held.has(id)).map(({ id, ...rest }) => [id, rest]))
  return seen.map((one) => ({ ...one, found: one.found ?? strayed.get(one.item.id) ?? null }))
}

const entriesNamed = async ({ directory, attributes, places }: StrayedOptions, uuids: readonly string[]) => {
  const filter = anyOf(...uuids.map((uuid) => equals('entryUUID', uuid)))
  const entries: Entry[] = []
  try {
    for await (const page of directory.search(directory.baseDn, { scope: 'sub', filter, attributes })) {
      entries.push(...page.filter((entry) => places.reasonOf(entry) === null))
    }
  } catch (error) {
    // A server that does not let us search by it, or cannot read an entry on the way, tells nothing of the others.
    if (!(error instanceof DirectoryError) || !error.answered) throw error
  }
  return entries
}
