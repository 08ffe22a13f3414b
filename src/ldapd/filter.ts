import { type Description, describe } from './attribute-type.ts'
import type { BerReader } from './ber.ts'
import { BerError } from './ber.ts'
import { LdapError, resultCode } from './result.ts'
import { pieceKey, toValue, type Value, valueKey } from './value.ts'

/** A search filter (RFC 4511 section 4.5.1.7) with every assertion turned into the key it is compared by. */
export type Filter =
  | { kind: 'and' | 'or'; filters: readonly Filter[] }
  | { kind: 'not'; filter: Filter }
  | { kind: 'present'; description: Description }
  | { kind: 'equal' | 'atLeast' | 'atMost'; description: Description; key: string }
  | { kind: 'substrings'; description: Description; initial: string; any: readonly string[]; final: string }
  /** An assertion that no entry can answer: neither true nor false. */
  | { kind: 'undefined' }

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

const deepest = 64
const mostAssertions = 20_000

const undefinedFilter: Filter = { kind: 'undefined' }

/** A description that is none makes its assertion undefined, not the search fail. */
const describeOrNull = (text: string): Description | null => {
  try {
    return describe(text)
  } catch (error) {
    if (error instanceof LdapError) return null
    throw error
  }
}

const assertion = (kind: 'equal' | 'atLeast' | 'atMost', content: BerReader): Filter => {
  const description = describeOrNull(content.text())
  const value: Value = toValue(content.octets())
  const key = description && valueKey(description.type.syntax, value)
  return description && key !== null ? { kind, description, key } : undefinedFilter
}

const substrings = (content: BerReader): Filter => {
  const description = describeOrNull(content.text())
  const pieces = content.sequence()
  if (pieces.done) throw new BerError('a substrings filter without a piece')
  let initial = ''
  let final = ''
  const any: string[] = []
  let sound = description !== null
  while (!pieces.done) {
    const { tag, content: octets } = pieces.element()
    const value = toValue(octets)
    const key = description && typeof value === 'string' ? pieceKey(description.type.syntax, value) : null
    if (key === null) sound = false
    else if (tag === substring.initial) initial = key.trimStart()
    else if (tag === substring.any) any.push(key)
    else if (tag === substring.final) final = key.trimEnd()
    else throw new BerError('a piece of an unknown kind')
  }
  return sound && description ? { kind: 'substrings', description, initial, any, final } : undefinedFilter
}

/**
 * Reads the filter that comes next.
 * @throws BerError, or LdapError unwillingToPerform for one that is nested too deep or too long
 */
export const decodeFilter = (reader: BerReader): Filter => {
  let assertions = 0
  const decode = (from: BerReader, depth: number): Filter => {
    assertions += 1
    if (depth > deepest || assertions > mostAssertions) {
      throw new LdapError(resultCode.unwillingToPerform, 'the filter is too complex')
    }
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
        return assertion('equal', from.sequence(from.next))
      case choice.atLeast:
        return assertion('atLeast', from.sequence(choice.atLeast))
      case choice.atMost:
        return assertion('atMost', from.sequence(choice.atMost))
      case choice.substrings:
        return substrings(from.sequence(choice.substrings))
      case choice.present: {
        const description = describeOrNull(from.text(choice.present))
        return description ? { kind: 'present', description } : undefinedFilter
      }
      case choice.extensible:
        from.octets(choice.extensible)
        return undefinedFilter
      default:
        throw new BerError('a filter of an unknown kind')
    }
  }
  return decode(reader, 0)
}
