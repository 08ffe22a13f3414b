import { isAscii } from 'node:buffer'
import { resultCodes } from '../../ldap/result-code.ts'
import { assertionKey } from '../entries/value-key.ts'
import { LdapError } from '../result.ts'
import { type AttributeType, type Description, describe, describeAny } from '../schema/attribute-types.ts'
import { findMatchingRule, type MatchingRule } from '../schema/matching-rules.ts'
import { syntaxOf } from '../schema/syntaxes.ts'
import { toValue, type Value } from '../value.ts'
import { BerError, type BerReader } from './ber.ts'

/** What a filter asserts about one attribute, with the value turned into the key it is compared by. */
export type Assertion =
  | { kind: 'present'; description: Description }
  | { kind: 'equal'; description: Description; key: string }
  | { kind: 'atLeast' | 'atMost'; description: Description; key: string; compare: (a: string, b: string) => number }
  | { kind: 'substrings'; description: Description; initial: string; any: readonly string[]; final: string }
  /** `description` null: every attribute that the rule applies to. `dn`: also the values of the entry's name. */
  | { kind: 'extensible'; description: Description | null; rule: MatchingRule; key: string; dn: boolean }

/** A search filter (RFC 4511 section 4.5.1.7). */
export type Filter =
  | { kind: 'and' | 'or'; filters: readonly Filter[] }
  | { kind: 'not'; filter: Filter }
  /** An assertion that is neither true nor false for any entry. */
  | { kind: 'undefined' }
  | Assertion

const choice = {
  and: 0xa0,
  or: 0xa1,
  not: 0xa2,
  equal: 0xa3,
  substrings: 0xa4,
  atLeast: 0xa5,
  atMost: 0xa6,
  present: 0x87,
  approximate: 0xa8,
  extensible: 0xa9,
} as const

const substring = { initial: 0x80, any: 0x81, final: 0x82 } as const

const extensible = { rule: 0x81, type: 0x82, value: 0x83, dn: 0x84 } as const

const deepest = 64

/** Parts of one filter, pieces of substrings included; a long value counts as one part more for every so many bytes. */
const maxAssertions = 2_000
const bytesOfPart = 128
/**
 * Bytes of DNs, and of values that are not ASCII, in one filter. They take longest to read. A filter is read without a
 * pause, and HTTP requests wait meanwhile (measured: some 20 ms for this many).
 */
const maxSlowBytes = 32_768
/** The extra parts that an unknown attribute counts for: to look it up takes longer. */
const partsOfUnknown = 4

/** distinguishedNameMatch and uniqueMemberMatch. */
const dnRules: ReadonlySet<string> = new Set(['2.5.13.1', '2.5.13.23'])

const undefinedFilter: Filter = { kind: 'undefined' }

interface Count {
  parts(count: number): void
  /** @param slow whether the bytes are of the slow kind */
  bytes(length: number, slow: boolean): void
}

/** @throws LdapError adminLimitExceeded, from either of its functions */
const countParts = (): Count => {
  let parts = 0
  let slowBytes = 0
  const add = (count: number): void => {
    parts += count
    if (parts <= maxAssertions) return
    throw new LdapError(resultCodes.adminLimitExceeded, `a filter may have ${maxAssertions} parts`)
  }
  return {
    parts: add,
    bytes(length, slow) {
      add(Math.floor(length / bytesOfPart))
      if (slow) slowBytes += length
      if (slowBytes <= maxSlowBytes) return
      const what = 'of names of entries and of texts that are not ASCII'
      throw new LdapError(resultCodes.adminLimitExceeded, `a filter may have ${maxSlowBytes} bytes ${what}`)
    },
  }
}

/** An attribute that is not in the schema makes its assertion undefined; the search does not fail. */
const describeOrNull = (text: string, count: Count, read = describe): Description | null => {
  try {
    return read(text)
  } catch (error) {
    if (!(error instanceof LdapError)) throw error
    count.parts(partsOfUnknown)
    return null
  }
}

const isDnRule = (rule: MatchingRule | null | undefined): boolean => dnRules.has(rule?.oid ?? '')

/** Reads the next value; a long one takes longer to prepare. */
const countedValue = (octets: Buffer, count: Count, rule: MatchingRule | null | undefined): Value => {
  count.bytes(octets.length, isDnRule(rule) || !isAscii(octets))
  return toValue(octets)
}

const equality = (content: BerReader, count: Count): Filter => {
  const description = describeOrNull(content.text(), count)
  const value = countedValue(content.octets(), count, description?.type.equality)
  const key = description && assertionKey(description.type, value)
  return description && key !== null ? { kind: 'equal', description, key } : undefinedFilter
}

