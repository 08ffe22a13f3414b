import { type Dn, formatDn, type Rdn } from '../../ldap/dn.ts'
import { resultCodes } from '../../ldap/result-code.ts'
import { LdapError } from '../result.ts'
import { type AttributeType, type Description, describeAny } from '../schema/attribute-types.ts'
import { octetsKey } from '../schema/matching-rules.ts'
import type { Value } from '../value.ts'
import type { AdmissionRules } from './admission-rules.ts'
import { storedValueKey } from './value-key.ts'

/** One attribute of an entry. Immutable once it is part of an entry: a modified entry gets a new one. */
export interface Attribute {
  readonly name: string
  readonly type: AttributeType
  /** Under the key by which values are compared, in the order they were added. */
  readonly values: ReadonlyMap<string, Value>
}

export type AttributeMap = ReadonlyMap<string, Attribute>

/** One version of an entry: a change makes a new object with the same id. */
export interface StoredEntry {
  /** Grows with every added entry; a rename keeps it. */
  readonly id: number
  readonly dn: string
  /** The DN as it is compared; see normalizeDn. */
  readonly key: string
  readonly attributes: AttributeMap
  readonly uuid: string
  /** Change sequence numbers of the add and of the last change. */
  readonly created: string
  readonly csn: string
}

/** Attributes as a request or a record has them. */
export interface NamedValues {
  name: string
  values: readonly Value[]
}

/** In a key an unescaped comma always ends an RDN. */
export const parentKey = (key: string): string => {
  const comma = key.indexOf(',')
  return comma < 0 ? '' : key.slice(comma + 1)
}

/**
 * The values under their keys.
 * @throws LdapError invalidAttributeSyntax, attributeOrValueExists for one value given twice, or constraintViolation
 * for
 *   several values of a single-valued attribute
 */
export const keyValues = (
  rules: AdmissionRules,
  description: Description,
  values: readonly Value[],
): Map<string, Value> => {
  const byKey = new Map<string, Value>()
  if (rules.strict && description.type.singleValue && values.length > 1) {
    throw new LdapError(resultCodes.constraintViolation, `${description.name}: multiple values provided`)
  }
  values.forEach((value, index) => {
    const key = rules.key(description, value, index)
    if (!byKey.has(key)) byKey.set(key, value)
    else if (rules.strict) {
      throw new LdapError(
        resultCodes.attributeOrValueExists,
        `${description.name}: value #${index} provided more than once`,
      )
    } else byKey.set(octetsKey(value), value)
  })
  return byKey
}

/** @throws LdapError undefinedAttributeType, or constraintViolation for what only the server writes */
export const describeWritable = (rules: AdmissionRules, name: string): Description => {
  const description = rules.describe(name)
  if (!description.type.operational || !rules.strict) return description
  throw new LdapError(resultCodes.constraintViolation, `${description.name}: no user modification allowed`)
}

const describeNaming = (rules: AdmissionRules, type: string, message: string): Description => {
  try {
    return describeWritable(rules, type)
  } catch (error) {
    if (!(error instanceof LdapError) || error.code !== resultCodes.undefinedAttributeType) throw error
    throw new LdapError(resultCodes.invalidDNSyntax, message)
  }
}

/**
 * The attributes with the values of the RDN added where they are missing, as slapd does.
 * @throws LdapError invalidDNSyntax where the RDN names an attribute that the schema does not have
 */
export const withNamingValues = (
  rules: AdmissionRules,
  attributes: Map<string, Attribute>,
  rdn: Rdn,
  message = 'invalid DN',
): void => {
  for (const { type, value } of rdn) {
    const description = describeNaming(rules, type, message)
    const present = attributes.get(description.key)
    const key = rules.key(description, value, 0)
    if (present?.values.has(key)) continue
    attributes.set(description.key, {
      name: description.name,
      type: description.type,
      values: new Map([...(present?.values ?? []), [key, value]]),
    })
  }
}

/** The attributes without the values of an RDN that the entry loses. */
export const withoutNamingValues = (attributes: Map<string, Attribute>, rdn: Rdn): void => {
  for (const { type, value } of rdn) {
    const description = describeAny(type)
    const present = attributes.get(description.key)
    if (!present) continue
    const values = new Map(present.values)
    values.delete(storedValueKey(description.type, value))
    if (values.size > 0) attributes.set(description.key, { ...present, values })
    else attributes.delete(description.key)
  }
}

/**
 * Checks what must hold for every entry after any change.
 * @param before the entry's attributes before; null: it is new
 * @throws LdapError namingViolation, and what `checkSchema` throws
 */
export const checkEntry = (
  rules: AdmissionRules,
  attributes: AttributeMap,
  rdn: Rdn,
  before: AttributeMap | null,
): void => {
  rules.check(attributes, before)
  if (!rules.strict) return
  for (const { type, value } of rdn) {
    const description = describeAny(type)
    const present = attributes.get(description.key)
    if (present?.values.has(storedValueKey(description.type, value))) continue
    throw new LdapError(
      resultCodes.namingViolation,
      present
        ? `value of naming attribute '${description.name}' is not present in entry`
        : `naming attribute '${description.name}' is not present in entry`,
    )
  }
}

/** The attributes of a new entry. */
export const buildAttributes = (
  rules: AdmissionRules,
  given: readonly NamedValues[],
  dn: Dn,
): Map<string, Attribute> => {
  const attributes = new Map<string, Attribute>()
  for (const { name, values } of given) {
    const description = describeWritable(rules, name)
    if (values.length === 0) throw new LdapError(resultCodes.protocolError, 'no values for attribute type')
    if (attributes.has(description.key)) {
      throw new LdapError(resultCodes.attributeOrValueExists, `attribute '${description.name}' provided more than once`)
    }
    attributes.set(description.key, {
      name: description.name,
      type: description.type,
      values: keyValues(rules, description, values),
    })
  }
  const [rdn] = dn
  if (rdn) withNamingValues(rules, attributes, rdn)
  return attributes
}

/** The text of a DN below a parent, with the parent in its own spelling instead of the request's. */
export const dnBelow = (rdn: Rdn, parent: string): string =>
  [formatDn([rdn]), parent].filter((part) => part !== '').join(',')
