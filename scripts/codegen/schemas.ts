import { isDeepStrictEqual } from 'node:util'
import { Constant } from './print.ts'
import { entriesOf, isObject, type Json, type JsonObject, listOf, type Path, type Source } from './source.ts'

/** A schema as the generated file holds it: JSON with constants where a shared schema stood. */
export interface Schema {
  [keyword: string]: unknown
}

/** Annotations for readers; ajv's strict mode would refuse them. */
const annotations = new Set(['title', 'description', 'example', 'examples', 'deprecated', 'externalDocs', '$comment'])

/** What ajv checks and fast-json-stringify can write. */
const assertions = new Set([
  'type',
  'enum',
  'const',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minLength',
  'maxLength',
  'pattern',
  'format',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minProperties',
  'maxProperties',
])

const types = new Set(['string', 'integer', 'number', 'boolean', 'object', 'array', 'null'])

/** Formats that ajv-formats knows; an unknown one would not be checked. */
const formats = new Set([
  'date',
  'date-time',
  'time',
  'duration',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'uri',
  'uri-reference',
  'uuid',
  'regex',
  'int32',
  'int64',
  'float',
  'double',
  'password',
  'binary',
])

/** The constant that holds a shared schema: `userListSchema` for `UserList`. */
const constantName = (component: string): string =>
  `${component.charAt(0).toLowerCase()}${component.slice(1).replaceAll(/\W/g, '_')}Schema`

const referencePrefix = '#/components/schemas/'

/** Translates schemas of one document and collects the shared ones they use. */
export interface Schemas {
  /** `default` fills in absent parameters; bodies are not filled in, so there it is refused. */
  translate: (schema: Json | undefined, path: Path, options?: { defaults?: boolean }) => Schema
  /** Replaces a schema that is one `$ref` or an `allOf` by the object schema it stands for. */
  flatten: (schema: Json | undefined, path: Path) => Resolved | null
  /** Whether a recursive schema can be reached from here. */
  reachesRecursive: (schema: Json | undefined) => boolean
  /** Shared schemas in the order they may be declared in. */
  constants: () => [name: string, schema: Schema][]
  /** Recursive schemas: they refer to each other by `$id`. */
  shared: () => Schema[]
}

interface Resolved {
  value: JsonObject
  path: Path
}

