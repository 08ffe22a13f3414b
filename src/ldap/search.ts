import { Ber, BerReader, type Filter, PagedResultsControl, SearchRequest } from 'ldapts'
import type { Connection } from './connection.ts'
import type { Answer, FoundEntry } from './connection-answer.ts'
import type { Entry } from './directory.ts'
import { present } from './filter.ts'
import { outcomeError, resultCodes } from './result-code.ts'

interface SearchScope {
  base: string
  scope: 'base' | 'one' | 'sub'
  filter: Filter
  /** Empty: no attributes. */
  attributes: string[]
  /** Seconds the server may take. */
  timeLimit: number
}

/** @returns the entry, or null where there is none */
export const readEntry = async (
  connection: Connection,
  dn: string,
  attributes: string[],
  timeLimit: number,
): Promise<Entry | null> => {
  const answer = await search(connection, {
    base: dn,
    scope: 'base',
    filter: present('objectClass'),
    attributes,
    timeLimit,
  })
  if (answer.code === resultCodes.noSuchObject) return null
  if (answer.code !== resultCodes.success) throw outcomeError(answer, `read ${dn || 'its root DSE'}`)
  const found = answer.entries[0]
  return found ? entryReader(attributes)(found) : null
}

/** The entries page by page (RFC 2696); nothing where the base does not exist. Nobody else may search on `connection`. */
export async function* searchPages(
  connection: Connection,
  scope: SearchScope,
  pageSize: number,
): AsyncGenerator<Entry[]> {
  const toEntry = entryReader(scope.attributes)
  let cookie: Buffer | null = null
  do {
    const value = { size: pageSize, ...(cookie && { cookie }) }
    const answer: Answer = await search(connection, scope, new PagedResultsControl({ critical: true, value }))
    if (answer.code === resultCodes.noSuchObject && cookie === null) return
    if (answer.code !== resultCodes.success) throw outcomeError(answer, `search below ${scope.base}`)
    if (answer.entries.length > 0) yield answer.entries.map(toEntry)
    // A page may be empty and yet not the last one: only the cookie tells.
    cookie = nextPage(answer)
  } while (cookie !== null)
}

/** Asks for no attributes at all, RFC 4511 section 4.5.1.8. */
const noAttributes = '1.1'

const search = (
  connection: Connection,
  { base, scope, filter, attributes, timeLimit }: SearchScope,
  control?: PagedResultsControl,
): Promise<Answer> =>
  connection.request(
    (messageId) =>
      new SearchRequest({
        messageId,
        baseDN: base,
        scope,
        filter,
        attributes: attributes.length > 0 ? attributes : [noAttributes],
        timeLimit,
        controls: control ? [control] : [],
      }),
  )

/** RFC 2696: `SEQUENCE { size INTEGER, cookie OCTET STRING }`; an empty cookie, or no control, ends the pages. */
const nextPage = ({ controls }: Answer): Buffer | null => {
  const value = controls.get(PagedResultsControl.type)
  if (!value) return null
  const reader = new BerReader(value)
  reader.readSequence()
  reader.readInt()
  const cookie = reader.readString(Ber.OctetString, true)
  return cookie && cookie.length > 0 ? cookie : null
}

/** Servers answer in their own spelling (`CN` for `cn`); callers get the names they asked for. */
const entryReader = (attributes: string[]) => {
  const asked = new Map(attributes.map((name) => [name.toLowerCase(), name]))
  return ({ dn, attributes: found }: FoundEntry): Entry => {
    const entry: Entry = { dn, attributes: {} }
    for (const [description, values] of found) {
      const name = asked.get(description) ?? asked.get(description.toLowerCase())
      if (name !== undefined && values.length > 0) entry.attributes[name] = values
    }
    return entry
  }
}
