import { randomUUID } from 'node:crypto'
import type { AbstractCacheCompliantObject } from '@fastify/caching'
import type { ContractDocument, Operation } from '../document.ts'
import type { LocalDay } from './local-day.ts'
import type { CacheKey } from './plugin-cache.ts'

/** A success response in the cache. */
export interface CachedResponse {
  /** The envelope, byte for byte. */
  body: string
  /** The id of the record it shows; null: no record, or many. */
  id: number | null
}

/** Milliseconds since 1970. */
export interface Lifetime {
  /** Later changes may be missing in the response: the instant before it was computed. */
  madeAt: number
  until: number
}

/** The key of a user's response of a day, determined before the response is computed. */
export interface Place extends Lifetime {
  key: string
}

/** The cached responses of a document's operations, per user and day. A fault of the cache costs only time. */
export interface ResponseCache {
  /** null: nothing can be cached now. */
  place(operation: Operation, userId: number): Promise<Place | null>
  find(place: Place): Promise<(CachedResponse & Lifetime) | null>
  keep(place: Place, answer: CachedResponse): Promise<void>
  /** Invalidates all cached responses of the user, including those that are being computed now. */
  drop(userId: number): Promise<void>
}

export interface ResponseCacheOptions {
  cache: AbstractCacheCompliantObject
  document: ContractDocument
  /** The day of an instant. */
  dayOf: (at: number) => LocalDay
  now: () => number
}

/** Milliseconds; longer than any response is cached, so that a generation outlives the responses under it. */
const generationLifetime = 2 * 86_400_000

/** The key of the generation that the responses of all users share, beside that of their own user. */
export const commonGeneration = { segment: 'generation', id: 'all' }

/**
 * Every response is cached under its user's generation, a random text that a drop replaces. It is read before the
 * response is computed: a response that was computed while a write happened is stored under the old generation, where
 * no request finds it. A generation that was lost is replaced by a new one too, so dropped responses never come back.
 */
export const responseCache = ({ cache, document, dayOf, now }: ResponseCacheOptions): ResponseCache => {
  const set = (key: CacheKey, item: unknown, lifetime: number): Promise<void> =>
    new Promise((resolve, reject) => {
      cache.set(key, item, lifetime, (error) => (error ? reject(error) : resolve()))
    })

  const renew = async (key: CacheKey): Promise<string> => {
    const generation = randomUUID()
    await set(key, generation, generationLifetime)
    return generation
  }
  const generationOf = async (key: CacheKey): Promise<string> => (await cache.get<string>(key))?.item ?? renew(key)

  const ownGeneration = (userId: number): CacheKey => ({ segment: 'generation', id: `${document.name}:${userId}` })
  const answerKey = (key: string): CacheKey => ({ segment: 'answer', id: key })

  return {
    async place({ id, cache: kept }, userId) {
      const madeAt = now()
      const { date, endsAt } = dayOf(madeAt)
      const until = Math.min(madeAt + (kept?.maxAge ?? 0) * 1000, endsAt)
      try {
        const generations = await Promise.all([generationOf(commonGeneration), generationOf(ownGeneration(userId))])
        return { key: [document.name, id, userId, date, ...generations].join(':'), madeAt, until }
      } catch {
        return null
      }
    },
    async find({ key }) {
      const found = await cache.get<CachedResponse & Lifetime>(answerKey(key)).catch(() => null)
      return found?.item ?? null
    },
    async keep({ key, madeAt, until }, answer) {
      const lifetime = until - now()
      if (lifetime > 0) await set(answerKey(key), { ...answer, madeAt, until }, lifetime).catch(() => {})
    },
    async drop(userId) {
      await renew(ownGeneration(userId)).catch(() => {})
    },
  }
}
