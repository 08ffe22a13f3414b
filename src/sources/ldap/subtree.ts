import type { Filter } from 'ldapts'
import type { Statement } from '../../failures/statement.ts'
import type { EntryShape } from '../../ldap/entry-decoder.ts'
import { endless, maxEmptyPages, maxRecords } from '../bounds.ts'
import type { Reading } from '../source.ts'
import { statements } from '../statements.ts'
import { type Located, unidentified } from './located.ts'
import type { LdapReader } from './reader.ts'
import type { Subject } from './settings.ts'

/** The scope and the connection of one reading. */
export interface Sight {
  reader: LdapReader
  subject: Subject
  isOwn: IsOwn
  gap: Reading['gap']
  note?: Reading['note']
}

/** Which entries of a page this service has written itself. */
export type IsOwn = (entries: readonly Located[]) => Promise<ReadonlySet<Located>>

export interface Wanted {
  filter: Filter
  /** In addition to the one that identifies an entry. */
  attributes: readonly string[]
  pageSize?: number
}

/**
 * The entries below the base that a filter selects, page by page. Reports at its end what it could not read.
 * @throws SourceError where the pages do not end, and as the reader
 */
export async function* readSubtree<T extends Located>(
  { reader, subject: { preset, baseDn }, isOwn, gap }: Sight,
  { filter, attributes, pageSize }: Wanted,
  shape: EntryShape<T>,
): AsyncGenerator<T[]> {
  const references = new Set<string>()
  const unreadable: string[] = []
  const search = {
    base: baseDn,
    scope: 'sub' as const,
    filter,
    attributes: [...attributes, preset.identity],
    controls: preset.controls(),
  }
  let emptyPages = 0
  let found = 0
  for await (const page of reader.pages(search, shape, pageSize)) {
    found += page.entries.length
    if (found > maxRecords) throw endless(statements.endless({ limit: maxRecords }))
    emptyPages = page.entries.length > 0 ? 0 : emptyPages + 1
    if (emptyPages > maxEmptyPages) throw endless(statements.endless_pages({ limit: maxEmptyPages }))
    for (const url of page.references) references.add(url)
    const own = await isOwn(page.entries)
    const entries = page.entries.filter((entry) => !own.has(entry))
    for (const entry of entries) {
      if (entry.id === '') throw unidentified(entry, preset)
      if (entry.key === '') unreadable.push(entry.dn)
    }
    if (entries.length > 0) yield entries
  }
  if (references.size > 0) {
    const urls = [...references]
    gap(statements.on_other_servers({ urls: some(urls) }), beyondShown(urls))
  }
  if (unreadable.length > 0) gap(statements.dns_unreadable({ entries: some(unreadable) }), beyondShown(unreadable))
}

const shown = 3

/** The same for the same names, in whatever order they were read. */
const some = (all: readonly string[]): string | Statement => {
  const names = [...all].sort().slice(0, shown).join(', ')
  return all.length > shown ? statements.some_more({ names, count: all.length - shown }) : names
}

/** All names, where `some` leaves out any. */
const beyondShown = (all: readonly string[]): readonly string[] | undefined => (all.length > shown ? all : undefined)
