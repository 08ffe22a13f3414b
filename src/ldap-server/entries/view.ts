import { parseDn } from '../../ldap/dn.ts'
import type { MayRead } from '../identity.ts'
import { type AttributeType, type Description, describe, describeAny } from '../schema/attribute-types.ts'
import { structuralClass } from '../schema/object-classes.ts'
import { subschemaAttributes, subschemaDn } from '../schema/subschema.ts'
import type { Value } from '../value.ts'
import { timeOfCsn } from './change-sequence.ts'
import type { Attribute, StoredEntry } from './entry.ts'
import type { DirectoryTree } from './tree.ts'
import { storedValueKey } from './value-key.ts'

/**
 * An entry as a reader sees it: its stored and its computed attributes. Those that the reader may not know of are not
 * there, whatever asks for them: a filter, a comparison, a sort or a list of attributes.
 */
export interface EntryView {
  readonly dn: string
  readonly entry: StoredEntry | null
  /** Attributes of that description, those with more options (`cn` also gives `cn;lang-fr`), and of its subtypes. */
  find(description: Description): Iterable<Attribute>
  userAttributes(): Iterable<Attribute>
  operationalAttributes(): Iterable<Attribute>
  /** The types and values of all levels of its name. */
  namingValues(): readonly NamingValue[]
}

export interface NamingValue {
  type: AttributeType
  value: string
}

const namingValuesOf = (dn: string): NamingValue[] =>
  parseDn(dn)
    .flat()
    .map(({ type, value }) => ({ type: describeAny(type).type, value }))

/** Attributes that name the members of a group. */
const memberAttributes = ['member', 'uniquemember'] as const

/** The groups an entry is a member of, as slapd's memberof overlay returns them. */
const groupsOf = (tree: DirectoryTree, key: string): string[] => [
  ...new Set(
    memberAttributes.flatMap((attribute) =>
      [...(tree.holding(attribute, key) ?? [])].flatMap((id) => tree.byId(id)?.dn ?? []),
    ),
  ),
]

type Compute = (entry: StoredEntry, context: { tree: DirectoryTree; rootDn: string }) => readonly string[]

const computed: Readonly<Record<string, Compute>> = {
  entryUUID: ({ uuid }) => [uuid],
  entryCSN: ({ csn }) => [csn],
  createTimestamp: ({ created }) => [timeOfCsn(created)],
  modifyTimestamp: ({ csn }) => [timeOfCsn(csn)],
  // Only the root DN can write.
  creatorsName: (_entry, { rootDn }) => [rootDn],
  modifiersName: (_entry, { rootDn }) => [rootDn],
  entryDN: ({ dn }) => [dn],
  structuralObjectClass: ({ attributes }) => {
    const structural = structuralClass(attributes.get('objectclass')?.values.keys() ?? [])
    return structural ? [structural.name] : []
  },
  subschemaSubentry: () => [subschemaDn],
  hasSubordinates: ({ key }, { tree }) => [tree.hasChildren(key) ? 'TRUE' : 'FALSE'],
  memberOf: ({ key }, { tree }) => groupsOf(tree, key),
}

const computedByKey = new Map(
  Object.entries(computed).map(([name, compute]) => [describe(name).key, { type: describe(name).type, compute }]),
)

const attributeOf = (type: AttributeType, values: readonly Value[]): Attribute => ({
  name: type.name,
  type,
  values: new Map(values.map((value) => [storedValueKey(type, value), value])),
})

/** Whether a description with more options, or of a subtype, is meant as well. */
const isMeant = ({ name, type }: Attribute, wanted: Description): boolean => {
  if (type.key !== wanted.type.key && !wanted.type.subtypes.has(type.key)) return false
  const [, ...options] = name.split(';')
  return wanted.options.every((option) => options.includes(option))
}

/** What the rights themselves look at: all attributes. */
export const everyAttribute: MayRead = () => true

/** Makes views of entries for one reader; cheap, since there is one for every entry tested. */
export const entryViews = (tree: DirectoryTree, rootDn: string) => {
  const context = { tree, rootDn }
  return (entry: StoredEntry, mayRead: MayRead): EntryView => {
    const { attributes } = entry
    // A filter may read the same attribute thousands of times.
    const cached = new Map<string, Attribute | null>()
    let naming: readonly NamingValue[] | null = null
    const compute = (key: string): Attribute | null => {
      const found = computedByKey.get(key)
      const values = found?.compute(entry, context) ?? []
      return found && values.length > 0 ? attributeOf(found.type, values) : null
    }
    const computedAttribute = (key: string): Attribute | null => {
      if (!computedByKey.has(key)) return null
      const known = cached.get(key)
      if (known !== undefined) return known
      const attribute = compute(key)
      cached.set(key, attribute)
      return attribute
    }
    return {
      dn: entry.dn,
      entry,
      *find(description) {
        const exact = attributes.get(description.key) ?? computedAttribute(description.key)
        if (exact && mayRead(exact)) yield exact
        for (const [key, attribute] of attributes) {
          if (attribute !== exact && (key.includes(';') || description.type.subtypes.size > 0)) {
            if (isMeant(attribute, description) && mayRead(attribute)) yield attribute
          }
        }
      },
      *userAttributes() {
        for (const attribute of attributes.values()) if (mayRead(attribute)) yield attribute
      },
      *operationalAttributes() {
        for (const key of computedByKey.keys()) {
          const attribute = computedAttribute(key)
          if (attribute && mayRead(attribute)) yield attribute
        }
      },
      namingValues() {
        naming ??= namingValuesOf(entry.dn)
        return naming
      },
    }
  }
}

/** An entry that is not stored but generated by the server about itself. */
export const serverEntry = (dn: string, attributes: Readonly<Record<string, readonly string[]>>): EntryView => {
  const all = Object.entries(attributes).map(([name, values]) => attributeOf(describe(name).type, values))
  const byKey = new Map(all.map((attribute) => [attribute.type.key, attribute]))
  return {
    dn,
    entry: null,
    *find(description) {
      const exact = byKey.get(description.key)
      if (exact) yield exact
      for (const attribute of all) if (attribute !== exact && isMeant(attribute, description)) yield attribute
    },
    userAttributes: () => all.filter(({ type }) => !type.operational),
    operationalAttributes: () => all.filter(({ type }) => type.operational),
    namingValues: () => namingValuesOf(dn),
  }
}

/** The root DSE: what this server is and can do (RFC 4512 section 5.1). */
export const rootDse = (attributes: Readonly<Record<string, readonly string[]>>): EntryView =>
  serverEntry('', { ...attributes, subschemaSubentry: [subschemaDn] })

/** The schema (RFC 4512 section 4.2). */
export const subschemaEntry = (): EntryView => serverEntry(subschemaDn, subschemaAttributes())

/** How many members a group names; they need not be entries of this directory. */
export const memberCount = (tree: DirectoryTree, groupKey: string): number =>
  memberAttributes.reduce((sum, each) => sum + (tree.get(groupKey)?.attributes.get(each)?.values.size ?? 0), 0)

/** A group's members that are entries of this directory, by the key of the group's DN; `(memberOf=…)` needs them. */
export function* membersOf(tree: DirectoryTree, groupKey: string): Generator<StoredEntry> {
  const group = tree.get(groupKey)
  for (const attribute of memberAttributes) {
    // The key of a member is the key of the DN that it names.
    for (const key of group?.attributes.get(attribute)?.values.keys() ?? []) {
      const entry = tree.get(key)
      if (entry) yield entry
    }
  }
}
