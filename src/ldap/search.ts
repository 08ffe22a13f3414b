import { Ber, BerReader, type Control, type Filter, PagedResultsControl, SearchRequest } from 'ldapts'
import type { Connection } from './connection.ts'
import type { LdapResponse } from './connection-response.ts'
import type { Entry, WholeEntry } from './directory.ts'
import { DirectoryError } from './directory-error.ts'
import { type AttributeShape, decodeEntry, type EntryShape } from './entry-decoder.ts'
import { present } from './filter.ts'
import { outcomeError, resultCodes } from './result-code.ts'
import { statements } from './statements.ts'

export interface SearchScope {
  base: string
  scope: 'base' | 'one' | 'sub'
  filter: Filter
  /** Empty: no attributes. */
  attributes: string[]
  /** Seconds the server may take. */
  timeLimit: number
  /** Controls beside that of the pages. */
  controls?: Control[]
}

/** One page of the results of a search. */
export interface Page<T> {
  entries: T[]
  /** Where the server says that the rest is to be looked for (RFC 4511 section 4.5.3), as URLs. */
  references: string[]
}

/** @returns the entry, or null where it does not exist */
export const readEntry = (
  connection: Connection,
  dn: string,
  attributes: string[],
  timeLimit: number,
): Promise<Entry | null> => findEntry(connection, { base: dn, attributes, timeLimit }, entryShape(attributes))

/** @returns all user attributes of the entry, as octets; null where the entry does not exist */
export const readWholeEntry = (connection: Connection, dn: string, timeLimit: number): Promise<WholeEntry | null> =>
  findEntry(connection, { base: dn, attributes: ['*'], timeLimit }, wholeShape)

/** @returns the entry in the given shape, or null where it does not exist */
export const findEntry = async <T>(
  connection: Connection,
  wanted: Omit<SearchScope, 'scope' | 'filter'>,
  shape: EntryShape<T>,
): Promise<T | null> => {
  const scope: SearchScope = { ...wanted, scope: 'base', filter: present('objectClass') }
  const { response, entries } = await search(connection, scope, shape)
  if (response.code === resultCodes.noSuchObject) return null
  if (response.code !== resultCodes.success)
    throw outcomeError(response, wanted.base === '' ? statements.read_root() : statements.read({ dn: wanted.base }))
  return entries[0] ?? null
}

/** Entries per page that every server accepts. */
export const modestPage = 1000

/** The codes with which servers refuse a page that is larger than they allow. */
const tooMuch: readonly (number | null)[] = [
  resultCodes.sizeLimitExceeded,
  resultCodes.adminLimitExceeded,
  resultCodes.unwillingToPerform,
]

/**
 * The entries page by page (RFC 2696); no page where the base does not exist. The caller must own `connection`.
 * @param pageSize where the server allows fewer, `modestPage` is used
 * @param shape default: the attributes of the scope, as text
 */
export async function* searchPages(
  connection: Connection,
  scope: SearchScope,
  pageSize: number,
  shape: EntryShape<Entry> = entryShape(scope.attributes),
): AsyncGenerator<Entry[]> {
  let begun = false
  try {
    for await (const { entries } of foundPages(connection, scope, pageSize, shape)) {
      begun = true
      if (entries.length > 0) yield entries
    }
  } catch (error) {
    if (begun || !(error instanceof DirectoryError)) throw error
    if (pageSize > modestPage && tooMuch.includes(error.code)) yield* searchPages(connection, scope, modestPage, shape)
    else if (error.code !== resultCodes.noSuchObject) throw error
  }
}

/**
 * The pages in the given shape. A page that is not the last may be empty. The caller must own `connection`.
 * @throws DirectoryError; also where the base does not exist
 */
export async function* foundPages<T>(
  connection: Connection,
  scope: SearchScope,
  pageSize: number,
  shape: EntryShape<T>,
): AsyncGenerator<Page<T>> {
  let cookie: Buffer | null = null
  do {
    const value = { size: pageSize, ...(cookie && { cookie }) }
    const paging = new PagedResultsControl({ critical: true, value })
    const { response, entries }: Found<T> = await search(connection, scope, shape, paging)
    if (response.code !== resultCodes.success) throw outcomeError(response, statements.search({ dn: scope.base }))
    yield { entries, references: response.references }
    cookie = nextPage(response)
  } while (cookie !== null)
}

/** Asks for no attributes at all, RFC 4511 section 4.5.1.8. */
const noAttributes = '1.1'

interface Found<T> {
  response: LdapResponse
  entries: T[]
}

const search = async <T>(
  connection: Connection,
  { base, scope, filter, attributes, timeLimit, controls = [] }: SearchScope,
  shape: EntryShape<T>,
  paging?: PagedResultsControl,
): Promise<Found<T>> => {
  const entries: T[] = []
  const response = await connection.request(
    (messageId) =>
      new SearchRequest({
        messageId,
        baseDN: base,
        scope,
        filter,
        attributes: attributes.length > 0 ? attributes : [noAttributes],
        timeLimit,
        controls: paging ? [paging, ...controls] : controls,
      }),
    (content) => void entries.push(decodeEntry(content, shape)),
  )
  return { response, entries }
}

/** RFC 2696: `SEQUENCE { size INTEGER, cookie OCTET STRING }`; an empty cookie, or no control, ends the pages. */
const nextPage = ({ controls }: LdapResponse): Buffer | null => {
  const value = controls.get(PagedResultsControl.type)
  if (!value) return null
  const reader = new BerReader(value)
  reader.readSequence()
  reader.readInt()
  const cookie = reader.readString(Ber.OctetString, true)
  return cookie && cookie.length > 0 ? cookie : null
}

/** Servers answer in their own spelling (`CN` for `cn`); callers get only the attributes and names they asked for. */
const entryShape = (attributes: string[]): EntryShape<Entry> => {
  const asked = new Map(attributes.map((name) => [name.toLowerCase(), toAttribute(name)]))
  return {
    begin: (dn) => ({ dn, attributes: {} }),
    attribute: (description) => asked.get(description) ?? asked.get(description.toLowerCase()) ?? null,
  }
}

const toAttribute = (name: string): AttributeShape<Entry> => ({
  form: 'text',
  add({ attributes }, values) {
    if (values.length > 0) attributes[name] = values
  },
})

const wholeShape: EntryShape<WholeEntry> = {
  begin: (dn) => ({ dn, attributes: new Map() }),
  attribute: (description) => ({
    form: 'hex',
    add: ({ attributes }, values) =>
      void attributes.set(
        description,
        values.map((value) => Buffer.from(value, 'hex')),
      ),
  }),
}
