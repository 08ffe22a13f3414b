import { normalizeDn } from '../ldap/dn.ts'
import { type AttributeType, type Description, describe } from './attribute-type.ts'
import { timeOfCsn } from './change-sequence.ts'
import type { Attribute, StoredEntry } from './entry.ts'
import type { DirectoryTree } from './tree.ts'
import { type Value, valueKey } from './value.ts'

/** An entry as a reader sees it: what is kept, and what the server works out when asked. */
export interface EntryView {
  readonly dn: string
  readonly entry: StoredEntry | null
  /** Attributes of that description, and those with more options (`cn` also gives `cn;lang-fr`). */
  find(description: Description): Iterable<Attribute>
  userAttributes(): Iterable<Attribute>
  operationalAttributes(): Iterable<Attribute>
}

/** Attributes that name a group's members; their owner is a group the member belongs to. */
const memberAttributes = ['member', 'uniquemember'] as const

/** The groups an entry is a member of, as the memberof overlay answers them. */
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
  // Nobody but the root DN can write.
  creatorsName: (_entry, { rootDn }) => [rootDn],
  modifiersName: (_entry, { rootDn }) => [rootDn],
  entryDN: ({ dn }) => [dn],
  hasSubordinates: ({ key }, { tree }) => [tree.hasChildren(key) ? 'TRUE' : 'FALSE'],
  memberOf: ({ key }, { tree }) => groupsOf(tree, key),
}

const computedByKey = new Map(
  Object.entries(computed).map(([name, compute]) => [describe(name).key, { name, compute }]),
)

const attributeOf = (type: AttributeType, values: readonly Value[]): Attribute => ({
  name: type.name,
  type,
  values: new Map(values.map((value) => [valueKey(type.syntax, value) ?? '', value])),
})

const withOptions = (attribute: string, { key, options }: Description): boolean => {
  const [base, ...present] = attribute.split(';')
  return base === key.split(';')[0] && options.every((option) => present.includes(option))
}

/** Makes views of entries; cheap, one per entry looked at. */
export const entryViews = (tree: DirectoryTree, rootDn: string) => {
  const context = { tree, rootDn }
  return (entry: StoredEntry): EntryView => {
    const { attributes } = entry
    const compute = (key: string): Attribute | null => {
      const found = computedByKey.get(key)
      const values = found?.compute(entry, context) ?? []
      return found && values.length > 0 ? attributeOf(describe(found.name).type, values) : null
    }
    return {
      dn: entry.dn,
      entry,
      *find(description) {
        const exact = attributes.get(description.key) ?? compute(description.key)
        if (exact) yield exact
        for (const [key, attribute] of attributes) {
          if (key !== description.key && key.includes(';') && withOptions(key, description)) yield attribute
        }
      },
      userAttributes: () => attributes.values(),
      *operationalAttributes() {
        for (const key of computedByKey.keys()) {
          const attribute = compute(key)
          if (attribute) yield attribute
        }
      },
    }
  }
}

/** The root DSE: what this server is and can do (RFC 4512 section 5.1). */
export const rootDse = (attributes: Readonly<Record<string, readonly string[]>>): EntryView => {
  const all = Object.entries(attributes).map(([name, values]) => attributeOf(describe(name).type, values))
  const byKey = new Map(all.map((attribute) => [attribute.type.key, attribute]))
  return {
    dn: '',
    entry: null,
    find: ({ key }) => [byKey.get(key)].filter((attribute) => attribute !== undefined),
    userAttributes: () => all.filter(({ type }) => !type.operational),
    operationalAttributes: () => all.filter(({ type }) => type.operational),
  }
}

/** The ids of a group's members that are entries here, by the key of the group's DN; what `(memberOf=…)` asks for. */
export function* membersOf(tree: DirectoryTree, groupKey: string): Generator<StoredEntry> {
  const group = tree.get(groupKey)
  for (const attribute of memberAttributes) {
    for (const member of group?.attributes.get(attribute)?.values.values() ?? []) {
      const entry = typeof member === 'string' ? tree.get(normalizeDn(member)) : undefined
      if (entry) yield entry
    }
  }
}
