import type { Schemas } from './schemas.ts'
import { isObject, type Json, type JsonObject, listOf, type Path, resolveReference, type Source } from './source.ts'

const scalars = new Set(['string', 'integer', 'number', 'boolean'])

/** The object schemas of an operation's query and path, those of its path item included. */
export const translateParameters = (
  source: Source,
  schemas: Schemas,
  path: string,
  method: string,
  operation: JsonObject,
): { querystring?: JsonObject; params?: JsonObject } => {
  const { root, refuse } = source
  const item = isObject(root.paths) ? root.paths[path] : undefined
  const places: [Json, Path][] = [
    ...listOf(isObject(item) ? item.parameters : []).map((p, i): [Json, Path] => [p, ['paths', path, 'parameters', i]]),
    ...listOf(operation.parameters).map((p, i): [Json, Path] => [p, ['paths', path, method, 'parameters', i]]),
  ]
  const properties: Record<'query' | 'path', Record<string, unknown>> = { query: {}, path: {} }
  const required: Record<'query' | 'path', string[]> = { query: [], path: [] }
  for (const [written, place] of places) {
    const parameter = resolveReference(source, written, place, 'parameters')
    if (parameter === null) continue
    const { value, path: at } = parameter
    const where = value.in
    const name = String(value.name)
    // Handlers get it as `request.token`; OpenAPI itself says that such a parameter documents only.
    if (where === 'header' && name.toLowerCase() === 'authorization') continue
    if (where !== 'query' && where !== 'path') {
      refuse([...at, 'in'], `${String(where)} parameters are not supported`)
      continue
    }
    for (const key of ['style', 'explode', 'content', 'allowReserved', 'allowEmptyValue']) {
      if (value[key] !== undefined) refuse([...at, key], `${key} is not supported`)
    }
    if (name in properties[where]) refuse(at, `the parameter ${name} is declared twice`)
    if (where === 'path' && (!path.includes(`{${name}}`) || value.required !== true)) {
      refuse(at, `a path parameter must be required and part of the path`)
    }
    const type = schemas.flatten(value.schema, [...at, 'schema'])?.value ?? {}
    const single =
      type.type === 'array' && where === 'query' ? schemas.flatten(type.items, [...at, 'items'])?.value : type
    if (!scalars.has(String(single?.type))) {
      refuse([...at, 'schema'], 'expected a string, integer, number, boolean, or in a query an array of these')
    }
    if (value.required === true) {
      if (type.default !== undefined) refuse(at, 'a required parameter has no use for a default')
      required[where].push(name)
    }
    properties[where][name] = schemas.translate(value.schema, [...at, 'schema'], { defaults: true })
  }
  for (const [, name] of path.matchAll(/\{(\w+)\}/g)) {
    if (!(String(name) in properties.path))
      refuse(['paths', path, method], `the path parameter ${name} is not declared`)
  }
  const objectOf = (where: 'query' | 'path') => ({
    type: 'object',
    properties: properties[where] as JsonObject,
    ...(required[where].length > 0 ? { required: required[where] } : {}),
    additionalProperties: false,
  })
  return {
    ...(Object.keys(properties.query).length > 0 ? { querystring: objectOf('query') } : {}),
    ...(Object.keys(properties.path).length > 0 ? { params: objectOf('path') } : {}),
  }
}
