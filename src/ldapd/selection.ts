import { type Description, describe } from './attribute-type.ts'
import type { Attribute } from './entry.ts'
import { LdapError } from './result.ts'
import type { EntryView } from './view.ts'

const describeOrNone = (text: string): Description[] => {
  try {
    return [describe(text)]
  } catch (error) {
    if (error instanceof LdapError) return []
    throw error
  }
}

/**
 * Which attributes of an entry a search answers (RFC 4511 section 4.5.1.8): all user attributes for none named or
 * `*`, the operational ones for `+` (RFC 3673), nothing for `1.1` alone, and those named.
 */
export const selectAttributes = (requested: readonly string[], visible: (attribute: Attribute) => boolean) => {
  const all = requested.length === 0 || requested.includes('*')
  const operational = requested.includes('+')
  const named = requested.filter((name) => !['*', '+', '1.1'].includes(name)).flatMap(describeOrNone)
  return (view: EntryView): Iterable<Attribute> => {
    const selected = new Map<string, Attribute>()
    const take = (attributes: Iterable<Attribute>): void => {
      for (const attribute of attributes) if (visible(attribute)) selected.set(attribute.name, attribute)
    }
    if (all) take(view.userAttributes())
    if (operational) take(view.operationalAttributes())
    for (const description of named) take(view.find(description))
    return selected.values()
  }
}
