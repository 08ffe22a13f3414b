/** Random inputs for an operation's schemas, with fast-check: valid ones, and ones that may be invalid. */
import fc from 'fast-check'
import type { Operation, Schema } from '../../src/contract/document.ts'
import { textPatterns } from '../../src/text/text-patterns.ts'
import { type Bounds, boundaryValues, type Input, type Json, places, property, replaced, required } from './inputs.ts'
import { oddCharacters, oddTexts, oddValues } from './odd-values.ts'

/** Values by the name of their field that are as likely as any to pass the rules a schema cannot write down. */
export type Hints = Readonly<Record<string, fc.Arbitrary<Json>>>

const plain = fc.constantFrom(...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_. ')
const odd = fc.constantFrom(...oddCharacters.flatMap((characters) => [...characters]))
const any = fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }).filter((unit) => !/[\0\p{Surrogate}]/u.test(unit))

/** Texts of so many characters (code points): plain ones, odd ones, and mixtures. */
const texts = ({ minLength = 0, maxLength = 300 }: Bounds): fc.Arbitrary<string> => {
  const length = fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: minLength, max: Math.min(maxLength, minLength + 12) }) },
    { weight: 1, arbitrary: fc.constantFrom(minLength, maxLength) },
  )
  const unit = fc.constantFrom(plain, plain, fc.oneof(plain, odd), odd, fc.oneof(odd, any))
  return fc
    .tuple(length, unit)
    .chain(([length, unit]) => fc.array(unit, { minLength: length, maxLength: length, size: 'max' }))
    .map((characters) => characters.join(''))
}

/** Small numbers are the ids of existing records. */
const integers = ({ minimum = -(2 ** 31), maximum = 2 ** 31 - 1 }: Bounds): fc.Arbitrary<number> =>
  fc.oneof(
    { weight: 8, arbitrary: fc.integer({ min: minimum, max: Math.min(maximum, minimum + 25) }) },
    { weight: 1, arbitrary: fc.constantFrom(minimum, maximum) },
    { weight: 1, arbitrary: fc.maxSafeInteger().filter((value) => value >= minimum && value <= maximum) },
  )

/** Values that a schema accepts. */
export const validValues = (schema: Schema, hints: Hints = {}): fc.Arbitrary<Json> => {
  const bounds = schema as Bounds
  if (bounds.enum) return fc.constantFrom(...bounds.enum)
  switch ([bounds.type].flat()[0]) {
    case 'object':
      return objects(schema, hints)
    case 'array':
      return fc.array(validValues(schema.items as Schema, hints), {
        minLength: bounds.minItems ?? 0,
        maxLength: Math.min(bounds.maxItems ?? 4, (bounds.minItems ?? 0) + 4),
      })
    case 'string':
      return (
        textKinds[String(schema.pattern)]?.(bounds) ??
        (schema.format === undefined && schema.pattern === undefined ? texts(bounds) : formatted(schema))
      )
    case 'integer':
      return integers(bounds)
    case 'number':
      return fc.double({ min: bounds.minimum ?? -1e9, max: bounds.maximum ?? 1e9, noNaN: true })
    case 'boolean':
      return fc.boolean()
    default:
      throw new Error(`No values are known for ${JSON.stringify(schema)}`)
  }
}

/** A text without the characters that the pattern refuses. */
const tidied =
  (unwanted: RegExp, visible: boolean) =>
  (bounds: Bounds): fc.Arbitrary<string> =>
    texts(bounds).map((text) => {
      const tidy = text.replace(unwanted, 'x')
      return visible && tidy !== '' && tidy.trim() === '' ? 'x'.repeat([...tidy].length) : tidy
    })

