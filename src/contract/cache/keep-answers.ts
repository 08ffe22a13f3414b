import caching from '@fastify/caching'
import type { FastifyInstance } from 'fastify'
import type { ContractDocument, Operation } from '../document.ts'
import { successCode } from '../envelope.ts'
import { keptAnswers } from './answers.ts'
import type { LocalDay } from './local-day.ts'
import { etagSegment, pluginCache } from './plugin-cache.ts'
import { type Respond, respondDropping, respondKept } from './respond.ts'
import type { KeptStore } from './store.ts'

/** What keeping answers takes. */
export interface Keeping {
  store: KeptStore
  /** The day it is at an instant; nothing is kept beyond it. */
  dayOf: (at: number) => LocalDay
  now: () => number
}

/**
 * Does for a document what its `x-cache` and `x-cache-drop` say, in the cache that @fastify/caching holds. Operations
 * without them are handled as they were.
 */
export const keepAnswers = async (
  scope: FastifyInstance,
  document: ContractDocument,
  { store, dayOf, now }: Keeping,
): Promise<(operation: Operation, respond: Respond) => Respond> => {
  if (!document.operations.some(({ cache }) => cache)) return (_operation, respond) => respond
  await scope.register(caching, { privacy: 'no-store', cache: pluginCache(store, now), cacheSegment: etagSegment })
  const answers = keptAnswers({ cache: scope.cache, document, dayOf, now })
  const code = successCode(document.envelope)
  return (operation, respond) => {
    if (operation.cache) return respondKept(respond, { operation, answers, code, now })
    return operation.dropsCache ? respondDropping(respond, answers) : respond
  }
}
