import type { ContractDocument, Operation } from '../../src/contract/document.ts'
import { type Schemas, schemasOf } from './schemas.ts'
import {
  entriesOf,
  isObject,
  type Json,
  type JsonObject,
  listOf,
  type Path,
  resolveReference,
  type Source,
} from './source.ts'

/** A document as generated: what the runtime gets, and the shared schemas as constants. */
export interface Translated {
  document: ContractDocument
  constants: ReturnType<Schemas['constants']>
}

const supportedMethods = new Set(['get', 'post', 'put', 'patch', 'delete'])

/** Keys of a path item that are no operations. */
const pathItemKeys = new Set(['parameters', 'summary', 'description'])

const operationKeys = new Set([
  'operationId',
  'tags',
  'summary',
  'description',
  'security',
  'parameters',
  'requestBody',
  'responses',
  'x-stream',
  'x-rate-limit',
  'x-cache',
])

/** Reads a whole document. What the runtime could not honour is refused through `source.refuse`. */
export const translateDocument = (source: Source): Translated => {
  const { root, refuse } = source
  const schemas = schemasOf(source)
  if (typeof root.openapi !== 'string' || !root.openapi.startsWith('3.1.')) refuse(['openapi'], 'expected 3.1')
  const envelope = root['x-envelope']
  if (envelope !== 'msg' && envelope !== 'message') refuse(['x-envelope'], 'expected msg or message')
  if (root.webhooks !== undefined) refuse(['webhooks'], 'not supported')
  verifySecuritySchemes(source)
  const operations: Operation[] = []
  for (const [path, item] of entriesOf(root.paths)) {
    const at = ['paths', path]
    if (!/^(\/([\w.~-]+|\{\w+\}))+$/.test(path)) refuse(at, 'expected segments, each a plain word or one {parameter}')
    for (const [method, operation] of entriesOf(item)) {
      if (pathItemKeys.has(method)) continue
      if (!supportedMethods.has(method)) refuse([...at, method], `${method} is not supported here`)
      else if (!isObject(operation)) refuse([...at, method], 'expected an operation')
      else operations.push(translateOperation(source, schemas, path, method, operation))
    }
  }
  const info = isObject(root.info) ? root.info : {}
  return {
    document: {
      name: source.name,
      title: String(info.title),
      prefix: prefixOf(source),
      envelope: envelope === 'message' ? 'message' : 'msg',
      shared: schemas.shared(),
      operations,
    },
    constants: schemas.constants(),
  }
}

/** The path of the one server, without its variables and host: `{baseUrl}/api` is `/api`. */
const prefixOf = ({ root, refuse }: Source): string => {
  const [server, ...others] = listOf(root.servers)
  const url = isObject(server) ? String(server.url) : ''
  const path = url.replace(/^\{\w+\}/, '').replace(/^https?:\/\/[^/]+/, '')
  if (others.length > 0 || !/^(\/[\w.~-]+)+$/.test(path)) {
    refuse(['servers'], 'expected one server whose URL has a path, such as {baseUrl}/api')
  }
  return path
}

/** A bearer token in `Authorization` is the only way to sign in. */
const isBearer = (scheme: Json | undefined): boolean =>
  isObject(scheme) &&
  ((scheme.type === 'http' && scheme.scheme === 'bearer') ||
    (scheme.type === 'apiKey' && scheme.in === 'header' && scheme.name === 'Authorization'))

const verifySecuritySchemes = ({ root, refuse }: Source): void => {
  const schemes = isObject(root.components) ? root.components.securitySchemes : undefined
  for (const [name, scheme] of entriesOf(schemes)) {
    if (!isBearer(scheme)) refuse(['components', 'securitySchemes', name], 'only a bearer token is supported')
  }
}

