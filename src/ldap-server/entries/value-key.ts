import { type AttributeType, findAttributeType } from '../schema/attribute-types.ts'
import { findMatchingRule, octetsKey } from '../schema/matching-rules.ts'
import { findObjectClass } from '../schema/object-classes.ts'
import type { Value } from '../value.ts'

const classTypes: ReadonlySet<string> = new Set(['objectclass', 'structuralobjectclass'])

/** A class has one key for all its names. */
const classKey = (value: Value): string | null =>
  typeof value === 'string' ? (findObjectClass(value)?.key ?? null) : null

/** The key by which two values of a type are compared: equal keys, equal values. Null: not a value of that type. */
export const valueKey = (type: AttributeType, value: Value): string | null => {
  if (classTypes.has(type.key)) return classKey(value)
  if (!type.syntax.valid(value)) return null
  return type.equality ? type.equality.key(value) : octetsKey(value)
}

/** The key of a value that is stored already, even if the schema would refuse it today. */
export const storedValueKey = (type: AttributeType, value: Value): string =>
  valueKey(type, value) ??
  (typeof value === 'string' && type.equality ? type.equality.key(value).toLowerCase() : octetsKey(value))

/** Where the names of the definitions are that an attribute of the schema holds. */
const definitions: Readonly<Record<string, (name: string) => { oid: string } | null | undefined>> = {
  attributetypes: findAttributeType,
  objectclasses: findObjectClass,
  matchingrules: findMatchingRule,
  matchingruleuse: findMatchingRule,
}

/** An OID of RFC 4512 section 1.4: a name, or a number. */
const oid = /^(?:[a-z][a-z\d-]*|\d+(?:\.\d+)*)$/i

/** An assertion names a definition by its number, or by one of its names (RFC 4517 section 4.2.26). */
const definitionKey = ({ key }: AttributeType, value: Value): string | null =>
  typeof value === 'string' && oid.test(value) ? (definitions[key]?.(value)?.oid ?? value) : null

const firstComponent = findMatchingRule('objectIdentifierFirstComponentMatch')

/** The key of an assertion's value; null where no value of the type can be equal to it. */
export const assertionKey = (type: AttributeType, value: Value): string | null => {
  if (type.equality === null) return null
  return type.equality === firstComponent ? definitionKey(type, value) : valueKey(type, value)
}
