import type { ContractDocument, Operation } from '../../src/contract/document.ts'
import { translateBody, translateReply } from './bodies.ts'
import { verifyCacheDrops } from './caches.ts'
import { verifyFailures } from './failures.ts'
import { readExtensions } from './operation-extensions.ts'
import { translateParameters } from './parameters.ts'
import { verifyBuckets } from './rate-limits.ts'
import { type Schemas, schemasOf } from './schemas.ts'
import { isSecured, verifySecuritySchemes } from './security.ts'
import { entriesOf, isObject, type JsonObject, listOf, type Source } from './source.ts'

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
  'x-cache-drop',
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
  verifyBuckets(source, operations)
  verifyCacheDrops(source, operations)
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
  const parameters = translateParameters(source, schemas, path, method, operation)
  const secured = isSecured(source, operation, at)
  const asks = Object.keys(parameters).length > 0
  verifyFailures(source, schemas, operation, { method, secured, limited: 'x-rate-limit' in operation }, at)
  return {
    id: String(id),
    tag: String(tag),
    group: camelCase(String(tag)),
    summary: String(operation.summary),
    method: method.toUpperCase() as Operation['method'],
    path,
    url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
    secured,
    schema: {
      ...(body && { body }),
      ...parameters,
      response: response.schema,
    },
    ...(response.media && { media: response.media }),
    ...readExtensions(source, operation, at, { method, secured, asks, reply: response, schemas }),
  }
}

const camelCase = (text: string): string =>
  text
    .split(/[^A-Za-z0-9]+/)
    .map((word, index) => (index === 0 ? word.charAt(0).toLowerCase() : word.charAt(0).toUpperCase()) + word.slice(1))
    .join('')
