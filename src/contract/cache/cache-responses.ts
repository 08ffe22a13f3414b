import caching from '@fastify/caching'
import type { FastifyInstance } from 'fastify'
import type { ContractDocument, Operation } from '../document.ts'
import { successCode } from '../envelope.ts'
import type { LocalDay } from './local-day.ts'
import { etagSegment, pluginCache } from './plugin-cache.ts'
import { type Respond, respondCached, respondDropping } from './respond.ts'
import { responseCache } from './response-cache.ts'
import type { CacheStore } from './store.ts'

/** What the response cache needs. */
export interface Caching {
  store: CacheStore
  /** The day of an instant; no response is cached beyond it. */
  dayOf: (at: number) => LocalDay
  now: () => number
}

/**
 * Implements a document's `x-cache` and `x-cache-drop`, with the cache that @fastify/caching holds. Operations without
 * them are not affected.
 */
export const cacheResponses = async (
  scope: FastifyInstance,
  document: ContractDocument,
  { store, dayOf, now }: Caching,
): Promise<(operation: Operation, respond: Respond) => Respond> => {
  if (!document.operations.some(({ cache }) => cache)) return (_operation, respond) => respond
  await scope.register(caching, { privacy: 'no-store', cache: pluginCache(store, now), cacheSegment: etagSegment })
  const answers = responseCache({ cache: scope.cache, document, dayOf, now })
  const code = successCode(document.envelope)
  return (operation, respond) => {
    if (operation.cache) return respondCached(respond, { operation, answers, code, now })
    return operation.dropsCache ? respondDropping(respond, answers) : respond
  }
}
