/** Inputs for an operation, made from its schemas: small valid ones, and faults to put into them. */
import type { Operation, Schema } from '../../src/contract/document.ts'

export type Json = null | boolean | number | string | Json[] | JsonObject | RawNumber
export interface JsonObject {
  [name: string]: Json
}

/** A number that JSON can write and JavaScript cannot hold: `1e400`. */
export class RawNumber {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  toString(): string {
    return this.text
  }
}

/** An input before it is written down. Of parameters every name has the texts it is given, none or several. */
export interface Input {
  params: Record<string, string>
  query: Record<string, string[]>
  /** undefined: no body. */
  body: Json | undefined
}

/** An id that no record has. */
export const unknownId = 987_654

/** The smallest value that a schema accepts; its ids belong to no record, its lists hold one. */
export const smallest = (schema: Schema): Json => {
  const { type, enum: values, minLength = 0, minimum, maximum } = schema as Bounds
  if (values) return values[0] ?? null
  switch ([type].flat()[0]) {
    case 'object':
      return Object.fromEntries(required(schema).map((name) => [name, smallest(property(schema, name))]))
    case 'array':
      return [smallest(schema.items as Schema)]
    case 'string':
      return smallestText(schema, minLength)
    case 'integer':
    case 'number':
      return Math.min(maximum ?? unknownId, Math.max(minimum ?? unknownId, unknownId))
    case 'boolean':
      return false
    default:
      throw new Error(`No value is known for ${JSON.stringify(schema)}`)
  }
}

const smallestText = ({ format, pattern }: Schema, minLength: number): string => {
  const known: Readonly<Record<string, string>> = {
    date: '2026-01-31',
    'date-time': '2026-01-31T10:00:00.000Z',
    uuid: '7b1f8f5e-3c43-4c0f-9a53-0b2c4a1d9e10',
  }
  const fits = (text: string) => pattern === undefined || new RegExp(String(pattern), 'u').test(text)
  const plain = ['x'.repeat(Math.max(1, minLength)), 'x@y', '08:30', 'SHA256:x', '0'.repeat(minLength)].find(fits)
  const text = format === undefined ? plain : known[String(format)]
  if (text === undefined || !fits(text)) {
    throw new Error(`No text is known for ${JSON.stringify({ format, pattern })}`)
  }
  return text
}

/** An input that fits the schemas and names no existing record. */
export const smallestInput = ({ schema }: Operation): Input => {
  const texts = (parameters: Schema | undefined) =>
    Object.entries((parameters === undefined ? {} : smallest(parameters)) as JsonObject).map(
      ([name, value]) => [name, String(value)] as const,
    )
  return {
    params: Object.fromEntries(texts(schema.params)),
    query: Object.fromEntries(texts(schema.querystring).map(([name, text]) => [name, [text]])),
    body: schema.body === undefined ? undefined : smallest(schema.body),
  }
}

/** A place in a body where a value belongs: the names that lead there, `0` into a list, `k` into a free object. */
export interface Place {
  path: string[]
  schema: Schema
  required: boolean
}

export const places = (schema: Schema, path: string[] = [], isRequired = true): Place[] => [
  { path, schema, required: isRequired },
  ...Object.keys((schema.properties ?? {}) as object).flatMap((name) =>
    places(property(schema, name), [...path, name], required(schema).includes(name)),
  ),
  ...(schema.items ? places(schema.items as Schema, [...path, '0'], false) : []),
  ...(typeof schema.additionalProperties === 'object'
    ? places(schema.additionalProperties as Schema, [...path, 'k'], false)
    : []),
]

/** A copy of a value with another one at a place; undefined removes the value there. */
export const replaced = (value: Json, [step, ...rest]: readonly string[], by: Json | undefined): Json => {
  if (step === undefined) return by ?? null
  if (Array.isArray(value)) return [replaced(value[0] ?? null, rest, by), ...value.slice(1)]
  const object = typeof value === 'object' && value !== null && !(value instanceof RawNumber) ? value : {}
  const { [step]: old, ...others } = object
  if (rest.length === 0 && by === undefined) return others
  return { ...others, [step]: replaced(old ?? (rest[0] === '0' ? [] : {}), rest, by) }
}

/** One character each: of one byte, of two UTF-16 units, and one that becomes eighteen when it is normalised. */
const characters = ['x', '😀', 'ﷺ']

/** Values on the bounds of a schema and one beyond each. */
export const boundaryValues = (schema: Schema): Json[] => {
  const { type, enum: values, ...bounds } = schema as Bounds
  const around = (...limits: (number | undefined)[]): number[] =>
    limits.flatMap((limit) => (limit === undefined ? [] : [limit - 1, limit, limit + 1]))
  const lengths = (...limits: (number | undefined)[]): number[] => around(...limits).filter((length) => length >= 0)
  if (values) return values.flatMap<Json>((value) => (typeof value === 'number' ? around(value) : [value, `${value}x`]))
  switch ([type].flat()[0]) {
    case 'string':
      return lengths(bounds.minLength, bounds.maxLength).flatMap((length) =>
        characters.map((character) => character.repeat(length)),
      )
    case 'integer':
    case 'number':
      return around(bounds.minimum, bounds.maximum)
    case 'array':
      return lengths(bounds.minItems, bounds.maxItems).map((length) =>
        Array.from({ length }, () => smallest(schema.items as Schema)),
      )
    case 'object':
      return lengths(bounds.minProperties, bounds.maxProperties).map((length) =>
        Object.fromEntries(
          Array.from({ length }, (_, i) => [`k${i}`, smallest(schema.additionalProperties as Schema)]),
        ),
      )
    default:
      return []
  }
}

/** The keywords of JSON Schema that set bounds. */
export interface Bounds {
  type?: string | string[]
  enum?: (string | number)[]
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
  minProperties?: number
  maxProperties?: number
}

export const required = (schema: Schema): string[] => (schema.required ?? []) as string[]

export const property = (schema: Schema, name: string): Schema => {
  const found = (schema.properties as Readonly<Record<string, Schema>>)[name]
  if (found === undefined) throw new Error(`The schema requires ${name} and does not declare it`)
  return found
}
