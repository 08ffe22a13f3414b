import type { AttributeType } from '../../db/schema.ts'
import type { FieldProblem } from '../../failures/errors.ts'
import type { Reason } from '../../failures/reason-table.ts'
import { matchingKey } from '../../ldap/dn.ts'
import { hasCharactersOf } from '../../mirror/entry/extra-attributes.ts'
import { reasons } from '../reasons.ts'

/** What decides whether a value is acceptable. */
export interface Bounds {
  type: AttributeType
  multiple: boolean
  minimum: number | null
  maximum: number | null
  ldapSyntax: string
}

/** The most characters of a text; the contract's limit of a value. */
export const longestText = 1000
/** Values of one attribute of one record; the contract's limit. */
export const maxValues = 50

const isCalendarDate = (text: string): boolean => {
  const time = /^[1-9]\d{3}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

type Problem = ReturnType<Reason<string>['problem']> | null

const inBounds = (field: string, size: number, { type, minimum, maximum }: Bounds): Problem => {
  if (minimum !== null && size < minimum) {
    return (type === 'text' ? reasons.value_too_short : reasons.value_too_small).problem(field, { limit: minimum })
  }
  if (maximum !== null && size > maximum) {
    return (type === 'text' ? reasons.value_too_long : reasons.value_too_large).problem(field, { limit: maximum })
  }
  return null
}

/** The problem of one value, in its normal form; null: it is valid. */
const problemOf = (field: string, value: string, bounds: Bounds): Problem => {
  const { type } = bounds
  if (type === 'boolean') return /^(true|false)$/.test(value) ? null : reasons.value_not_boolean.problem(field)
  if (type === 'date') return isCalendarDate(value) ? null : reasons.value_not_date.problem(field)
  if (type === 'integer') {
    const isWhole = /^(0|-?[1-9]\d{0,14})$/.test(value)
    return isWhole ? inBounds(field, Number(value), bounds) : reasons.value_not_integer.problem(field)
  }
  if (/[\p{Cc}\p{Surrogate}]/u.test(value)) return reasons.value_characters.problem(field)
  if (!hasCharactersOf(bounds.ldapSyntax, value)) return reasons.value_not_ascii.problem(field)
  const { length } = [...value]
  return length > longestText
    ? reasons.value_too_long.problem(field, { limit: longestText })
    : inBounds(field, length, bounds)
}

/** Another spelling of the same value. */
const normalForm = (value: string, { type }: Bounds): string => {
  if (type === 'text') return value
  const trimmed = value.trim()
  if (type === 'boolean') return trimmed.toLowerCase()
  return type === 'integer' && /^[+-]?\d{1,15}$/.test(trimmed) ? String(Number(trimmed) || 0) : trimmed
}

/**
 * The values in the form in which they are stored: empty ones and those that the directory takes for the same are left
 * out.
 * @param field names the attribute in the problems
 */
export const acceptedValues = (
  field: string,
  values: readonly string[],
  bounds: Bounds,
): { values: string[]; problems: FieldProblem[] } => {
  const normal = values.map((value) => normalForm(value, bounds)).filter((value) => value.trim() !== '')
  const first = new Map<string, string>()
  for (const value of normal) if (!first.has(matchingKey(value))) first.set(matchingKey(value), value)
  const distinct = [...first.values()]
  if (!bounds.multiple && distinct.length > 1) return { values: [], problems: [reasons.value_single.problem(field)] }
  if (distinct.length > maxValues) {
    return { values: [], problems: [reasons.value_too_many.problem(field, { limit: maxValues })] }
  }
  const problems = distinct.flatMap((value) => problemOf(field, value, bounds) ?? [])
  return { values: distinct, problems }
}
