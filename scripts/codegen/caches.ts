import type { Operation } from '../../src/contract/document.ts'
import type { Extended } from './operation-extensions.ts'
import { isCount } from './rate-limits.ts'
import { isObject, type Json, type Source } from './source.ts'

type Cache = NonNullable<Operation['cache']>

/** What is kept is kept per user and day. */
const longest = 86_400

/**
 * The `x-cache` of an operation, or what is wrong with it. One answer is kept for a user and a day, so it may depend on
 * nothing else: parameters would make the answers that are kept for a user without number.
 */
export const readCache = (
  cache: Json,
  { method, secured, asks, reply, streamed }: Extended & { streamed: boolean },
): [read: Cache] | [read: null, problem: string] => {
  if (!isObject(cache) || Object.keys(cache).join() !== 'maxAge' || !isCount(cache.maxAge)) {
    return [null, 'expected { maxAge: seconds }']
  }
  if (cache.maxAge > longest) return [null, `kept for a day at most, so maxAge is at most ${longest}`]
  if (method !== 'get' || asks) return [null, 'only a GET without parameters can be kept']
  if (!secured) return [null, 'kept per user, and there is no user without security']
  if (streamed || reply.media !== undefined) return [null, 'what is sent as it is read cannot be kept']
  return [{ maxAge: cache.maxAge }]
}

/** What is wrong with the `x-cache-drop` of an operation; null: nothing. */
export const readCacheDrop = (drop: Json, { method, secured }: Extended): string | null => {
  if (drop !== true) return 'expected true'
  if (method === 'get') return 'a GET changes nothing'
  return secured ? null : 'there is no user without security, so there is nothing of theirs to drop'
}

/** A drop in a document without a cache is a mistake. */
export const verifyCacheDrops = ({ refuse }: Source, operations: readonly Operation[]): void => {
  if (operations.some(({ cache }) => cache)) return
  for (const { dropsCache, method, path } of operations) {
    if (!dropsCache) continue
    refuse(['paths', path, method.toLowerCase(), 'x-cache-drop'], 'no operation of this document has an x-cache')
  }
}
