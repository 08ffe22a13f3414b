import type { Attributes, Change, Entry } from '../../ldap/directory.ts'
import { type Ava, keyOfAny, matchingKey, parseDn } from '../../ldap/dn.ts'
import { dnValued, memberLists } from './entry-shape.ts'

/** The most values of one attribute in one modify request: servers slow down, and requests have a size limit. */
export const valuesPerRequest = 1000

/**
 * The modify requests after which `entry` has exactly the values of `desired` in the attributes of `desired`. Other
 * attributes are not changed. Empty if there is no difference.
 *
 * Object classes are only added, never removed. Values of the entry's own RDN are never removed. Lists of DNs are
 * changed by deltas; values are added before others are removed, so that a group always has a member.
 * @param anySpelling treats values of the naming attribute as equal that the server treats as equal
 */
export const difference = (entry: Entry, desired: Attributes, anySpelling = false): Change[][] => {
  const first: Change[] = []
  const additions: Change[] = []
  const removals: Change[] = []
  const naming = parseDn(entry.dn)[0] ?? []
  for (const [attribute, wanted] of Object.entries(desired)) {
    const present = entry.attributes[attribute] ?? []
    if (attribute === 'objectClass') {
      const known = new Set(present.map((value) => value.toLowerCase()))
      // The classes a structural class inherits from need not be listed.
      const missing = wanted.slice(-1).filter((value) => !known.has(value.toLowerCase()))
      if (missing.length > 0) first.push({ operation: 'add', attribute, values: missing })
      continue
    }
    const isName = naming.some(({ type }) => type.toLowerCase() === attribute.toLowerCase())
    const key = dnValued.has(attribute) ? keyOfAny : isName && anySpelling ? matchingKey : exactly
    const missing = lacking(wanted, present, key)
    const extra = lacking(present, wanted, key).filter((value) => !names(naming, attribute, value))
    if (missing.length === 0 && extra.length === 0) continue
    if (listed.has(attribute)) {
      for (const values of chunks(missing)) additions.push({ operation: 'add', attribute, values })
      for (const values of chunks(extra)) removals.push({ operation: 'delete', attribute, values })
    } else {
      first.push({ operation: 'replace', attribute, values: withNaming(naming, attribute, wanted) })
    }
  }
  return requests(first, additions, removals)
}

/** The entry after it was renamed to `newDn`: with the new naming value and without the old one. */
export const renamed = (entry: Entry, newDn: string): Entry => {
  const attributes = { ...entry.attributes }
  for (const { type, value } of parseDn(entry.dn)[0] ?? []) {
    const name = attributeNamed(attributes, type)
    attributes[name] = (attributes[name] ?? []).filter((present) => present !== value)
  }
  for (const { type, value } of parseDn(newDn)[0] ?? []) {
    const name = attributeNamed(attributes, type)
    attributes[name] = [...(attributes[name] ?? []), value]
  }
  return { dn: newDn, attributes }
}

/** Attributes that may have thousands of values. */
const listed: ReadonlySet<string> = new Set([...dnValued, ...memberLists])

const exactly = (value: string): string => value

/**
 * The values that are not among `others`. Nearly all members of a list are written alike on both sides: only where one
 * is not, the names of the list are read, which takes longest.
 */
const lacking = (values: readonly string[], others: readonly string[], key: (value: string) => string): string[] => {
  const texts = new Set(others)
  const unlike = values.filter((value) => !texts.has(value))
  if (unlike.length === 0 || key === exactly) return unlike
  const keys = new Set(others.map(key))
  return unlike.filter((value) => !keys.has(key(value)))
}

const attributeNamed = (attributes: Attributes, type: string): string =>
  Object.keys(attributes).find((name) => name.toLowerCase() === type.toLowerCase()) ?? type

const names = (naming: readonly Ava[], attribute: string, value: string): boolean =>
  naming.some((ava) => ava.type.toLowerCase() === attribute.toLowerCase() && ava.value === value)

const withNaming = (naming: readonly Ava[], attribute: string, wanted: readonly string[]): string[] => {
  const own = naming.filter((ava) => ava.type.toLowerCase() === attribute.toLowerCase()).map((ava) => ava.value)
  return [...new Set([...own, ...wanted])]
}

const chunks = (values: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(values.length / valuesPerRequest) }, (_, index) =>
    values.slice(index * valuesPerRequest, (index + 1) * valuesPerRequest),
  )

// One request if everything fits in it: then a member and the placeholder that it replaces change together.
const requests = (first: Change[], additions: Change[], removals: Change[]): Change[][] => {
  if (additions.length <= 1 && removals.length <= 1) {
    const only = [...first, ...additions, ...removals]
    return only.length > 0 ? [only] : []
  }
  return [...(first.length > 0 ? [first] : []), ...[...additions, ...removals].map((change) => [change])]
}
