import { resultCodes } from '../../ldap/result-code.ts'
import { LdapError } from '../result.ts'
import { findAttributeType } from '../schema/attribute-types.ts'
import { findObjectClass, type ObjectClass, structuralClass } from '../schema/object-classes.ts'
import type { AttributeMap } from './entry.ts'

const violation = (message: string): LdapError => new LdapError(resultCodes.objectClassViolation, message)

const classKeys = (attributes: AttributeMap | null): string[] => [
  ...(attributes?.get('objectclass')?.values.keys() ?? []),
]

const knownClasses = (keys: readonly string[]): ObjectClass[] => keys.flatMap((key) => findObjectClass(key) ?? [])

const allowedBy = (classes: readonly ObjectClass[], key: string): boolean =>
  classes.some((each) => each.key === 'extensibleobject' || each.must.has(key) || each.may.has(key))

/** An entry has one chain of structural classes, the same before and after. */
const checkStructure = (keys: readonly string[], before: readonly string[] | null): void => {
  const classes = knownClasses(keys)
  const structural = classes.filter(({ kind }) => kind === 'structural')
  const lowest = structuralClass(keys)
  if (structural.length === 0) throw violation('no structural object class provided')
  if (lowest === null) {
    throw violation(`invalid structural object class chain (${structural.map(({ name }) => name).join('/')})`)
  }
  const previous = before && structuralClass(before)
  if (previous && previous !== lowest) {
    const change = `from '${previous.name}' to '${lowest.name}'`
    throw new LdapError(
      resultCodes.objectClassModsProhibited,
      `structural object class modification ${change} not allowed`,
    )
  }
}

const checkRequired = (
  classes: readonly ObjectClass[],
  attributes: AttributeMap,
  before: AttributeMap | null,
): void => {
  const had = new Set(classKeys(before))
  for (const { name, key, must } of classes) {
    for (const required of must) {
      if (attributes.has(required)) continue
      if (before && had.has(key) && !before.has(required)) continue
      throw violation(`object class '${name}' requires attribute '${findAttributeType(required)?.name ?? required}'`)
    }
  }
}

/**
 * Checks an entry against its classes (RFC 4512 section 2.4). Violations that date from before there was a schema do
 * not prevent other changes to the entry: only what a change adds is refused.
 * @param before the entry's attributes before the change; null: it is new
 * @throws LdapError objectClassViolation, objectClassModsProhibited, or constraintViolation for several values of a
 *   single-valued attribute
 */
export const checkSchema = (attributes: AttributeMap, before: AttributeMap | null): void => {
  const keys = classKeys(attributes)
  if (keys.length === 0) throw violation('no objectClass attribute')
  const classes = knownClasses(keys)
  const outsideSchema = classes.length < keys.length
  const classesBefore = knownClasses(classKeys(before))
  if (attributes.get('objectclass') !== before?.get('objectclass') && !outsideSchema) {
    checkStructure(keys, before && classKeys(before))
  }
  for (const [key, attribute] of attributes) {
    const { type, name, values } = attribute
    const unchanged = before?.get(key) === attribute
    if (type.singleValue && values.size > 1 && !unchanged) {
      throw new LdapError(resultCodes.constraintViolation, `attribute '${name}' cannot have multiple values`)
    }
    if (type.operational || outsideSchema || allowedBy(classes, type.key)) continue
    if (type.key === 'objectclass' || (unchanged && !allowedBy(classesBefore, type.key))) continue
    throw violation(`attribute '${type.name}' not allowed`)
  }
  checkRequired(classes, attributes, before)
}
