import type { Write } from './directory.ts'

/**
 * The attributes that a server has stored outside of transactions since we connected to it.
 *
 * slapd's back-mdb (2.5.13) numbers an attribute when it first stores it. When it rolls a transaction back, its
 * database loses the numbers that were new in it, but its memory keeps them. Every entry that is stored with these
 * numbers later cannot be read any more, searches that reach it fail, and after a restart the numbers may stand for
 * other attributes. One refused entry in the first transaction of a new directory is enough. So a transaction may not
 * hold new attributes.
 */
export interface FamiliarAttributes {
  /** This write was carried out outside of a transaction. */
  learn(write: Write): void
  /** The attributes of a write that are not familiar, each with the kind of write it is new in. */
  newIn(write: Write): string[]
  /** Call this after a reconnect: the server may be another one. */
  forget(): void
}

export const familiarAttributes = (): FamiliarAttributes => {
  const familiar = new Set<string>()
  return {
    learn(write) {
      for (const attribute of broughtBy(write)) familiar.add(attribute)
    },
    newIn: (write) => broughtBy(write).filter((attribute) => !familiar.has(attribute)),
    forget: () => familiar.clear(),
  }
}

/** By kind of write, because an overlay may add attributes of its own with one kind and not with another. */
const broughtBy = (write: Write): string[] => {
  const brought: string[] = []
  if (write.kind === 'add') {
    const { attributes } = write
    for (const attribute of Object.keys(attributes)) {
      if (attributes[attribute]?.length) brought.push(labels.add(attribute))
    }
  } else if (write.kind === 'modify') {
    for (const { attribute, values } of write.changes) if (values.length > 0) brought.push(labels.modify(attribute))
  }
  return brought
}

/** What attributes are called here. They are few, and each of many writes asks for all of its own. */
const labelsOf = (kind: Write['kind']): ((attribute: string) => string) => {
  const known = new Map<string, string>()
  return (attribute) => {
    const label = known.get(attribute) ?? `${kind} of ${attribute.toLowerCase()}`
    known.set(attribute, label)
    return label
  }
}

const labels = { add: labelsOf('add'), modify: labelsOf('modify') }
