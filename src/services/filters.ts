import { AndFilter, type Filter, NotFilter, OrFilter } from 'ldapts'
import { FilterSyntaxError, parseFilter } from '../ldap/filter-text.ts'
import { compileFilter } from '../ldap-server/protocol/compile-filter.ts'
import { LdapError } from '../ldap-server/result.ts'
import type { DirectorySchema } from '../mirror/entry/directory-schema.ts'
import { reasons } from './reasons.ts'

/** The attributes that a filter names, without their options. */
const attributesOf = (filter: Filter): string[] => {
  if (filter instanceof AndFilter || filter instanceof OrFilter) return filter.filters.flatMap(attributesOf)
  if (filter instanceof NotFilter) return attributesOf(filter.filter)
  const named: unknown = Reflect.get(filter, 'attribute') ?? Reflect.get(filter, 'matchType')
  return typeof named === 'string' && named !== '' ? [named.split(';')[0] ?? ''] : []
}

/**
 * A filter with an attribute that does not exist would match nothing, or everything behind a `!`.
 * @param text empty: all
 * @param schema null: it is not known
 * @throws AppError (invalid) naming the field, and the character
 */
export const requireFilter = (field: string, text: string, schema: DirectorySchema | null): void => {
  if (text === '') return
  try {
    compileFilter(text)
  } catch (error) {
    if (!(error instanceof FilterSyntaxError || error instanceof LdapError)) throw error
    throw reasons.filter_syntax.at(field, { problem: error.message })
  }
  const unknown = schema && attributesOf(parseFilter(text)).find((name) => schema.attribute(name) === undefined)
  if (unknown) throw reasons.filter_attribute.at(field, { name: unknown })
}
