import type { FieldProblem } from '../failures/errors.ts'
import type { Reason } from '../failures/reason-table.ts'
import type { Schema } from './document.ts'
import { reasons } from './reasons.ts'
import { textProblem } from './text.ts'

/** Thrown inside this file only: why a text is not a value of its type. */
class Refusal extends Error {
  readonly reason: Reason
  constructor(reason: Reason) {
    super(reason.code)
    this.reason = reason
  }
}

/** Integers in canonical decimal only: neither `1e3`, `+1`, `01` nor ` 1`. */
const integer = /^-?(?:0|[1-9]\d{0,15})$/
const number = /^-?(?:0|[1-9]\d{0,15})(?:\.\d{1,15})?$/

const convert = (type: unknown, text: string): unknown => {
  const problem = textProblem(text)
  if (problem !== null) throw new Refusal(problem)
  switch (type) {
    case 'integer':
      if (!integer.test(text)) throw new Refusal(reasons.not_whole_number)
      return Number(text)
    case 'number':
      if (!number.test(text)) throw new Refusal(reasons.not_number)
      return Number(text)
    case 'boolean':
      if (text !== 'true' && text !== 'false') throw new Refusal(reasons.not_boolean)
      return text === 'true'
    default:
      return text
  }
}

const read = (schema: Schema, raw: string | string[]): unknown => {
  if (schema.type === 'array') {
    const items = schema.items as Schema
    const values = [raw].flat().filter((text) => text !== '')
    return values.length === 0 ? undefined : values.map((text) => convert(items.type, text))
  }
  if (Array.isArray(raw)) throw new Refusal(reasons.given_twice)
  return raw === '' ? undefined : convert(schema.type, raw)
}

/**
 * Converts the texts of a path or query to the types their schema declares. An empty value counts as absent; parameters
 * that are not declared are left out.
 */
export const readParameters = (
  schema: Schema,
  raw: Readonly<Record<string, string | string[]>>,
): { values: Record<string, unknown>; problems: FieldProblem[] } => {
  const values: Record<string, unknown> = {}
  const problems: FieldProblem[] = []
  for (const [name, property] of Object.entries(schema.properties as Record<string, Schema>)) {
    const text = raw[name]
    if (text === undefined) continue
    try {
      const value = read(property, text)
      if (value !== undefined) values[name] = value
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      problems.push(error.reason.problem(name))
    }
  }
  return { values, problems }
}
