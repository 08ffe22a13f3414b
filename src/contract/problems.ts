import type { ErrorObject } from 'ajv'
import type { FieldProblem } from '../failures/errors.ts'
import type { Reason } from '../failures/reason-table.ts'
import { textRefusals } from '../text/text-patterns.ts'
import { reasons } from './reasons.ts'

const kinds: Readonly<Record<string, { reason: Reason; name: string }>> = {
  string: { reason: reasons.not_text, name: 'a text' },
  integer: { reason: reasons.not_whole_number, name: 'a whole number' },
  number: { reason: reasons.not_number, name: 'a number' },
  boolean: { reason: reasons.not_boolean, name: 'true or false' },
  object: { reason: reasons.not_object, name: 'an object' },
  array: { reason: reasons.not_list, name: 'a list' },
  null: { reason: reasons.not_null, name: 'null' },
}

const wrongType = (field: string, types: readonly string[]): FieldProblem => {
  const [only] = types.length === 1 ? types.map((type) => kinds[type]) : []
  if (only !== undefined) return only.reason.problem(field)
  return reasons.wrong_type.problem(field, { types: types.map((type) => kinds[type]?.name ?? type).join(' or ') })
}

type Finding = (field: string, parameters: Record<string, unknown>) => FieldProblem

const counted =
  (reason: Reason<'{count}'>): Finding =>
  (field, { limit }) =>
    reason.problem(field, { count: String(limit) })

const limited =
  (reason: Reason<'{limit}'>): Finding =>
  (field, { limit }) =>
    reason.problem(field, { limit: String(limit) })

/** ajv's keywords as reasons; one that is not here has ajv's own words. */
const findings: Readonly<Record<string, Finding>> = {
  required: (field) => reasons.required.problem(field),
  type: (field, { type }) => wrongType(field, [type].flat().map(String)),
  enum: (field, { allowedValues }) => reasons.not_one_of.problem(field, { values: [allowedValues].flat().join(', ') }),
  minLength: (field, { limit }) =>
    limit === 1 ? reasons.empty.problem(field) : reasons.too_short.problem(field, { count: String(limit) }),
  maxLength: counted(reasons.too_long),
  minItems: counted(reasons.too_few_entries),
  maxItems: counted(reasons.too_many_entries),
  maxProperties: counted(reasons.too_many_fields),
  minProperties: counted(reasons.too_few_fields),
  uniqueItems: (field) => reasons.same_entry.problem(field),
  minimum: limited(reasons.too_small),
  maximum: limited(reasons.too_great),
  exclusiveMinimum: limited(reasons.not_above),
  exclusiveMaximum: limited(reasons.not_below),
  format: (field, { format }) => reasons.format.problem(field, { format: String(format) }),
  pattern: (field, { pattern }) =>
    textRefusals.get(String(pattern))?.problem(field) ?? reasons.pattern.problem(field, { pattern: String(pattern) }),
}

/** The path of a value: `/userIds/3` → `['userIds', '3']`. */
const stepsOf = ({ instancePath, keyword, params }: ErrorObject): string[] => {
  const steps = instancePath
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
  if (keyword === 'required') steps.push(String((params as Record<string, unknown>).missingProperty))
  return steps
}

/** A name in a message comes from the caller; of a longer one only this much is repeated. */
const longestName = 60

/**
 * The `name` of the list's item that contains the value, so that the reader of `ingredients.7.amount` need not count.
 */
const itemName = (steps: readonly string[], value: unknown): string => {
  let found = ''
  let at = value
  for (const step of steps) {
    const parent = at
    at = typeof parent === 'object' && parent !== null ? (parent as Record<string, unknown>)[step] : undefined
    if (!Array.isArray(parent)) continue
    const { name } = (at ?? {}) as { name?: unknown }
    found = typeof name === 'string' ? [...name.slice(0, 2 * longestName)].slice(0, longestName).join('') : ''
  }
  return steps.at(-1) === 'name' ? '' : found.trim()
}

/**
 * What is wrong with a field. Where the field is in a list whose items have names, the parameter `item` is the name.
 * @param value what was validated
 */
export const fieldProblem = (error: ErrorObject, value: unknown): FieldProblem => {
  const steps = stepsOf(error)
  const field = steps.join('.') || 'body'
  const problem =
    findings[error.keyword]?.(field, error.params as Record<string, unknown>) ??
    reasons.rule.problem(field, { problem: error.message ?? 'is not valid' })
  const item = itemName(steps, value)
  if (item === '') return problem
  return { ...problem, params: { ...problem.params, item }, message: `of ${item} ${problem.message}` }
}
