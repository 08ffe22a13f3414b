import { AndFilter, EqualityFilter, type Filter, NotFilter, OrFilter } from 'ldapts'
import type { Connection } from './connection.ts'
import type { Entry, Write } from './directory.ts'
import { DirectoryError } from './directory-error.ts'
import type { AttributeShape, EntryShape } from './entry-decoder.ts'
import { resultCodes } from './result-code.ts'
import { findEntry } from './search.ts'

// Where Active Directory ([MS-ADTS]) differs from other servers as a client sees them: the id of an entry is its
// `objectGUID`, and attributes with many values are returned in parts. Callers use `entryUUID` here too.

/** Of the root DSE ([MS-ADTS] section 3.1.1.3.4.3): it is an Active Directory; it is one that accepts no changes. */
export const capabilities = { activeDirectory: '1.2.840.113556.1.4.800', readOnly: '1.2.840.113556.1.4.1920' } as const

const idAttribute = 'objectGUID'

/** The text of an objectGUID: its first three parts are stored with the smallest octet first ([MS-DTYP] section 2.3.4.2). */
const idText = (hex: string): string => {
  const turned = (from: number, to: number): string => (hex.slice(from, to).match(/../g) ?? []).reverse().join('')
  return [turned(0, 8), turned(8, 12), turned(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

const idOctets = (text: string): Buffer => {
  const [first = '', second = '', third = '', ...rest] = text.split('-')
  const turned = (part: string): string => (part.match(/../g) ?? []).reverse().join('')
  return Buffer.from([turned(first), turned(second), turned(third), ...rest].join(''), 'hex')
}

const isId = (name: string): boolean => name.toLowerCase() === 'entryuuid'

/** A filter that asks for the entryUUID asks for the objectGUID. */
export const withIds = (filter: Filter): Filter => {
  if (filter instanceof EqualityFilter && isId(filter.attribute))
    return new EqualityFilter({ attribute: idAttribute, value: idOctets(String(filter.value)) })
  if (filter instanceof OrFilter) return new OrFilter({ filters: filter.filters.map(withIds) })
  if (filter instanceof AndFilter) return new AndFilter({ filters: filter.filters.map(withIds) })
  return filter instanceof NotFilter ? new NotFilter({ filter: withIds(filter.filter) }) : filter
}

/** The attributes to ask the server for. */
export const withIdAttribute = (attributes: readonly string[]): string[] =>
  attributes.map((name) => (isId(name) ? idAttribute : name))

const toId: AttributeShape<Entry> = {
  form: 'hex',
  add: ({ attributes }, [hex]) => {
    if (hex !== undefined) attributes.entryUUID = [idText(hex)]
  },
}

/** Entries under the names the caller asked for, as other servers return them. */
export const activeDirectoryShape = (attributes: readonly string[]): EntryShape<Entry> => {
  const asked = new Map(attributes.filter((name) => !isId(name)).map((name) => [name.toLowerCase(), name]))
  const wantsId = attributes.some(isId)
  return {
    begin: (dn) => ({ dn, attributes: {} }),
    attribute(description) {
      const key = description.toLowerCase()
      if (key === idAttribute.toLowerCase()) return wantsId ? toId : null
      const name = asked.get(key)
      return name === undefined ? null : text(name)
    },
  }
}

const text = (name: string): AttributeShape<Entry> => ({
  form: 'text',
  add({ attributes }, values) {
    if (values.length > 0) attributes[name] = values
  },
})

/** A DN as the server takes it: it wants each `=` in a value to be escaped, which RFC 4514 does not. */
export const sentDn = (dn: string): string => {
  let isValue = false
  return dn.replace(/\\[\s\S]|[,=]/g, (part) => {
    if (part === '=' && !isValue) {
      isValue = true
      return part
    }
    if (part === ',') isValue = false
    return part === '=' || part === '\\=' ? '\\3d' : part
  })
}

const isMember = (attribute: string): boolean => ranged.has(attribute.toLowerCase())

/** The same for a write, without its new name: see prepareWrite. */
export const sentWrite = (write: Write): Write => {
  const dn = sentDn(write.dn)
  if (write.kind === 'add') {
    const attributes = Object.entries(write.attributes).map(([name, values]) => [
      name,
      isMember(name) ? values.map(sentDn) : values,
    ])
    return { ...write, dn, attributes: Object.fromEntries(attributes) }
  }
  if (write.kind !== 'modify') return { ...write, dn }
  const changes = write.changes.map((change) => {
    const { attribute, values } = change
    return isMember(attribute)
      ? { ...change, values: values.map((value) => (typeof value === 'string' ? sentDn(value) : value)) as string[] }
      : change
  })
  return { ...write, dn, changes }
}

/** Attributes that may have more values than the server returns at once ([MS-ADTS] section 3.1.1.3.1.3.3). */
const ranged: ReadonlySet<string> = new Set(['member'])
/** What a server returns at most, unless it was set up otherwise. */
const valuesAtOnce = 1500

const partPattern = /^([^;]+);range=\d+-(\d+|\*)$/i

/** @returns the entry with all values of its attributes; null where it does not exist */
export const readInRanges = async (
  connection: Connection,
  dn: string,
  attributes: readonly string[],
  timeLimit: number,
): Promise<Entry | null> => {
  const whole = activeDirectoryShape(attributes)
  /** Where the values continue that have not been returned yet. */
  const more = new Map<string, number>()
  const shape: EntryShape<Entry> = {
    begin: whole.begin,
    attribute(description) {
      const [, type, end] = partPattern.exec(description) ?? []
      const name = type && attributes.find((each) => each.toLowerCase() === type.toLowerCase())
      if (!name || end === undefined) return whole.attribute(description)
      if (end !== '*') more.set(name, Number(end) + 1)
      return text(name)
    },
  }
  const names = withIdAttribute(attributes).map((name) =>
    ranged.has(name) ? `${name};range=0-${valuesAtOnce - 1}` : name,
  )
  const entry = await findEntry(connection, { base: sentDn(dn), attributes: names, timeLimit }, shape)
  while (entry !== null && more.size > 0) {
    const asked = [...more].map(([name, from]) => `${name};range=${from}-*`)
    more.clear()
    const next = await findEntry(connection, { base: sentDn(dn), attributes: asked, timeLimit }, shape)
    if (next === null) return null
    for (const [name, values] of Object.entries(next.attributes)) {
      const known = entry.attributes[name] ?? []
      for (const value of values) known.push(value)
      entry.attributes[name] = known
    }
  }
  return entry
}

/**
 * A refused password is the fault of the password: the server accepts other changes. Active Directory answers unwillingToPerform where its password policy is not met ([MS-ADTS] section 3.1.1.3.1.5).
 */
export const refusalOfPassword = (error: DirectoryError, write: Write): DirectoryError => {
  const sets = write.kind === 'modify' && write.changes.some(({ attribute }) => attribute === 'unicodePwd')
  if (!sets || error.code === null || !passwordCodes.has(error.code)) return error
  const { stated, diagnosis } = error
  return new DirectoryError('refused', stated, { code: resultCodes.constraintViolation, diagnosis, cause: error })
}

const passwordCodes: ReadonlySet<number> = new Set([resultCodes.constraintViolation, resultCodes.unwillingToPerform])
