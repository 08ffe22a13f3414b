import type { FieldProblem } from '../../failures/errors.ts'
import { invalidInput } from '../../failures/reasons.ts'
import type { Statement } from '../../failures/statement.ts'
import { reasons } from '../reasons.ts'
import type { RunKind } from '../run-request.ts'
import { statements } from '../statements.ts'
import { evaluate, textOf, Unusable } from './evaluate.ts'
import { type Expression, ExpressionError, parseExpression } from './expression.ts'
import { type Field, fields } from './fields.ts'
import type { Mapped, Mapping } from './mapping.ts'

/** Our field → an expression over the source's record. */
export type Attributes = Readonly<Record<string, string>>

/**
 * Parses expressions for any fields.
 * @throws AppError (invalid) naming each `attributes.<field>` that is not an expression, and the position of the error
 */
export const parseAttributes = (attributes: Attributes): ReadonlyMap<string, Expression> => {
  const parsed = new Map<string, Expression>()
  const problems: FieldProblem[] = []
  for (const [name, text] of Object.entries(attributes)) {
    try {
      parsed.set(name, parseExpression(text))
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error
      problems.push(reasons.expression.problem(at(name), { problem: error.stated, position: error.position }))
    }
  }
  if (problems.length > 0) throw invalidInput(problems)
  return parsed
}

/**
 * The connector decides what identifies a source's records. Field relations of other consoles name it too, in any form:
 * it is stored with them and has no effect.
 */
const saidByConnectors: Readonly<Record<RunKind, readonly string[]>> = {
  users: ['sourceUserId', 'sourceUnionId'],
  groups: ['sourceDeptId', 'sourceDeptParentId'],
}

/** The attributes that are accepted without effect. */
export const ignoredAttributes = (kind: RunKind, attributes: Attributes): string[] =>
  saidByConnectors[kind].filter((name) => Object.hasOwn(attributes, name))

/**
 * Compiles the mapping of a field relation. `declared`: the attributes that administrators declared. The mapping never throws, whatever a record contains.
 * @throws AppError (invalid) naming each `attributes.<field>` that is not an expression, not one of our fields, or
 * missing
 */
export const compileMapping = (kind: RunKind, attributes: Attributes, declared: readonly Field[] = []): Mapping => {
  const ignored = ignoredAttributes(kind, attributes)
  const parsed = parseAttributes(
    Object.fromEntries(Object.entries(attributes).filter(([name]) => !ignored.includes(name))),
  )
  const known = [...fields[kind], ...declared]
  const names = known.map(({ name }) => name)
  const problems = [
    ...[...parsed.keys()]
      .filter((name) => !names.includes(name))
      .map((name) => reasons.unknown_field.problem(at(name), { fields: names.join(', ') })),
    ...known
      .filter(({ name, required }) => required && !parsed.has(name))
      .map(({ name }) => reasons.field_required.problem(at(name))),
  ]
  if (problems.length > 0) throw invalidInput(problems)

  const steps = known.flatMap((field): [Field, Expression][] => {
    const expression = parsed.get(field.name)
    return expression === undefined ? [] : [[field, expression]]
  })
  return (record) => {
    const mapped: Mapped = { fields: {}, problems: [] }
    for (const [field, expression] of steps) {
      const found = fieldText(field, evaluate(expression, record))
      const text = typeof found === 'string' ? field.clean(found) : found
      const stated = problemOf(field, text)
      if (stated !== null) mapped.problems.push({ field: field.name, reason: stated.text, stated })
      else if (typeof text === 'string') mapped.fields[field.name] = text
    }
    return mapped
  }
}

const at = (name: string): string => `attributes.${name}`

/** Of a list for a field with several values, a line for each. */
const fieldText = ({ multiple }: Field, value: unknown): ReturnType<typeof textOf> => {
  if (!multiple || !Array.isArray(value)) return textOf(value)
  const texts = value.map(textOf)
  return texts.find((text) => text instanceof Unusable) ?? texts.filter((text) => text !== undefined).join('\n')
}

const problemOf = ({ required, problem }: Field, text: ReturnType<typeof textOf>): Statement | null => {
  if (text instanceof Unusable) return text.stated
  if (text === undefined) return required ? statements.not_in_record() : null
  return problem(text)
}
