import { type Dn, formatDn, type Rdn } from '../ldap/dn.ts'
import { type AttributeType, type Description, describe } from './attribute-type.ts'
import { checkClasses } from './object-class.ts'
import { LdapError, resultCode } from './result.ts'
import { type Value, valueKey } from './value.ts'

/** One attribute of an entry. Never changed once it is part of an entry: a modified entry gets a new one. */
export interface Attribute {
  readonly name: string
  readonly type: AttributeType
  /** By the key under which values are compared, in the order they were added. */
  readonly values: ReadonlyMap<string, Value>
}

export type AttributeMap = ReadonlyMap<string, Attribute>

/** One entry as it was at one moment: a change makes a new object with the same id. */
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

/** In a key a bare comma always ends an RDN. */
export const parentKey = (key: string): string => {
  const comma = key.indexOf(',')
  return comma < 0 ? '' : key.slice(comma + 1)
}

const keyed = (description: Description, value: Value, index: number): string => {
  const key = valueKey(description.type.syntax, value)
  if (key !== null) return key
  throw new LdapError(resultCode.invalidAttributeSyntax, `${description.name}: value #${index} invalid per syntax`)
}

/**
 * The values under their keys.
 * @throws LdapError invalidAttributeSyntax, or attributeOrValueExists for one value given twice
 */
export const keyValues = (description: Description, values: readonly Value[]): Map<string, Value> => {
  const byKey = new Map<string, Value>()
  values.forEach((value, index) => {
    const key = keyed(description, value, index)
    if (byKey.has(key)) {
      throw new LdapError(
        resultCode.attributeOrValueExists,
        `${description.name}: value #${index} provided more than once`,
      )
    }
    byKey.set(key, value)
  })
  return byKey
}

/** @throws LdapError constraintViolation for what only the server writes */
export const describeWritable = (name: string): Description => {
  const description = describe(name)
  if (!description.type.operational) return description
  throw new LdapError(resultCode.constraintViolation, `${description.name}: no user modification allowed`)
}

/** The attributes with the values of the RDN among them; slapd adds those that are missing as well. */
export const withNamingValues = (attributes: Map<string, Attribute>, rdn: Rdn): void => {
  for (const { type, value } of rdn) {
    const description = describeWritable(type)
    const present = attributes.get(description.key)
    const key = keyed(description, value, 0)
    if (present?.values.has(key)) continue
    attributes.set(description.key, {
      name: description.name,
      type: description.type,
      values: new Map([...(present?.values ?? []), [key, value]]),
    })
  }
}

/** The attributes without the values of an RDN that is given up. */
export const withoutNamingValues = (attributes: Map<string, Attribute>, rdn: Rdn): void => {
  for (const { type, value } of rdn) {
    const description = describe(type)
    const present = attributes.get(description.key)
    if (!present) continue
    const values = new Map(present.values)
    values.delete(keyed(description, value, 0))
    if (values.size > 0) attributes.set(description.key, { ...present, values })
    else attributes.delete(description.key)
  }
}

/**
 * What must hold of every entry, whatever was done to it.
 * @throws LdapError objectClassViolation or namingViolation
 */
export const checkEntry = (attributes: AttributeMap, rdn: Rdn): void => {
  checkClasses([...(attributes.get('objectclass')?.values.keys() ?? [])], (attribute) => attributes.has(attribute))
  for (const { type, value } of rdn) {
    const description = describe(type)
    const present = attributes.get(description.key)
    if (present?.values.has(keyed(description, value, 0))) continue
    throw new LdapError(
      resultCode.namingViolation,
      present
        ? `value of naming attribute '${description.name}' is not present in entry`
        : `naming attribute '${description.name}' is not present in entry`,
    )
  }
}

/** The attributes of a new entry. */
export const buildAttributes = (given: readonly NamedValues[], dn: Dn): Map<string, Attribute> => {
  const attributes = new Map<string, Attribute>()
  for (const { name, values } of given) {
    const description = describeWritable(name)
    if (values.length === 0) throw new LdapError(resultCode.protocolError, 'no values for attribute type')
    if (attributes.has(description.key)) {
      throw new LdapError(resultCode.attributeOrValueExists, `attribute '${description.name}' provided more than once`)
    }
    attributes.set(description.key, {
      name: description.name,
      type: description.type,
      values: keyValues(description, values),
    })
  }
  const [rdn] = dn
  if (rdn) withNamingValues(attributes, rdn)
  return attributes
}

/** The text of a DN whose parent may be spelled differently than it was written: the parent's spelling counts. */
export const dnBelow = (rdn: Rdn, parent: string): string =>
  [formatDn([rdn]), parent].filter((part) => part !== '').join(',')
