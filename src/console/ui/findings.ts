import type { FieldProblem } from '../app/field-problem.ts'
import type { Finding } from '../generated/form.ts'
import type { ReasonCode } from '../generated/reason-codes.ts'

const kinds: Readonly<Record<string, [reason: ReasonCode, english: string]>> = {
  string: ['contract.not_text', 'a text'],
  integer: ['contract.not_whole_number', 'a whole number'],
  number: ['contract.not_number', 'a number'],
  boolean: ['contract.not_boolean', 'true or false'],
  object: ['contract.not_object', 'an object'],
  array: ['contract.not_list', 'a list'],
  null: ['contract.not_null', 'null'],
}

type Read = (params: Record<string, unknown>) => [reason: ReasonCode, params: Record<string, string>, english: string]

const counted =
  (reason: ReasonCode, english: (count: string) => string): Read =>
  ({ limit }) => [reason, { count: String(limit) }, english(String(limit))]

const limited =
  (reason: ReasonCode, english: (limit: string) => string): Read =>
  ({ limit }) => [reason, { limit: String(limit) }, english(String(limit))]

/** ajv's keywords by the reasons that the service has for them. */
const readers: Readonly<Record<string, Read>> = {
  required: () => ['contract.required', {}, 'is required'],
  type: ({ type }) => {
    const wanted = [type].flat().map((one) => kinds[String(one)])
    const types = wanted.map((one) => one?.[1]).join(' or ')
    const [reason] = wanted.length === 1 ? (wanted[0] ?? []) : []
    return reason ? [reason, {}, `must be ${types}`] : ['contract.wrong_type', { types }, `must be ${types}`]
  },
  enum: ({ allowedValues }) => {
    const values = [allowedValues].flat().join(', ')
    return ['contract.not_one_of', { values }, `must be one of ${values}`]
  },
  minLength: ({ limit }) =>
    limit === 1
      ? ['contract.empty', {}, 'must not be empty']
      : ['contract.too_short', { count: String(limit) }, `must have at least ${limit} characters`],
  maxLength: counted('contract.too_long', (count) => `must have at most ${count} characters`),
  minItems: counted('contract.too_few_entries', (count) => `must have at least ${count} entries`),
  maxItems: counted('contract.too_many_entries', (count) => `must have at most ${count} entries`),
  minimum: limited('contract.too_small', (limit) => `must be at least ${limit}`),
  maximum: limited('contract.too_great', (limit) => `must be at most ${limit}`),
  format: ({ format }) => ['contract.format', { format: String(format) }, `must have the format ${format}`],
}

/**
 * What the validator found, as the service would say it. A pattern is the service's to explain, so what breaks one is not held
 * back here.
 */
export const findingsOf = (findings: readonly Finding[]): FieldProblem[] =>
  findings.map(({ instancePath, keyword, params }) => {
    const steps = instancePath.split('/').slice(1)
    if (keyword === 'required') steps.push(String(params.missingProperty))
    const [reason, values, message] = readers[keyword]?.(params) ?? patternReader(params)
    return { field: steps.join('.'), reason, params: values, message }
  })

const patternReader: Read = ({ pattern }) => [
  'contract.pattern',
  { pattern: String(pattern ?? '') },
  'has a form that is not allowed',
]
