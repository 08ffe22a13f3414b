import { resultCodes } from '../../ldap/result-code.ts'
import type { AdmissionRules } from '../entries/admission-rules.ts'
import { type Attribute, type AttributeMap, describeWritable, keyValues } from '../entries/entry.ts'
import type { Modification } from '../protocol/change.ts'
import { LdapError } from '../result.ts'
import { type Description, describeAny } from '../schema/attribute-types.ts'
import type { Value } from '../value.ts'

type Refuse = (
  code: 'noSuchAttribute' | 'attributeOrValueExists' | 'inappropriateMatching' | 'protocolError',
  message: string,
) => void

const refuseWith: Refuse = (code, message) => {
  throw new LdapError(resultCodes[code], message)
}

/** The attributes that one modify changes; each is copied at most once, however often it is named. */
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

/** The description of a modified attribute. An attribute that is not in the schema can only be deleted. */
const describeModified = (
  rules: AdmissionRules,
  attributes: AttributeMap,
  { name, values, operation }: Modification,
) => {
  if (rules.strict && operation !== 'add' && values.length === 0) {
    const kept = attributes.get(name.toLowerCase())
    if (kept && !kept.type.known) return describeAny(name)
  }
  return describeWritable(rules, name)
}

/**
 * The attributes after all modifications in order (RFC 4511 section 4.6); the given ones are not changed.
 * @throws LdapError noSuchAttribute, attributeOrValueExists, inappropriateMatching, and the errors of values with the
 *   wrong syntax
 */
export const modifiedAttributes = (
  rules: AdmissionRules,
  attributes: AttributeMap,
  modifications: readonly Modification[],
): Map<string, Attribute> => {
  const copies = workingCopies(attributes)
  const refuse: Refuse = rules.strict ? refuseWith : () => {}
  for (const modification of modifications) {
    const { operation, values } = modification
    const description = describeModified(rules, attributes, modification)
    const keys = keyValues(rules, description, values)
    const compared = description.type.equality !== null
    if (operation === 'replace') {
      if (keys.size > 0) copies.put(description, keys)
      else copies.remove(description)
    } else if (operation === 'add') {
      if (keys.size === 0) refuse('protocolError', 'modify/add operation requires values')
      if (!compared && copies.has(description)) {
        refuse('inappropriateMatching', `modify/add: ${description.name}: no equality matching rule`)
      }
      addValues(refuse, description, keys, copies.values(description))
    } else {
      if (!copies.has(description)) {
        refuse('noSuchAttribute', `modify/delete: ${description.name}: no such attribute`)
        continue
      }
      if (!compared && keys.size > 0) {
        refuse('inappropriateMatching', `modify/delete: ${description.name}: no equality matching rule`)
      }
      const present = copies.values(description)
      for (const key of keys.keys()) {
        if (!present.delete(key)) refuse('noSuchAttribute', `modify/delete: ${description.name}: no such value`)
      }
      if (keys.size === 0 || present.size === 0) copies.remove(description)
    }
  }
  return copies.result
}

const addValues = (
  refuse: Refuse,
  description: Description,
  values: Map<string, Value>,
  present: Map<string, Value>,
): void => {
  let index = 0
  for (const [key, value] of values) {
    if (present.has(key)) {
      refuse('attributeOrValueExists', `modify/add: ${description.name}: value #${index} already exists`)
    }
    present.set(key, value)
    index += 1
  }
}
