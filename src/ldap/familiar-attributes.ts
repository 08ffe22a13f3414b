import type { Write } from './directory.ts'

/**
 * The attributes that a server has stored outside of transactions since we have been connected to it.
 *
 * slapd's back-mdb (2.5.13) numbers attributes as it meets them. When it rolls a transaction back, its database forgets
 * the numbers that were new in it, and its memory does not: every entry that is stored with them afterwards cannot be
 * read any more, searches that come upon it fail, and after a restart the numbers may stand for other attributes. One
 * refused entry in the first transaction of a new directory is enough. So a transaction may hold nothing new.
 */
export interface FamiliarAttributes {
  /** This write was carried out by itself. */
  learn(write: Write): void
  /** The attributes of a write that are not familiar, each with the kind of write it is new in. */
  newIn(write: Write): string[]
  /** The server may be another one. */
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

/** By kind, for an overlay may bring something of its own along with one kind and not with the other. */
const broughtBy = (write: Write): string[] => {
  const brought =
    write.kind === 'add'
      ? Object.entries(write.attributes).map(([attribute, values]) => ({ attribute, values }))
      : write.kind === 'modify'
        ? write.changes
        : []
  return brought.flatMap(({ attribute, values }) =>
    values.length > 0 ? [`${write.kind} of ${attribute.toLowerCase()}`] : [],
  )
}
