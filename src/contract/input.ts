import { Ajv2020, type Options, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { FastifyRequest } from 'fastify'
import { invalidInput } from '../failures/reasons.ts'
import type { Operation, Schema } from './document.ts'
import { readParameters } from './parameters.ts'
import { fieldProblem } from './problems.ts'

export interface ValidInput {
  params: Record<string, unknown>
  query: Record<string, unknown>
  body: unknown
}

/** Reads and validates a request's input. @throws AppError `invalid` naming the fields. */
export type InputReader = (request: Pick<FastifyRequest, 'params' | 'query' | 'body'>) => ValidInput

/** Values with more parts than this are checked up to their first problem only: a million problems are one response. */
const smallValue = 256

/**
 * No type coercion and no defaults; fields that a schema does not declare are removed (codegen closes every object).
 * Strict mode refuses a schema with keywords that would be ignored. The tests hold the schemas against the schema of
 * schemas: to compile that one takes longer than all that a first request needs.
 */
const newAjv = (options: Options): Ajv2020 =>
  addFormats.default(
    new Ajv2020({
      ...{ strict: true, allowUnionTypes: true, removeAdditional: true, validateFormats: true },
      ...{ validateSchema: false, ...options },
    }),
  )

const quick = newAjv({})
const thorough = newAjv({ allErrors: true })
const parameters = newAjv({ allErrors: true, useDefaults: true })

const parameterReader = (schema: Schema | undefined): ((raw: unknown) => Record<string, unknown>) => {
  if (schema === undefined) return () => ({})
  const compiled = once(() => parameters.compile(schema))
  return (raw) => {
    const validate = compiled()
    const { values, problems } = readParameters(schema, raw as Record<string, string | string[]>)
    if (problems.length > 0) throw invalidInput(problems)
    if (!validate(values)) throw refusal(validate, values)
    return values
  }
}

const bodyReader = (schema: Schema | undefined): ((body: unknown) => unknown) => {
  if (schema === undefined) return () => ({})
  const first = once(() => quick.compile(schema))
  const all = once(() => thorough.compile(schema))
  return (body) => {
    const validate = first()
    if (validate(body)) return body
    if (!isSmall(body)) throw refusal(validate, body)
    const validateAll = all()
    validateAll(body)
    throw refusal(validateAll, body)
  }
}

/** Reads the input of an operation; what validates it is compiled by the first request. */
export const inputReader = ({ schema }: Operation): InputReader => {
  const params = parameterReader(schema.params)
  const query = parameterReader(schema.querystring)
  const body = bodyReader(schema.body)
  return (request) => ({
    params: params(request.params),
    query: query(request.query),
    body: body(request.body === undefined ? {} : request.body),
  })
}

const refusal = ({ errors }: ValidateFunction, value: unknown) =>
  invalidInput((errors ?? []).map((error) => fieldProblem(error, value)))

/** Compiled by the first request that needs it: compiling all at start would take most of the start-up time. */
const once = <T>(make: () => T): (() => T) => {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}

const isSmall = (value: unknown): boolean => {
  const rest = [value]
  for (let seen = 0; rest.length > 0; seen++) {
    const next = rest.pop()
    if (typeof next === 'object' && next !== null) {
      const parts = Object.values(next)
      if (seen + rest.length + parts.length > smallValue) return false
      rest.push(...parts)
    }
  }
  return true
}