const order = (kind: 'atLeast' | 'atMost', content: BerReader, count: Count): Filter => {
  const description = describeOrNull(content.text(), count)
  const rule = description?.type.ordering
  const value = countedValue(content.octets(), count, rule)
  if (!description || !rule?.compare || !description.type.syntax.valid(value)) return undefinedFilter
  return { kind, description, key: rule.key(value), compare: rule.compare }
}

const substrings = (content: BerReader, count: Count): Filter => {
  const description = describeOrNull(content.text(), count)
  const pieces = content.sequence()
  if (pieces.done) throw new BerError('a substrings filter without a piece')
  const { substrings: rule, equality = null } = description?.type ?? {}
  const pieceOf = rule?.piece ?? null
  const isValid = (piece: Value): piece is string =>
    typeof piece === 'string' && piece !== '' && (equality === null || syntaxOf(equality.syntax).valid(piece))
  let initial = ''
  let final = ''
  const any: string[] = []
  let sound = pieceOf !== null
  while (!pieces.done) {
    count.parts(1)
    const { tag, content: octets } = pieces.element()
    const value = countedValue(octets, count, null)
    // A piece that no value can have makes the assertion undefined, so that its negation is not true of every entry.
    const key = isValid(value) ? (pieceOf?.(value) ?? null) : null
    if (key === null) sound = false
    else if (tag === substring.initial) initial = key.trimStart()
    else if (tag === substring.any) any.push(key)
    else if (tag === substring.final) final = key.trimEnd()
    else throw new BerError('a piece of an unknown kind')
  }
  return sound && description ? { kind: 'substrings', description, initial, any, final } : undefinedFilter
}

const ruleFor = (name: string | null, type: AttributeType | undefined): MatchingRule | null => {
  const rule = name === null ? (type?.equality ?? null) : findMatchingRule(name)
  if (rule?.kind !== 'equality') return null
  return type && !rule.appliesTo.includes(type.syntax.oid) ? null : rule
}

const byRule = (content: BerReader, count: Count): Filter => {
  const ruleName = content.next === extensible.rule ? content.text(extensible.rule) : null
  const typeName = content.next === extensible.type ? content.text(extensible.type) : null
  const description = typeName === null ? null : describeOrNull(typeName, count)
  const rule = ruleFor(ruleName, description?.type)
  const value: Value = countedValue(content.octets(extensible.value), count, rule)
  const dn = content.next === extensible.dn && content.boolean(extensible.dn)
  if (rule === null || (typeName !== null && description === null)) return undefinedFilter
  const key =
    description && rule === description.type.equality
      ? assertionKey(description.type, value)
      : syntaxOf(rule.syntax).valid(value)
        ? rule.key(value)
        : null
  return key === null ? undefinedFilter : { kind: 'extensible', description, rule, key, dn }
}

/**
 * Reads the next filter.
 * @throws BerError, or LdapError adminLimitExceeded for one that is nested too deep or too long
 */
export const decodeFilter = (reader: BerReader): Filter => {
  const count = countParts()
  const decode = (from: BerReader, depth: number): Filter => {
    count.parts(1)
    if (depth > deepest) throw new LdapError(resultCodes.adminLimitExceeded, `a filter may have ${deepest} levels`)
    const list = (tag: number): Filter[] => {
      const content = from.sequence(tag)
      const filters: Filter[] = []
      while (!content.done) filters.push(decode(content, depth + 1))
      return filters
    }
    switch (from.next) {
      case choice.and:
        return { kind: 'and', filters: list(choice.and) }
      case choice.or:
        return { kind: 'or', filters: list(choice.or) }
      case choice.not:
        return { kind: 'not', filter: decode(from.sequence(choice.not), depth + 1) }
      case choice.equal:
      case choice.approximate:
        return equality(from.sequence(from.next), count)
      case choice.atLeast:
        return order('atLeast', from.sequence(choice.atLeast), count)
      case choice.atMost:
        return order('atMost', from.sequence(choice.atMost), count)
      case choice.substrings:
        return substrings(from.sequence(choice.substrings), count)
      case choice.present: {
        // Presence may also be asserted of attributes that were stored before there was a schema.
        const description = describeOrNull(from.text(choice.present), count, describeAny)
        return description ? { kind: 'present', description } : undefinedFilter
      }
      case choice.extensible:
        return byRule(from.sequence(choice.extensible), count)
      default:
        throw new BerError('a filter of an unknown kind')
    }
  }
  return decode(reader, 0)
}
