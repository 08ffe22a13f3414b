/** What the published documents say of a request, found without code of the service. */
import { readdirSync, readFileSync } from 'node:fs'
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { parse } from 'yaml'
import type { Input } from './inputs.ts'

/**
 * The fields for which a request has to be refused: `username`, `userIds.3`, `body` for the whole of it. None: the
 * request is valid.
 * @param payload the body as it is sent
 */
export type Verdict = (input: Input, payload: string | undefined) => string[]

type Json = Readonly<Record<string, unknown>>

const openapi = new URL('../../openapi/', import.meta.url)

/** Reads `openapi/*.yaml` into a verdict per operation. */
export const verdicts = (): Map<string, Verdict> =>
  new Map(
    readdirSync(openapi)
      .filter((file) => file.endsWith('.yaml'))
      .flatMap((file) => documentVerdicts(parse(readFileSync(new URL(file, openapi), 'utf8')) as Json)),
  )

const documentVerdicts = (document: Json): [string, Verdict][] => {
  const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true, validateFormats: true }))
  const compile = (schema: Json) => ajv.compile({ ...schema, components: document.components })
  const follow = (value: Json): Json => {
    if (typeof value.$ref !== 'string') return value
    const steps = value.$ref.split('/').slice(1)
    return follow(steps.reduce((at, step) => at[step] as Json, document))
  }

  const parameterVerdict = (parameter: Json): Verdict => {
    const name = String(parameter.name)
    const validate = compile(parameter.schema as Json)
    const { type } = follow(parameter.schema as Json)
    const isWrong = (texts: readonly string[]): boolean => {
      if (type !== 'array' && texts.length > 1) return true
      const filled = texts.filter((text) => text !== '')
      if (filled.length === 0) return parameter.required === true
      const { type: itemType } = type === 'array' ? follow(follow(parameter.schema as Json).items as Json) : { type }
      const values = filled.map((text) => (unstorable.test(text) ? undefined : textValue(itemType, text)))
      return values.includes(undefined) || !validate(type === 'array' ? values : values[0])
    }
    return ({ params, query }) => {
      const texts = parameter.in === 'path' ? [params[name] ?? ''] : (query[name] ?? [])
      return isWrong(texts) ? [name] : []
    }
  }

  return Object.values(document.paths as Record<string, Record<string, Json>>)
    .flatMap((item) => Object.values(item))
    .filter((operation) => typeof operation.operationId === 'string')
    .map(({ operationId, parameters = [], requestBody }) => {
      // Only one header is declared, the caller's token; a schema does not check it.
      const inUrl = (parameters as Json[]).map(follow).filter((parameter) => parameter.in !== 'header')
      const read = inUrl.map(parameterVerdict)
      if (requestBody !== undefined) read.push(bodyVerdict(compile(bodySchema(follow(requestBody as Json)))))
      return [String(operationId), (input, payload) => read.flatMap((verdict) => verdict(input, payload))]
    })
}

const bodySchema = ({ content }: Json): Json => ((content as Json)['application/json'] as Json).schema as Json

/** The value that a text of a URL stands for; undefined: none. */
const textValue = (type: unknown, text: string): unknown => {
  if (type === 'integer') return /^-?(0|[1-9]\d*)$/.test(text) ? Number(text) : undefined
  if (type === 'number') return /^-?(0|[1-9]\d*)(\.\d+)?$/.test(text) ? Number(text) : undefined
  if (type === 'boolean') return { true: true, false: false }[text]
  return text
}

const bodyVerdict =
  (validate: ValidateFunction): Verdict =>
  (_, payload) => {
    const body: unknown = payload === undefined ? {} : JSON.parse(payload)
    const shape = validate(body) ? [] : (validate.errors ?? []).map(fieldOf)
    return [...shape, ...unacceptable(body, [])]
  }

const fieldOf = ({ instancePath, keyword, params }: ErrorObject): string =>
  [...instancePath.split('/').slice(1), ...(keyword === 'required' ? [params.missingProperty] : [])].join('.') || 'body'

const unstorable = /[\0\p{Surrogate}]/u

/** Values that JSON can write and JavaScript cannot hold, at any depth; and names that would set a prototype. */
const unacceptable = (value: unknown, path: readonly string[]): string[] => {
  const here = path.join('.') || 'body'
  if (typeof value === 'string') return unstorable.test(value) ? [here] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, child]) => [
    ...(unstorable.test(name) ? [here] : []),
    ...(name === '__proto__' ? ['__proto__'] : []),
    ...(name === 'constructor' && typeof child === 'object' && child && Object.hasOwn(child, 'prototype')
      ? ['constructor.prototype']
      : []),
    ...unacceptable(child, [...path, name]),
  ])
}
