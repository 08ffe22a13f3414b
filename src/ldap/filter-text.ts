import {
  ApproximateFilter,
  EqualityFilter,
  ExtensibleFilter,
  type Filter,
  GreaterThanEqualsFilter,
  LessThanEqualsFilter,
  SubstringFilter,
} from 'ldapts'
import { allOf, anyOf, not, present } from './filter.ts'

/** The text is not a search filter. */
export class FilterSyntaxError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'FilterSyntaxError'
  }
}

const spaces = /\s*/y
const descriptionPattern = /(?:[a-z][a-z\d-]*|\d+(?:\.\d+)*)(?:;[a-z\d-]+)*/iy
const rulePattern = /:([a-z][a-z\d-]*|\d+(?:\.\d+)+)(?=:)/iy
const dnPattern = /:dn(?=:)/iy
const comparisonPattern = /:=|=|>=|<=|~=/y
const valuePattern = /[^\0()]*/y
const piecePattern = /[^\\]+|\\([\da-f]{2})|\\/gi
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Deeper nesting is refused: no real filter needs it. */
const deepest = 64

/**
 * Reads a search filter (RFC 4515; with `(&)` and `(|)`, RFC 4526). Spaces between parentheses are allowed, so that a
 * long filter can be written on several lines.
 * @throws FilterSyntaxError with the problem and its position
 */
export const parseFilter = (text: string): Filter => {
  let position = 0

  const fail = (what: string): never => {
    throw new FilterSyntaxError(`${what} at character ${position + 1} of ${JSON.stringify(text)}`)
  }
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = position
    const found = pattern.exec(text)
    if (found) position += found[0].length
    return found
  }
  const expect = (character: string): void => {
    if (text[position] !== character) fail(`not a search filter: “${character}” is missing`)
    position++
  }
  /** The text between the asterisks of a value, unescaped. */
  const octets = (written: string): Buffer =>
    Buffer.concat(
      [...written.matchAll(piecePattern)].map(([piece, hex]) =>
        hex === undefined
          ? Buffer.from(piece === '\\' ? fail('no two hex digits after a backslash') : piece)
          : Buffer.from(hex, 'hex'),
      ),
    )
  const textOf = (bytes: Buffer): string => {
    try {
      return utf8.decode(bytes)
    } catch {
      return fail('bytes that are not UTF-8')
    }
  }
  const value = (): string => match(valuePattern)?.[0] ?? ''
  const single = (): Buffer => {
    const written = value()
    return written.includes('*')
      ? fail('an asterisk where none may be (as a plain character it is \\2a)')
      : octets(written)
  }

  const equality = (attribute: string): Filter => {
    const written = value()
    if (written === '*') return present(attribute)
    const [initial = Buffer.alloc(0), ...others] = written.split('*').map(octets)
    const final = others.pop()
    if (final === undefined) {
      // Octets that are not text (an objectGUID) are compared as octets.
      const isText = Buffer.from(initial.toString()).equals(initial)
      return new EqualityFilter({ attribute, value: isText ? initial.toString() : initial })
    }
    if (others.some((piece) => piece.length === 0)) fail('two asterisks next to each other')
    return new SubstringFilter({ attribute, initial: textOf(initial), any: others.map(textOf), final: textOf(final) })
  }
  const item = (): Filter => {
    const attribute = match(descriptionPattern)?.[0] ?? ''
    const dnAttributes = match(dnPattern) !== null
    const rule = match(rulePattern)?.[1] ?? ''
    const comparison = match(comparisonPattern)?.[0] ?? fail('no attribute with =, >=, <=, ~= or :=')
    if (comparison === ':=') {
      if (attribute === '' && rule === '') fail('neither an attribute nor a matching rule')
      return new ExtensibleFilter({ matchType: attribute, rule, dnAttributes, value: textOf(single()) })
    }
    if (attribute === '' || dnAttributes || rule !== '') fail('no attribute with =, >=, <=, ~= or :=')
    if (comparison === '=') return equality(attribute)
    const operands = { attribute, value: textOf(single()) }
    if (comparison === '>=') return new GreaterThanEqualsFilter(operands)
    return comparison === '<=' ? new LessThanEqualsFilter(operands) : new ApproximateFilter(operands)
  }
  const list = (depth: number): Filter[] => {
    const filters: Filter[] = []
    for (match(spaces); text[position] === '('; match(spaces)) filters.push(filter(depth))
    return filters
  }
  const component = (depth: number): Filter => {
    const operator = text[position] ?? ''
    if (!/^[&|!]$/.test(operator)) return item()
    position++
    const filters = list(depth)
    if (operator === '&') return allOf(...filters)
    if (operator === '|') return anyOf(...filters)
    const [only] = filters
    return only && filters.length === 1 ? not(only) : fail('“!” takes one filter')
  }
  const filter = (depth: number): Filter => {
    if (depth > deepest) fail('too deeply nested')
    expect('(')
    match(spaces)
    const parsed = component(depth + 1)
    expect(')')
    return parsed
  }

  match(spaces)
  const parsed = filter(0)
  match(spaces)
  return position === text.length ? parsed : fail('not a search filter: something follows')
}
