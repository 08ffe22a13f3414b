import { AndFilter, EqualityFilter, type Filter, NotFilter, OrFilter, PresenceFilter, SubstringFilter } from 'ldapts'

/**
 * Search filters as objects: values are sent as they are, so that no escaping is needed and no injection is possible.
 * (ldapts' parser for filter strings misreads UTF-8 hex pairs and refuses OIDs and attribute options.)
 */
export const present = (attribute: string): Filter => new PresenceFilter({ attribute })
export const equals = (attribute: string, value: string): Filter => new EqualityFilter({ attribute, value })
export const startsWith = (attribute: string, initial: string): Filter => new SubstringFilter({ attribute, initial })
export const allOf = (...filters: Filter[]): Filter => new AndFilter({ filters })
export const anyOf = (...filters: Filter[]): Filter => new OrFilter({ filters })
export const not = (filter: Filter): Filter => new NotFilter({ filter })
