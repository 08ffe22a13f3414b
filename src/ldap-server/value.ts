import { isUtf8 } from 'node:buffer'
import type { AttributeType } from './schema/attribute-types.ts'
import { octetsKey } from './schema/matching-rules.ts'
import { findObjectClass } from './schema/object-classes.ts'

/** A value as it is stored: text where the bytes are UTF-8, which is smaller and quicker to compare, else the bytes. */
export type Value = string | Buffer

export const toValue = (octets: Buffer): Value =>
  // A copy, because a view would keep the whole message in memory.
  isUtf8(octets) ? octets.toString('utf8') : Buffer.from(octets)

export const toOctets = (value: Value): Buffer => (typeof value === 'string' ? Buffer.from(value) : value)

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
export const keptKey = (type: AttributeType, value: Value): string =>
  valueKey(type, value) ??
  (typeof value === 'string' && type.equality ? type.equality.key(value).toLowerCase() : octetsKey(value))

/** The key of an assertion's value; null where no value of the type can be equal to it. */
export const assertionKey = (type: AttributeType, value: Value): string | null =>
  type.equality ? valueKey(type, value) : null
