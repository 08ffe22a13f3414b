import { readdirSync, readFileSync } from 'node:fs'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { parse } from 'yaml'

type Json = Record<string, unknown>

/** An operation as its document publishes it. */
export interface PublishedOperation {
  id: string
  method: string
  /** With the document's prefix: `/api/v1/diet/meals/{id}`. */
  path: string
  /** Validates the reply's body of an HTTP status; undefined where the document has no such status. */
  reply: (status: number) => ValidateFunction | undefined
  /** The content types of a success. */
  media: readonly string[]
  /** The headers that an HTTP status declares, in lower case, and whether each is always there. */
  headers: (status: number) => ReadonlyMap<string, boolean>
}

const published = new URL('../../openapi/published/', import.meta.url)

/** As JSON, which is read in a hundredth of the time; a check holds it equal to the YAML. */
const shippedContracts = (): Json[] =>
  readdirSync(published).map((file) => JSON.parse(readFileSync(new URL(file, published), 'utf8')) as Json)

/** Reads contracts (YAML texts; by default those that are shipped) into their operations by id. */
export const publishedOperations = (texts?: readonly string[]): Map<string, PublishedOperation> => {
  const operations = new Map<string, PublishedOperation>()
  const documents = texts === undefined ? shippedContracts() : texts.map((text) => parse(text) as Json)
  for (const document of documents) {
    const prefix = String((document.servers as Json[])[0]?.url).replace(/^\{\w+\}/, '')
    const replyOf = replyValidators(document)
    for (const [path, item] of Object.entries(document.paths as Json)) {
      for (const [method, operation] of Object.entries(item as Json)) {
        const { operationId, responses } = operation as { operationId?: string; responses?: Json }
        if (operationId === undefined || responses === undefined) continue
        operations.set(operationId, {
          id: operationId,
          method: method.toUpperCase(),
          path: `${prefix}${path}`,
          reply: replyOf(responses),
          media: Object.keys(resolve(document, responses['200'] as Json).content as Json),
          headers: (status) => declaredHeaders(document, responses, status),
        })
      }
    }
  }
  return operations
}

/** Compiles reply schemas against the document as published, with every object closed: undeclared fields are errors. */
const replyValidators = (document: Json) => {
  const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true, validateFormats: true }))
  const schemas = (document.components as Json | undefined)?.schemas as Json | undefined
  const $defs: Json = {}
  for (const [name, schema] of Object.entries(schemas ?? {})) {
    $defs[name] = close(schema)
    $defs[`${name}.part`] = close(schema, true)
  }
  ajv.addSchema({ $id: 'contract', $defs })
  return (responses: Json) => {
    const compiled = new Map<string, ValidateFunction>()
    return (status: number): ValidateFunction | undefined => {
      const key = keyOf(responses, status)
      if (key === undefined) return undefined
      const response = resolve(document, responses[key] as Json)
      const schema = ((response.content as Json)['application/json'] as Json).schema
      const validate = compiled.get(key) ?? ajv.compile(close(schema) as Json)
      compiled.set(key, validate)
      return validate
    }
  }
}

const keyOf = (responses: Json, status: number): string | undefined =>
  [`${status}`, `${Math.floor(status / 100)}XX`, 'default'].find((name) => name in responses)

const declaredHeaders = (document: Json, responses: Json, status: number): ReadonlyMap<string, boolean> => {
  const response = responses[keyOf(responses, status) ?? ''] as Json | undefined
  const headers = (response === undefined ? undefined : resolve(document, response).headers) as Json | undefined
  return new Map(
    Object.entries(headers ?? {}).map(([name, header]) => [
      name.toLowerCase(),
      resolve(document, header as Json).required === true,
    ]),
  )
}

const resolve = (document: Json, value: Json): Json => {
  if (typeof value.$ref !== 'string') return value
  const steps = value.$ref.split('/').slice(1)
  return resolve(
    document,
    steps.reduce((at, step) => at[step] as Json, document),
  )
}

/** A part of an `allOf` stays open, the whole that it is part of is closed. */
const close = (schema: unknown, part = false): unknown => {
  if (Array.isArray(schema)) return schema.map((item) => close(item, part))
  if (typeof schema !== 'object' || schema === null) return schema
  const { $ref, properties, items, additionalProperties, allOf, oneOf, anyOf, ...rest } = schema as Json
  if (typeof $ref === 'string') {
    return { $ref: `contract#/$defs/${$ref.slice('#/components/schemas/'.length)}${part ? '.part' : ''}` }
  }
  const closes = !part && additionalProperties === undefined && (properties !== undefined || allOf !== undefined)
  return {
    ...rest,
    ...(properties !== undefined && { properties: mapValues(properties as Json, (property) => close(property)) }),
    ...(items !== undefined && { items: close(items) }),
    ...(additionalProperties !== undefined && { additionalProperties: close(additionalProperties) }),
    ...(allOf !== undefined && { allOf: close(allOf, true) }),
    ...(oneOf !== undefined && { oneOf: close(oneOf, part) }),
    ...(anyOf !== undefined && { anyOf: close(anyOf, part) }),
    ...(closes && { unevaluatedProperties: false }),
  }
}

const mapValues = (object: Json, change: (value: unknown) => unknown): Json =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]))
