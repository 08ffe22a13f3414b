import type { Attribute } from '../entries/entry.ts'
import type { EntryView } from '../entries/view.ts'
import { LdapError } from '../result.ts'
import { type Description, describeAny } from '../schema/attribute-types.ts'
import { findObjectClass } from '../schema/object-classes.ts'

/** What a name selects: an attribute, stored or computed, or with `@` those of an object class (RFC 4529). */
const describeNamed = (text: string): Description[] => {
  if (text.startsWith('@')) {
    const objectClass = findObjectClass(text.slice(1))
    return objectClass ? [...objectClass.must, ...objectClass.may].map(describeAny) : []
  }
  try {
    return [describeAny(text)]
  } catch (error) {
    if (error instanceof LdapError) return []
    throw error
  }
}

export interface Selection {
  /** The cost of one entry, in comparisons. */
  cost: number
  of(view: EntryView): Iterable<Attribute>
}

/**
 * Which attributes of an entry a search returns (RFC 4511 section 4.5.1.8): all user attributes for an empty list or
 * `*`, the operational ones for `+` (RFC 3673), no attribute for `1.1` alone, and the named ones.
 */
export const selectAttributes = (requested: readonly string[]): Selection => {
  const names = new Set(requested)
  const all = requested.length === 0 || names.has('*')
  const operational = names.has('+')
  const named = new Map(
    [...names]
      .filter((name) => !['*', '+', '1.1'].includes(name))
      .flatMap(describeNamed)
      .map((description) => [description.key, description]),
  )
  return {
    cost: 1 + named.size,
    of(view) {
      const selected = new Map<string, Attribute>()
      const take = (attributes: Iterable<Attribute>): void => {
        for (const attribute of attributes) selected.set(attribute.name, attribute)
      }
      if (all) take(view.userAttributes())
      if (operational) take(view.operationalAttributes())
      for (const description of named.values()) take(view.find(description))
      return selected.values()
    },
  }
}