/** Texts that fit the patterns of texts, by the pattern. */
const textKinds: Readonly<Record<string, (bounds: Bounds) => fc.Arbitrary<string>>> = {
  [textPatterns.line]: tidied(/\p{Cc}/gu, false),
  [textPatterns.lines]: tidied(/(?![\t\n\r])\p{Cc}/gu, false),
  [textPatterns.name]: tidied(/\p{Cc}/gu, true),
  [textPatterns.text]: tidied(/\p{Cc}/gu, true),
  [textPatterns.mail]: () => fc.oneof(fc.constant(''), fc.emailAddress({ size: 'small' })),
  [textPatterns.mobile]: () => fc.stringMatching(/^([0-9+(][0-9 +()-]{0,19})?$/),
}

const formatted = ({ format, pattern }: Schema): fc.Arbitrary<string> => {
  const instants = fc.date({ min: new Date('1970-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
  if (format === 'date') return instants.map((instant) => instant.toISOString().slice(0, 10))
  if (format === 'date-time') return instants.map((instant) => instant.toISOString())
  if (pattern !== undefined) return fc.stringMatching(new RegExp(String(pattern), 'u'))
  throw new Error(`No texts are known for the format ${String(format)}`)
}

const objects = (schema: Schema, hints: Hints): fc.Arbitrary<Json> => {
  const declared = Object.keys((schema.properties ?? {}) as object)
  const values = declared.map((name) => {
    const generic = validValues(property(schema, name), hints)
    const hint = hints[name]
    return [name, hint ? fc.oneof({ weight: 4, arbitrary: hint }, { weight: 1, arbitrary: generic }) : generic] as const
  })
  const known = fc.record(Object.fromEntries(values), { requiredKeys: required(schema) })
  if (typeof schema.additionalProperties === 'object') {
    return fc.dictionary(texts({ maxLength: 20 }), validValues(schema.additionalProperties as Schema, hints), {
      noNullPrototype: true,
      maxKeys: 5,
    })
  }
  // An undeclared field is ignored, whatever its name.
  const unknown = fc.dictionary(
    fc.constantFrom('unknown', 'isAdmin', 'toString', 'constructor', 'hasOwnProperty', '', 'id ', 'creator'),
    fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>,
    { noNullPrototype: true, maxKeys: 2 },
  )
  return fc
    .tuple(unknown, fc.boolean(), known)
    .map(([others, more, fields]) => (more ? { ...withoutDeclared(others, declared), ...fields } : fields) as Json)
}

const withoutDeclared = (object: Record<string, Json>, declared: string[]): Record<string, Json> =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !declared.includes(name)))

const parameterTexts = (schema: Schema | undefined, hints: Hints): fc.Arbitrary<Record<string, string[]>> =>
  schema === undefined
    ? fc.constant({})
    : objects(schema, hints).map((values) =>
        Object.fromEntries(
          Object.entries(values as Record<string, Json>).map(([name, value]) => [name, [value].flat().map(String)]),
        ),
      )

/** Inputs that fit an operation's schemas. */
export const validInputs = ({ schema }: Operation, hints: Hints): fc.Arbitrary<Input> =>
  fc.record({
    params: parameterTexts(schema.params, hints).map((values) =>
      Object.fromEntries(Object.entries(values).map(([name, [text = '']]) => [name, text])),
    ),
    query: parameterTexts(schema.querystring, hints),
    body: schema.body === undefined ? fc.constant(undefined) : validValues(schema.body, hints),
  })

/** Inputs with a few values that may not belong where they are. */
export const strangeInputs = (operation: Operation, hints: Hints): fc.Arbitrary<Input> => {
  const { body, querystring = {}, params = {} } = operation.schema
  const inBody = body === undefined ? [] : places(body)
  const changes = [
    ...inBody.map(({ path, schema }) =>
      fc.constantFrom(undefined, ...boundaryValues(schema), ...oddValues).map(
        (value) =>
          (input: Input): Input => ({ ...input, body: replaced(input.body ?? {}, path, value) }),
      ),
    ),
    ...Object.keys((querystring.properties ?? {}) as object).map((name) =>
      fc.array(fc.constantFrom(...oddTexts), { maxLength: 2 }).map(
        (texts) =>
          (input: Input): Input => ({ ...input, query: { ...input.query, [name]: texts } }),
      ),
    ),
    ...Object.keys((params.properties ?? {}) as object).map((name) =>
      fc.constantFrom(...oddTexts.filter((text) => text !== '')).map(
        (text) =>
          (input: Input): Input => ({ ...input, params: { ...input.params, [name]: text } }),
      ),
    ),
  ]
  if (changes.length === 0) return validInputs(operation, hints)
  return fc
    .tuple(validInputs(operation, hints), fc.array(fc.oneof(...changes), { minLength: 1, maxLength: 3 }))
    .map(([input, wanted]) => wanted.reduce((changed, change) => change(changed), input))
}
