import type { Description } from './attribute-type.ts'
import type { Modification } from './change.ts'
import { type Attribute, type AttributeMap, describeWritable, keyValues } from './entry.ts'
import { LdapError, resultCode } from './result.ts'
import type { Value } from './value.ts'

const refuse = (code: 'noSuchAttribute' | 'attributeOrValueExists' | 'protocolError', message: string): never => {
  throw new LdapError(resultCode[code], message)
}

/** The copies one modify works on; each attribute is copied at most once, however often it is named. */
const workingCopies = (attributes: AttributeMap) => {
  const result = new Map(attributes)
  const copies = new Map<string, Map<string, Value>>()
  const put = ({ key, name, type }: Description, values: Map<string, Value>): void => {
    copies.set(key, values)
    const attribute: Attribute = { name: result.get(key)?.name ?? name, type, values }
    result.set(key, attribute)
  }
  return {
    result,
    put,
    has: ({ key }: Description): boolean => result.has(key),
    values: (description: Description): Map<string, Value> => {
      const copy = copies.get(description.key) ?? new Map(result.get(description.key)?.values)
      if (copies.get(description.key) !== copy) put(description, copy)
      return copy
    },
    remove: ({ key }: Description): void => {
      result.delete(key)
      copies.delete(key)
    },
  }
}

/**
 * The attributes after all modifications in order (RFC 4511 section 4.6); the given ones stay as they are.
 * @throws LdapError noSuchAttribute, attributeOrValueExists, and what values of the wrong syntax give
 */
export const modifiedAttributes = (
  attributes: AttributeMap,
  modifications: readonly Modification[],
): Map<string, Attribute> => {
  const copies = workingCopies(attributes)
  for (const { operation, name, values } of modifications) {
    const description = describeWritable(name)
    const keys = keyValues(description, values)
    if (operation === 'replace') {
      if (keys.size > 0) copies.put(description, keys)
      else copies.remove(description)
    } else if (operation === 'add') {
      if (keys.size === 0) refuse('protocolError', 'modify/add operation requires values')
      addValues(description, keys, copies.values(description))
    } else {
      if (!copies.has(description)) refuse('noSuchAttribute', `modify/delete: ${description.name}: no such attribute`)
      const present = copies.values(description)
      for (const key of keys.keys()) {
        if (!present.delete(key)) refuse('noSuchAttribute', `modify/delete: ${description.name}: no such value`)
      }
      if (keys.size === 0 || present.size === 0) copies.remove(description)
    }
  }
  return copies.result
}

const addValues = (description: Description, values: Map<string, Value>, present: Map<string, Value>): void => {
  let index = 0
  for (const [key, value] of values) {
    if (present.has(key)) {
      refuse('attributeOrValueExists', `modify/add: ${description.name}: value #${index} already exists`)
    }
    present.set(key, value)
    index += 1
  }
}
