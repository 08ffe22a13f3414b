import type { Operation } from '../../src/contract/document.ts'
import type { Reply } from './bodies.ts'
import { readCache, readCacheDrop } from './caches.ts'
import { readRateLimit } from './rate-limits.ts'
import type { Schemas } from './schemas.ts'
import { isObject, type Json, type JsonObject, type Path, type Source } from './source.ts'

/** What decides where an extension means something. */
export interface Extended {
  method: string
  secured: boolean
  /** Whether it takes parameters. */
  asks: boolean
  reply: Reply
  schemas: Pick<Schemas, 'flatten'>
}

type Extensions = Pick<Operation, 'rateLimit' | 'cache' | 'dropsCache' | 'stream'>

/** `x-rate-limit`, `x-cache`, `x-cache-drop` and `x-stream` of an operation. */
export const readExtensions = (
  { refuse }: Source,
  operation: JsonObject,
  path: Path,
  extended: Extended,
): Extensions => {
  const found: Extensions = {}
  const { 'x-rate-limit': limit, 'x-cache': cache, 'x-cache-drop': drop, 'x-stream': stream } = operation
  if (limit !== undefined) {
    const rateLimit = readRateLimit(limit)
    if (rateLimit === null) {
      refuse([...path, 'x-rate-limit'], 'expected { max, window: seconds, by: address or user, bucket?: a name }')
    } else {
      found.rateLimit = rateLimit
      if (rateLimit.by === 'user' && !extended.secured) {
        refuse([...path, 'x-rate-limit', 'by'], 'there is no user without security')
      }
    }
  }
  if (cache !== undefined) {
    const [read, problem] = readCache(cache, { ...extended, streamed: stream !== undefined })
    if (read) found.cache = read
    else refuse([...path, 'x-cache'], problem)
  }
  if (drop !== undefined) {
    const problem = readCacheDrop(drop, extended)
    if (problem === null) found.dropsCache = true
    else refuse([...path, 'x-cache-drop'], problem)
  }
  if (stream !== undefined) {
    const { data } = extended.reply
    const properties = data !== null && isObject(data.properties) ? data.properties : {}
    const list = properties[String(stream)]
    const isList = isObject(list) && list.type === 'array'
    // The fields beside the list are sent before it unchanged, except the total.
    const others = Object.entries(properties).filter(([name]) => name !== stream && name !== 'total')
    const typeOf = (schema: Json): Json | undefined => extended.schemas.flatten(schema, path)?.value.type
    const arePlain = others.every(([, schema]) => ['string', 'integer', 'boolean'].includes(String(typeOf(schema))))
    if (isList && arePlain && 'total' in properties) found.stream = String(stream)
    else
      refuse([...path, 'x-stream'], 'expected the name of a list in data, beside it total and otherwise plain values')
  }
  return found
}
