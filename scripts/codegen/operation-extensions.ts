import type { Operation } from '../../src/contract/document.ts'
import type { Reply } from './bodies.ts'
import { isObject, type Json, type JsonObject, type Path, type Source } from './source.ts'

/** `x-rate-limit`, `x-cache` and `x-stream` of an operation. */
export const readExtensions = ({ refuse }: Source, operation: JsonObject, path: Path, { data }: Reply) => {
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
