import { resultCodes } from '../../ldap/result-code.ts'
import { LdapError } from '../result.ts'
import { type Definition, parseDefinition } from './definition.ts'
import { attributeTypeDefinitions } from './definitions.ts'
import { findMatchingRule, type MatchingRule } from './matching-rules.ts'
import { type Syntax, syntaxOf } from './syntaxes.ts'

export interface AttributeType {
  oid: string
  /** In the standards' spelling; an unknown type as it was written. */
  name: string
  /** The key under which it is stored and looked up. */
  key: string
  syntax: Syntax
  /** null: not compared for equality. */
  equality: MatchingRule | null
  ordering: MatchingRule | null
  substrings: MatchingRule | null
  singleValue: boolean
  /** Stored or computed by the server: clients may not write it, and get it only on request. */
  operational: boolean
  /** Keys of the types that are special cases of this one (`name` of `cn`, `sn`, …). */
  subtypes: ReadonlySet<string>
  /** false: not in the schema. Such attributes were stored before there was a schema. */
  known: boolean
}

/** An attribute description (RFC 4512 section 2.5): a type and, rarely, options. */
export interface Description {
  type: AttributeType
  /** Type and options in lower case, options sorted. */
  key: string
  name: string
  options: readonly string[]
}

type Draft = Omit<AttributeType, 'subtypes'> & { subtypes: Set<string>; superior: string | null }

const types = new Map<string, AttributeType>()

const inherited = ({ parts }: Definition, superior: AttributeType | undefined) => {
  const rule = (keyword: string): MatchingRule | null | undefined => {
    const [name] = parts.get(keyword) ?? []
    return name === undefined ? undefined : findMatchingRule(name)
  }
  const [syntax] = parts.get('SYNTAX') ?? []
  return {
    // The number in braces is a hint, which slapd does not enforce either.
    syntax: syntax === undefined ? (superior?.syntax ?? syntaxOf('')) : syntaxOf(syntax.replace(/\{\d+\}$/, '')),
    equality: rule('EQUALITY') ?? superior?.equality ?? null,
    ordering: rule('ORDERING') ?? superior?.ordering ?? null,
    substrings: rule('SUBSTR') ?? superior?.substrings ?? null,
  }
}

const define = (text: string): Draft => {
  const definition = parseDefinition(text)
  const { oid, parts } = definition
  const [name = oid] = parts.get('NAME') ?? []
  const [superior = null] = parts.get('SUP') ?? []
  const above = superior === null ? undefined : types.get(superior.toLowerCase())
  if (superior !== null && !above) throw new Error(`${name}: its superior ${superior} has to be defined before it`)
  const draft: Draft = {
    ...inherited(definition, above),
    oid,
    name,
    superior,
    key: name.toLowerCase(),
    singleValue: parts.has('SINGLE-VALUE'),
    operational: (parts.get('USAGE')?.[0] ?? 'userApplications') !== 'userApplications',
    subtypes: new Set(),
    known: true,
  }
  for (const each of [oid, ...(parts.get('NAME') ?? [])]) types.set(each.toLowerCase(), draft)
  return draft
}

const all = attributeTypeDefinitions.map(define)
for (const { key, superior } of all) {
  const above = all.find((each) => each.key === superior?.toLowerCase())
  above?.subtypes.add(key)
}

/** All types, in the order of their definitions. */
export const attributeTypes: readonly AttributeType[] = all

/** By any of its names, or its number; undefined where the schema does not have it. */
export const findAttributeType = (name: string): AttributeType | undefined => types.get(name.toLowerCase())

const descriptionPattern = /^(?:[a-z][a-z\d-]*|\d+(?:\.\d+)+)(?:;[a-z\d-]+)*$/i
const longestDescription = 256

const undefinedType = (text: string, why: string): LdapError =>
  new LdapError(resultCodes.undefinedAttributeType, `${text.slice(0, longestDescription)}: ${why}`)

/** The options this server knows: languages (RFC 3866), and `binary` where a syntax requires it (RFC 4522). */
const checkOptions = (text: string, { syntax }: AttributeType, options: readonly string[]): void => {
  for (const option of options) {
    if (option === 'binary') {
      if (!syntax.binaryTransfer) throw undefinedType(text, 'option "binary" not supported with type')
    } else if (!option.startsWith('lang-')) throw undefinedType(text, 'unrecognized option')
  }
  if (syntax.binaryTransfer && !options.includes('binary')) {
    throw undefinedType(text, `requires ;binary transfer`)
  }
}

const read = (text: string, typeOf: (base: string) => AttributeType): Description => {
  if (text.length > longestDescription || !descriptionPattern.test(text)) {
    throw undefinedType(text, 'AttributeDescription contains inappropriate characters')
  }
  const [base = '', ...given] = text.split(';')
  const options = [...new Set(given.map((option) => option.toLowerCase()))].sort()
  const type = typeOf(base)
  return { type, key: [type.key, ...options].join(';'), name: [type.name, ...options].join(';'), options }
}

/**
 * Reads an attribute description of the schema.
 * @throws LdapError undefinedAttributeType
 */
export const describe = (text: string): Description => {
  const plain = types.get(text.toLowerCase())
  if (plain && !plain.syntax.binaryTransfer) {
    return { type: plain, key: plain.key, name: plain.name, options: [] }
  }
  const description = read(text, (base) => {
    const type = types.get(base.toLowerCase())
    if (type) return type
    throw undefinedType(text, 'attribute type undefined')
  })
  checkOptions(text, description.type, description.options)
  return description
}

/** A type that the schema does not have: its values are compared as text. */
const unknownType = (name: string): AttributeType => ({
  oid: '',
  name,
  key: name.toLowerCase(),
  syntax: { oid: '', description: '', binaryTransfer: false, humanReadable: true, valid: () => true },
  equality: findMatchingRule('caseIgnoreMatch'),
  ordering: null,
  substrings: findMatchingRule('caseIgnoreSubstringsMatch'),
  singleValue: false,
  operational: false,
  subtypes: new Set(),
  known: false,
})

/**
 * Reads an attribute description, whether the schema has it or not: for entries that are stored already.
 * @throws LdapError undefinedAttributeType for text that is not an attribute description
 */
export const describeAny = (text: string): Description => {
  try {
    return describe(text)
  } catch {
    return read(text, (base) => types.get(base.toLowerCase()) ?? unknownType(base))
  }
}