export const schemasOf = (source: Source): Schemas => {
  const { refuse } = source
  const components: Json = isObject(source.root.components) ? (source.root.components.schemas ?? {}) : {}
  const constants = new Map<string, Schema>()
  const shared = new Map<string, Schema>()

  const target = (reference: string): string | null => {
    const name = reference.startsWith(referencePrefix) ? reference.slice(referencePrefix.length) : ''
    return isObject(components) && isObject(components[name]) ? name : null
  }

  /** Names of all shared schemas that can be reached from a schema. */
  const reach = (schema: Json | undefined, found = new Set<string>()): Set<string> => {
    if (Array.isArray(schema)) for (const item of schema) reach(item, found)
    for (const [key, value] of entriesOf(schema)) {
      const name = key === '$ref' && typeof value === 'string' ? target(value) : null
      if (name === null) reach(value, found)
      else if (!found.has(name)) {
        found.add(name)
        reach((components as JsonObject)[name], found)
      }
    }
    return found
  }
  const recursive = new Map<string, boolean>()
  const isRecursive = (name: string): boolean => {
    const known = recursive.get(name) ?? reach((components as JsonObject)[name]).has(name)
    recursive.set(name, known)
    return known
  }

  const refer = (reference: string, path: Path): Schema => {
    const name = target(reference)
    if (name === null) {
      refuse(path, `$ref ${reference} is not one of ${referencePrefix}…`)
      return {}
    }
    const from = ['components', 'schemas', name]
    if (isRecursive(name)) {
      const $id = `${source.name}.${name}`
      if (!shared.has(name)) {
        const schema: Schema = { $id }
        shared.set(name, schema)
        Object.assign(schema, translate((components as JsonObject)[name], from))
      }
      return { $ref: `${$id}#` }
    }
    if (!constants.has(name)) {
      const schema = translate((components as JsonObject)[name], from)
      constants.set(name, schema)
    }
    // Only the printer looks into a schema again, and it writes the name.
    return new Constant(constantName(name)) as unknown as Schema
  }

  const flatten = (schema: Json | undefined, path: Path): Resolved | null => {
    if (!isObject(schema)) {
      refuse(path, 'expected a schema')
      return null
    }
    if (typeof schema.$ref === 'string') {
      const name = target(schema.$ref)
      if (name === null) refuse(path, `$ref ${schema.$ref} is not one of ${referencePrefix}…`)
      return name === null ? null : flatten((components as JsonObject)[name], ['components', 'schemas', name])
    }
    return { value: schema.allOf === undefined ? schema : mergeAllOf(schema, path), path }
  }

  /** ajv would drop the fields that the other part declares, so parts become one object schema. */
  const mergeAllOf = (schema: JsonObject, path: Path): JsonObject => {
    const { allOf, ...own } = schema
    const properties: JsonObject = {}
    const required = new Set<Json>()
    const merged: JsonObject = { type: 'object' }
    const parts = listOf(allOf).map((part, index): Resolved | null => flatten(part, [...path, 'allOf', index]))
    for (const part of [...parts, { value: own, path }]) {
      for (const [keyword, value] of entriesOf(part?.value)) {
        const at = [...(part?.path ?? path), keyword]
        if (keyword === 'properties') {
          for (const [name, property] of entriesOf(value)) {
            if (name in properties) refuse([...at, name], 'declared twice by the parts of an allOf')
            properties[name] = property
          }
        } else if (keyword === 'required') for (const name of listOf(value)) required.add(name)
        else if (keyword === 'type' ? value !== 'object' : !annotations.has(keyword)) {
          refuse(at, 'the parts of an allOf may have type: object, properties and required only')
        }
      }
    }
    return { ...merged, properties, ...(required.size > 0 ? { required: [...required] } : {}) }
  }

  /**
   * One object schema for what any of the alternatives may hold. ajv removes undeclared fields while it looks for the
   * alternative that fits, and then has removed too much; so which of them it is, the handler has to say.
   */
  const mergeOneOf = ({ oneOf, ...own }: JsonObject, path: Path): JsonObject => {
    const at = [...path, 'oneOf']
    for (const key of Object.keys(own)) if (!annotations.has(key)) refuse([...path, key], 'has no effect beside oneOf')
    if ([...reach(oneOf)].some(isRecursive)) {
      refuse(at, 'must not be recursive')
      return {}
    }
    const branches = listOf(oneOf).flatMap((branch, index) => flatten(branch, [...at, index]) ?? [])
    const properties: JsonObject = {}
    for (const { value, path: where } of branches) {
      if (value.type !== 'object') refuse(where, 'the alternatives of a oneOf must be objects')
      for (const [name, property] of entriesOf(value.properties)) {
        if (name in properties && !isDeepStrictEqual(properties[name], property)) {
          refuse([...where, 'properties', name], 'is something else in another alternative')
        }
        properties[name] = property
      }
    }
    const [first, ...others] = branches.map(({ value }) => listOf(value.required))
    const required = (first ?? []).filter((name) => others.every((names) => names.includes(name)))
    return { type: 'object', properties, ...(required.length > 0 && { required }) }
  }

  const translate: Schemas['translate'] = (schema, path, { defaults = false } = {}) => {
    if (!isObject(schema)) {
      refuse(path, 'expected a schema')
      return {}
    }
    if (schema.$ref !== undefined) {
      for (const key of Object.keys(schema)) {
        if (key !== '$ref' && !annotations.has(key)) refuse([...path, key], 'has no effect beside $ref')
      }
      return refer(String(schema.$ref), path)
    }
    if (schema.allOf !== undefined) return translate(mergeAllOf(schema, path), path)
    if (schema.oneOf !== undefined) return translate(mergeOneOf(schema, path), path)
    const result: Schema = {}
    for (const [keyword, value] of Object.entries(schema)) {
      const at = [...path, keyword]
      if (annotations.has(keyword) || keyword.startsWith('x-')) continue
      if (keyword === 'default') {
        if (defaults) result.default = value
        else refuse(at, 'a default takes effect in parameters only')
      } else if (keyword === 'nullable') refuse(at, "OpenAPI 3.1 says type: [string, 'null']")
      else if (!assertions.has(keyword)) refuse(at, `${keyword} is not supported in a schema`)
      else if (keyword === 'properties') {
        result.properties = Object.fromEntries(
          entriesOf(value).map(([name, property]) => [name, translate(property, [...at, name])]),
        )
      } else if (keyword === 'items') result.items = translate(value, at)
      else if (keyword === 'additionalProperties' && typeof value !== 'boolean') {
        result.additionalProperties = translate(value, at)
      } else result[keyword] = value
    }
    verifyType(schema, path)
    if (typeof schema.format === 'string' && !formats.has(schema.format)) {
      refuse([...path, 'format'], `the format ${schema.format} is not checked`)
    }
    const kinds = [schema.type].flat()
    // JSON numbers beyond 2^53 − 1 arrive as a different number.
    if (kinds.includes('integer') && schema.enum === undefined) {
      result.minimum ??= Number.MIN_SAFE_INTEGER
      result.maximum ??= Number.MAX_SAFE_INTEGER
    }
    // Undeclared fields are dropped from requests and never sent in replies.
    if (kinds.includes('object')) result.additionalProperties ??= false
    return result
  }

  const verifyType = ({ type, items, properties, required, ...rest }: JsonObject, path: Path): void => {
    const kinds = type === undefined ? [] : [type].flat()
    for (const kind of kinds) {
      if (typeof kind !== 'string' || !types.has(kind)) refuse([...path, 'type'], `${JSON.stringify(kind)} is no type`)
    }
    if (kinds.filter((kind) => kind !== 'null').length > 1) {
      refuse([...path, 'type'], "only one type, or one and 'null'")
    }
    const constrained = [items, properties, required, ...Object.keys(rest).filter((key) => assertions.has(key))]
    if (kinds.length === 0 && constrained.some((part) => part !== undefined)) refuse(path, 'needs a type')
    if (kinds.includes('array') && items === undefined) refuse(path, 'an array needs items')
    for (const name of listOf(required)) {
      if (!isObject(properties) || !(String(name) in properties)) {
        refuse([...path, 'required'], `${String(name)} is required but not declared`)
      }
    }
  }

  return {
    translate,
    flatten,
    reachesRecursive: (schema) => [...reach(schema)].some(isRecursive),
    constants: () => [...constants].map(([name, schema]) => [constantName(name), schema]),
    shared: () => [...shared.values()],
  }
}