const isSecured = ({ root, refuse }: Source, operation: JsonObject, path: Path): boolean => {
  const [security, at] =
    operation.security === undefined ? [root.security, ['security']] : [operation.security, [...path, 'security']]
  if (!Array.isArray(security)) {
    refuse(path, 'says neither here nor for all operations whether a token is needed')
    return true
  }
  const schemes = isObject(root.components) ? root.components.securitySchemes : undefined
  const [requirement, ...others] = security
  if (requirement === undefined) return false
  const [use, ...more] = entriesOf(requirement)
  const known = use !== undefined && isObject(schemes) && isBearer(schemes[use[0]]) && listOf(use[1]).length === 0
  if (!known || others.length > 0 || more.length > 0) refuse(at, 'expected [] or the one bearer scheme, without scopes')
  return true
}

const translateOperation = (
  source: Source,
  schemas: Schemas,
  path: string,
  method: string,
  operation: JsonObject,
): Operation => {
  const { root, refuse } = source
  const at = ['paths', path, method]
  const id = operation.operationId
  if (typeof id !== 'string' || !/^[a-z]\w*$/i.test(id)) refuse(at, 'needs an operationId that is an identifier')
  for (const key of Object.keys(operation)) {
    if (!operationKeys.has(key) && !key.startsWith('x-')) refuse([...at, key], `${key} is not supported here`)
  }
  if (typeof operation.summary !== 'string') refuse(at, 'needs a summary')
  const [tag, ...otherTags] = listOf(operation.tags)
  if (typeof tag !== 'string' || otherTags.length > 0) refuse([...at, 'tags'], 'expected exactly one tag')
  else if (!listOf(root.tags).some((declared) => isObject(declared) && declared.name === tag)) {
    refuse([...at, 'tags'], `the tag ${tag} is not declared`)
  }
  const response = translateReply(source, schemas, operation, at)
  const body = translateBody(source, schemas, operation, method, at)
  return {
    id: String(id),
    tag: String(tag),
    group: camelCase(String(tag)),
    summary: String(operation.summary),
    method: method.toUpperCase() as Operation['method'],
    path,
    url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
    secured: isSecured(source, operation, at),
    schema: {
      ...(body && { body }),
      ...translateParameters(source, schemas, path, method, operation),
      response: response.schema,
    },
    ...readExtensions(source, operation, at, response),
  }
}

const camelCase = (text: string): string =>
  text
    .split(/[^A-Za-z0-9]+/)
    .map((word, index) => (index === 0 ? word.charAt(0).toLowerCase() : word.charAt(0).toUpperCase()) + word.slice(1))
    .join('')

const scalars = new Set(['string', 'integer', 'number', 'boolean'])

