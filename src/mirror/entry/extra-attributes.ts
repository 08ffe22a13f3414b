import type { AttributeType, KeptAttributes } from '../../db/schema.ts'
import type { Attributes } from '../../ldap/directory.ts'

/**
 * An attribute of an entry that is not part of its shape (see entry-shape.ts): one that an administrator declared. Only
 * records that have, or had, a value in Steward have it. On all other entries the attribute is not managed.
 */
export interface ExtraAttribute {
  /** As the server spells it. */
  attribute: string
  /** The auxiliary class that allows it; '': the classes of every entry do. */
  objectClass: string
  /** Empty: the attribute must be absent. */
  values: string[]
}

/** The same, as it is stored. */
export type StoredExtra = ExtraAttribute & { type: AttributeType; syntax: string }

export const extraOf = ({ attribute, objectClass, values, type, syntax }: StoredExtra): ExtraAttribute => ({
  attribute,
  objectClass,
  values: values.map((value) => valueIn(syntax, type, value)),
})

const key = (name: string): string => name.toLowerCase()

/** One per attribute: several declarations show in the same one only while an earlier one is being removed. */
export const merged = (extras: readonly ExtraAttribute[]): ExtraAttribute[] => {
  const byName = new Map<string, ExtraAttribute>()
  for (const extra of extras) {
    const other = byName.get(key(extra.attribute))
    if (other === undefined || other.values.length === 0) byName.set(key(extra.attribute), extra)
  }
  return [...byName.values()]
}

/** The classes that these attributes need. */
export const neededClasses = (extras: readonly ExtraAttribute[]): string[] => [
  ...new Map(
    extras.flatMap(({ objectClass, values }) =>
      objectClass === '' || values.length === 0 ? [] : [[key(objectClass), objectClass]],
    ),
  ).values(),
]

/**
 * The attributes of an entry with its extra ones. The structural class stays the last one, as compare.ts and sighting.ts
 * expect it.
 */
export const withExtras = (attributes: Attributes, extras: readonly ExtraAttribute[]): Attributes => {
  if (extras.length === 0) return attributes
  const { objectClass: classes = [], ...others } = attributes
  return {
    objectClass: [...classes.slice(0, -1), ...neededClasses(extras), ...classes.slice(-1)],
    ...others,
    ...Object.fromEntries(extras.map(({ attribute, values }) => [attribute, values])),
  }
}

/**
 * The classes that an entry has and no longer needs: those of attributes that are about to be removed from it. A class
 * that it has without such an attribute may belong to another tool.
 */
export const spareClasses = (extras: readonly ExtraAttribute[], present: Attributes): string[] => {
  const needed = new Set(neededClasses(extras).map(key))
  const held = new Map((present.objectClass ?? []).map((name) => [key(name), name]))
  const left = extras.filter(({ attribute, values }) => values.length === 0 && (present[attribute] ?? []).length > 0)
  return [
    ...new Set(
      left.flatMap(({ objectClass }) => (needed.has(key(objectClass)) ? [] : (held.get(key(objectClass)) ?? []))),
    ),
  ]
}

/** What of the attributes and classes of other tools remains without those that Steward manages. */
export const withoutExtras = (kept: KeptAttributes, extras: readonly ExtraAttribute[]): KeptAttributes | null => {
  const attributes = new Set(extras.map(({ attribute }) => key(attribute)))
  const classes = new Set(extras.map(({ objectClass }) => key(objectClass)))
  const left = {
    objectClasses: kept.objectClasses.filter((name) => !classes.has(key(name))),
    attributes: Object.fromEntries(Object.entries(kept.attributes).filter(([name]) => !attributes.has(key(name)))),
  }
  return left.objectClasses.length === 0 && Object.keys(left.attributes).length === 0 ? null : left
}

/** The OIDs of syntaxes (RFC 4517) that declared attributes may have, with the characters that a text in them has. */
const syntaxes = {
  boolean: '1.3.6.1.4.1.1466.115.121.1.7',
  directoryString: '1.3.6.1.4.1.1466.115.121.1.15',
  generalizedTime: '1.3.6.1.4.1.1466.115.121.1.24',
  ia5String: '1.3.6.1.4.1.1466.115.121.1.26',
  integer: '1.3.6.1.4.1.1466.115.121.1.27',
  numericString: '1.3.6.1.4.1.1466.115.121.1.36',
  printableString: '1.3.6.1.4.1.1466.115.121.1.44',
  telephoneNumber: '1.3.6.1.4.1.1466.115.121.1.50',
} as const

const characters: Readonly<Record<string, RegExp>> = {
  [syntaxes.ia5String]: /^[ -~]*$/,
  [syntaxes.numericString]: /^[\d ]*$/,
  [syntaxes.printableString]: /^[\w'()+,\-./:?= ]*$/,
  [syntaxes.telephoneNumber]: /^[\w'()+,\-./:?= ]*$/,
}

/** Whether an attribute of this syntax accepts the characters of a text. */
export const hasCharactersOf = (syntax: string, text: string): boolean => characters[syntax]?.test(text) ?? true

const strings: readonly string[] = [syntaxes.directoryString, syntaxes.ia5String, syntaxes.printableString]

/** The syntaxes that can show values of a type. */
export const syntaxesFor: Readonly<Record<AttributeType, readonly string[]>> = {
  text: [...strings, syntaxes.telephoneNumber, syntaxes.numericString],
  integer: [...strings, syntaxes.integer],
  boolean: [...strings, syntaxes.boolean],
  date: [...strings, syntaxes.generalizedTime],
}

/** A value as the directory writes it. */
export const valueIn = (syntax: string, type: AttributeType, value: string): string => {
  if (type === 'boolean' && syntax === syntaxes.boolean) return value.toUpperCase()
  if (type === 'date' && syntax === syntaxes.generalizedTime) return `${value.replaceAll('-', '')}000000Z`
  return value
}
