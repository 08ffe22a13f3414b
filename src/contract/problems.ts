import type { ErrorObject } from 'ajv'
import type { FieldProblem } from '../errors.ts'
import { textSentences } from '../text/text-patterns.ts'

const kinds: Readonly<Record<string, string>> = {
  string: 'a text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
  null: 'null',
}

const count = (limit: unknown, one: string, many: string): string => `${String(limit)} ${limit === 1 ? one : many}`

/** ajv's findings in words; a keyword that is not here has ajv's own. */
const sentences: Readonly<Record<string, (parameters: Record<string, unknown>) => string>> = {
  required: () => 'is required',
  type: ({ type }) =>
    `must be ${[type]
      .flat()
      .map((kind) => kinds[String(kind)] ?? String(kind))
      .join(' or ')}`,
  enum: ({ allowedValues }) => `must be one of ${[allowedValues].flat().join(', ')}`,
  minLength: ({ limit }) =>
    limit === 1 ? 'must not be empty' : `must have at least ${count(limit, 'character', 'characters')}`,
  maxLength: ({ limit }) => `must have at most ${count(limit, 'character', 'characters')}`,
  minItems: ({ limit }) => `must have at least ${count(limit, 'entry', 'entries')}`,
  maxItems: ({ limit }) => `must have at most ${count(limit, 'entry', 'entries')}`,
  maxProperties: ({ limit }) => `must have at most ${count(limit, 'field', 'fields')}`,
  minProperties: ({ limit }) => `must have at least ${count(limit, 'field', 'fields')}`,
  uniqueItems: () => 'must not have the same entry twice',
  minimum: ({ limit }) => `must be at least ${String(limit)}`,
  maximum: ({ limit }) => `must be at most ${String(limit)}`,
  exclusiveMinimum: ({ limit }) => `must be more than ${String(limit)}`,
  exclusiveMaximum: ({ limit }) => `must be less than ${String(limit)}`,
  format: ({ format }) => `must have the format ${String(format)}`,
  pattern: ({ pattern }) => textSentences.get(String(pattern)) ?? `must match ${String(pattern)}`,
}

/** Where a value stands: `/userIds/3` → `['userIds', '3']`. */
const stepsOf = ({ instancePath, keyword, params }: ErrorObject): string[] => {
  const steps = instancePath
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
  if (keyword === 'required') steps.push(String((params as Record<string, unknown>).missingProperty))
  return steps
}

/** A name in a message is the caller's own; of a longer one this much is repeated. */
const longestName = 60

/** The `name` of the list's item that a value belongs to: who reads `ingredients.7.amount` does not count to seven. */
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

/** @param value what was validated */
export const fieldProblem = (error: ErrorObject, value: unknown): FieldProblem => {
  const steps = stepsOf(error)
  const name = itemName(steps, value)
  const sentence =
    sentences[error.keyword]?.(error.params as Record<string, unknown>) ?? error.message ?? 'is not valid'
  return { field: steps.join('.') || 'body', message: name === '' ? sentence : `of ${name} ${sentence}` }
}