const translateParameters = (
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

/** The schema of a JSON-only content, and where it stands. */
const jsonSchema = (source: Source, content: Json | undefined, path: Path): [Json | undefined, Path] => {
  const types = entriesOf(content)
  const [type, media] = types[0] ?? []
  if (types.length !== 1 || type !== 'application/json' || !isObject(media)) {
    source.refuse([...path, 'content'], 'expected application/json and nothing else')
  }
  return [isObject(media) ? media.schema : undefined, [...path, 'content', String(type), 'schema']]
}

const translateBody = (source: Source, schemas: Schemas, operation: JsonObject, method: string, path: Path) => {
  if (operation.requestBody === undefined) return null
  const at = [...path, 'requestBody']
  if (method === 'get') source.refuse(at, 'a GET has no body')
  const body = resolveReference(source, operation.requestBody, at, 'requestBodies')
  if (body === null) return null
  const [schema, where] = jsonSchema(source, body.value.content, body.path)
  if (schemas.flatten(schema, where)?.value.type !== 'object') source.refuse(where, 'a body must be an object')
  if (schemas.reachesRecursive(schema)) source.refuse(where, 'a body must not be recursive')
  return schemas.translate(schema, where)
}

interface Reply {
  schema: Record<string, unknown>
  /** The schema of `data` with its references followed; null where the envelope has none. */
  data: JsonObject | null
}

/** The success envelope of the 200 answer: itself, or what stands beside the failure in a oneOf. */
const translateReply = (source: Source, schemas: Schemas, operation: JsonObject, path: Path): Reply => {
  const { refuse } = source
  const none: Reply = { schema: {}, data: null }
  const at = [...path, 'responses']
  const responses = isObject(operation.responses) ? operation.responses : {}
  if (responses['200'] === undefined) {
    refuse(at, 'needs a 200 response')
    return none
  }
  const { root } = source
  const style = root['x-envelope'] === 'message' ? 'message' : 'msg'
  for (const status of Object.keys(responses)) {
    if (status !== '200' && (style === 'msg' || status.startsWith('2'))) {
      refuse([...at, status], style === 'msg' ? 'this envelope always travels with 200' : 'success is always 200')
    }
  }
  const response = resolveReference(source, responses['200'], [...at, '200'], 'responses')
  if (response === null) return none
  const [written, where] = jsonSchema(source, response.value.content, response.path)
  const branches =
    isObject(written) && Array.isArray(written.oneOf)
      ? written.oneOf.map((branch, index): [Json, Path] => [branch, [...where, 'oneOf', index]])
      : [[written, where] as const]
  if (style === 'msg' ? branches.length !== 2 : branches.length > 2) {
    refuse(where, 'expected oneOf: the success and the failure')
  }
  const code = style === 'msg' ? 0 : 200
  const successes = branches.filter(([branch, place]) => {
    const flat = schemas.flatten(branch, place)
    const properties = isObject(flat?.value.properties) ? flat.value.properties : {}
    const codes = properties.code && schemas.flatten(properties.code, place)?.value.enum
    return Array.isArray(codes) && codes.length === 1 && codes[0] === code
  })
  const [success] = successes
  if (success === undefined || successes.length > 1) {
    refuse(where, `expected one success, an object whose code is enum: [${code}]`)
    return none
  }
  const flat = schemas.flatten(...success)
  const properties = isObject(flat?.value.properties) ? flat.value.properties : {}
  const required = listOf(flat?.value.required)
  for (const name of Object.keys(properties)) {
    if (!['code', 'data', style].includes(name)) refuse([...success[1], 'properties', name], 'not part of the envelope')
    else if (!required.includes(name)) refuse([...success[1], 'required'], `${name} is always there, so it is required`)
  }
  if (!(style in properties)) refuse(success[1], `the envelope needs ${style}`)
  const data = properties.data === undefined ? null : schemas.flatten(properties.data, [...success[1], 'data'])
  return { schema: schemas.translate(...success), data: data?.value ?? null }
}

const readExtensions = ({ refuse }: Source, operation: JsonObject, path: Path, { data }: Reply) => {
  const found: Pick<Operation, 'rateLimit' | 'cache' | 'stream'> = {}
  const isCount = (value: Json | undefined): value is number => Number.isSafeInteger(value) && Number(value) > 0
  const hasOnly = (value: Json | undefined, keys: string[]): value is JsonObject =>
    isObject(value) && Object.keys(value).sort().join() === keys.sort().join()
  const { 'x-rate-limit': limit, 'x-cache': cache, 'x-stream': stream } = operation
  if (limit !== undefined) {
    if (
      hasOnly(limit, ['max', 'window', 'by']) &&
      isCount(limit.max) &&
      isCount(limit.window) &&
      (limit.by === 'address' || limit.by === 'user')
    ) {
      found.rateLimit = { max: limit.max, window: limit.window, by: limit.by }
      if (limit.by === 'user' && Array.isArray(operation.security) && operation.security.length === 0) {
        refuse([...path, 'x-rate-limit', 'by'], 'there is no user without security')
      }
    } else refuse([...path, 'x-rate-limit'], 'expected { max, window: seconds, by: address or user }')
  }
  if (cache !== undefined) {
    if (hasOnly(cache, ['maxAge']) && isCount(cache.maxAge)) found.cache = { maxAge: cache.maxAge }
    else refuse([...path, 'x-cache'], 'expected { maxAge: seconds }')
  }
  if (stream !== undefined) {
    const properties = data !== null && isObject(data.properties) ? data.properties : {}
    const list = properties[String(stream)]
    const isList = isObject(list) && list.type === 'array'
    if (isList && Object.keys(properties).sort().join() === [String(stream), 'total'].sort().join()) {
      found.stream = String(stream)
    } else refuse([...path, 'x-stream'], 'expected the name of the list in data, beside it only total')
  }
  return found
}
