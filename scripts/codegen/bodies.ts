import type { Operation } from '../../src/contract/document.ts'
import type { Schemas } from './schemas.ts'
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

/** The schema of a JSON-only content, and where it stands. */
export const jsonSchema = (source: Source, content: Json | undefined, path: Path): [Json | undefined, Path] => {
  const types = entriesOf(content)
  const [type, media] = types[0] ?? []
  if (types.length !== 1 || type !== 'application/json' || !isObject(media)) {
    source.refuse([...path, 'content'], 'expected application/json and nothing else')
  }
  return [isObject(media) ? media.schema : undefined, [...path, 'content', String(type), 'schema']]
}

/** The schema of the request's body; null without one. */
export const translateBody = (source: Source, schemas: Schemas, operation: JsonObject, method: string, path: Path) => {
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

export interface Reply {
  schema: Record<string, unknown>
  /** The schema of `data` with its references followed; null where the envelope has none. */
  data: JsonObject | null
  /** Set where a success is no envelope but a document of one of these types. */
  media?: Media
}

type Media = NonNullable<Operation['media']>

const mediaTypes: readonly string[] = [
  'text/html',
  'application/octet-stream',
  'text/csv',
  'application/x-ndjson',
  'text/event-stream',
] satisfies Media[number][]

const areMedia = (types: readonly string[]): types is Media =>
  types.length > 0 && types.every((type) => mediaTypes.includes(type))

/**
 * The success envelope of the 200 answer: itself, or what stands beside the failures in a oneOf. Where the status is the
 * outcome, a success may also be a page, a file or a stream of events.
 */
export const translateReply = (source: Source, schemas: Schemas, operation: JsonObject, path: Path): Reply => {
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
    if (status !== '200' && style === 'msg') refuse([...at, status], 'this envelope always travels with 200')
  }
  const response = resolveReference(source, responses['200'], [...at, '200'], 'responses')
  if (response === null) return none
  const types = entriesOf(response.value.content).map(([name]) => name)
  if (style === 'message' && areMedia(types)) return { ...none, media: types }
  const [written, where] = jsonSchema(source, response.value.content, response.path)
  const body = schemas.flatten(written, where)
  const branches =
    body !== null && Array.isArray(body.value.oneOf)
      ? body.value.oneOf.map((branch, index): [Json, Path] => [branch, [...body.path, 'oneOf', index]])
      : [[written, where] as const]
  if (style === 'msg' ? branches.length < 2 : branches.length > 2) {
    refuse(where, 'expected oneOf: the success and the failures')
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
