import type { KeptAttributes } from '../../db/schema.ts'
import type { Change, WholeEntry } from '../../ldap/directory.ts'
import { personClasses, userAttributeNames } from './entry-shape.ts'

/** What other programs write to the entry of a person: keys, accounts, photographs, and the classes that allow them. */

const managed = new Set(userAttributeNames.map((name) => name.toLowerCase()))
const ownClasses = new Set(personClasses.map((name) => name.toLowerCase()))
/** Returned among the user attributes by some servers (389-ds), but computed by them. */
const computed = new Set(['memberof'])
/** Classes that allow it. 389's plug-in adds them, and they cannot be removed while it has values. */
const classesOfComputed = new Set(['nsmemberof', 'inetuser'])

const base64 = (value: Buffer): string => value.toString('base64')
const octets = (value: string): Buffer => Buffer.from(value, 'base64')
const distinct = (values: readonly string[]): string[] => [...new Set(values)]

/**
 * null: the entry has no foreign attributes.
 * @param computes whether the server computes `memberOf`; otherwise it is an attribute like others
 */
export const foreignOf = ({ attributes }: WholeEntry, computes = true): KeptAttributes | null => {
  const kept: KeptAttributes = { objectClasses: [], attributes: {} }
  const hasComputed = computes && [...attributes].some(([name]) => computed.has(name.toLowerCase()))
  const isForeignClass = (name: string): boolean =>
    !ownClasses.has(name) && !(hasComputed && classesOfComputed.has(name))
  for (const [description, values] of attributes) {
    const name = description.toLowerCase()
    if (name === 'objectclass') {
      const names = values.map((value) => value.toString('utf8'))
      kept.objectClasses = names.filter((each) => isForeignClass(each.toLowerCase()))
    } else if (!managed.has(name) && !(computes && computed.has(name))) {
      kept.attributes[description] = values.map(base64)
    }
  }
  return kept.objectClasses.length === 0 && Object.keys(kept.attributes).length === 0 ? null : kept
}

/**
 * The foreign attributes to store after `found` was read from the entry.
 * @param wasParked whether the entry was already parked: then the stored attributes are those of the person, and
 *   `found` was added later. Otherwise the entry has the current values; missing attributes may have been removed by an
 *   interrupted write.
 */
export const keptWith = (kept: KeptAttributes | null, found: KeptAttributes, wasParked: boolean): KeptAttributes => {
  const attributes = { ...kept?.attributes }
  for (const [name, values] of Object.entries(found.attributes)) {
    attributes[name] = distinct([...values, ...(wasParked ? (attributes[name] ?? []) : [])])
  }
  return { objectClasses: distinct([...found.objectClasses, ...(kept?.objectClasses ?? [])]), attributes }
}

/** The changes that remove these. */
export const removal = ({ objectClasses, attributes }: KeptAttributes): Change[] => [
  ...Object.keys(attributes).map((attribute): Change => ({ operation: 'delete', attribute, values: [] })),
  ...(objectClasses.length > 0
    ? [{ operation: 'delete', attribute: 'objectClass', values: objectClasses } satisfies Change]
    : []),
]

/** Parts of `foreign` to try if the server refuses to remove all of it: all but one class, then one by one. */
export const parts = (foreign: KeptAttributes): KeptAttributes[] => {
  const { objectClasses, attributes } = foreign
  const withoutOne = objectClasses.map((left) => ({
    objectClasses: objectClasses.filter((name) => name !== left),
    attributes,
  }))
  const alone = Object.entries(attributes).map(([name, values]) => ({
    objectClasses: [],
    attributes: { [name]: values },
  }))
  return [...withoutOne, ...alone, ...objectClasses.map((name) => ({ objectClasses: [name], attributes: {} }))]
}

/**
 * The changes that put back what is missing on the entry.
 * @param careful present values stay unchanged, and of several values only the newest is put back: the server may allow
 * only one
 */
export const putBack = (kept: KeptAttributes, entry: WholeEntry, careful: boolean): Change[] => {
  const present = new Map([...entry.attributes].map(([name, values]) => [name.toLowerCase(), values]))
  const classes = new Set((present.get('objectclass') ?? []).map((value) => value.toString('utf8').toLowerCase()))
  const missingClasses = kept.objectClasses.filter((name) => !classes.has(name.toLowerCase()))
  const changes: Change[] =
    missingClasses.length > 0 ? [{ operation: 'add', attribute: 'objectClass', values: missingClasses }] : []
  for (const [attribute, values] of Object.entries(kept.attributes)) {
    const there = new Set((present.get(attribute.toLowerCase()) ?? []).map(base64))
    if (careful && there.size > 0) continue
    const missing = (careful ? values.slice(0, 1) : values).filter((value) => !there.has(value))
    if (missing.length > 0) changes.push({ operation: 'add', attribute, values: missing.map(octets) })
  }
  return changes
}

/** The names of the attributes and classes, for messages. Messages never contain values. */
export const namesOf = ({ objectClasses, attributes }: KeptAttributes): string =>
  [...Object.keys(attributes), ...objectClasses].join(', ')
