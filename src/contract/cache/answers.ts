import { randomUUID } from 'node:crypto'
import type { AbstractCacheCompliantObject } from '@fastify/caching'
import type { ContractDocument, Operation } from '../document.ts'
import type { LocalDay } from './local-day.ts'
import type { CacheKey } from './plugin-cache.ts'

/** A success as it was sent. */
export interface KeptAnswer {
  /** The envelope, byte for byte. */
  body: string
  /** Of the record it shows; null: of none, or of many. */
  id: number | null
}

/** Milliseconds since 1970. */
export interface Lifetime {
  /** Since when what an answer says may have changed unnoticed: the instant before it was worked out. */
  madeAt: number
  until: number
}

/** Where a user's answer of a day is kept, decided before it is worked out. */
export interface Place extends Lifetime {
  key: string
}

/** The answers of a document's operations, kept per user and day. Whatever fails here costs time, never an answer. */
export interface KeptAnswers {
  /** null: nothing can be kept now. */
  place(operation: Operation, userId: number): Promise<Place | null>
  find(place: Place): Promise<(KeptAnswer & Lifetime) | null>
  keep(place: Place, answer: KeptAnswer): Promise<void>
  /** Nothing is found any more of what was kept for the user so far, nor of what is being worked out for him now. */
  drop(userId: number): Promise<void>
}

export interface KeptAnswersOptions {
  cache: AbstractCacheCompliantObject
  document: ContractDocument
  /** The day it is at an instant. */
  dayOf: (at: number) => LocalDay
  now: () => number
}

/** Milliseconds; longer than any answer is kept, so that a generation outlives what was kept under it. */
const generationLifetime = 2 * 86_400_000

/** Where the generation is that answers of all users are kept under, beside that of their own user. */
export const commonGeneration = { segment: 'generation', id: 'all' }

/**
 * Every answer is kept under its user's generation, a random text that a drop replaces. It is read before the answer is
 * worked out: one that was read before a write and worked out beside it is kept where nobody looks after the write. A
 * generation that was lost is replaced by a new one too, so nothing that was dropped comes back.
 */
export const keptAnswers = ({ cache, document, dayOf, now }: KeptAnswersOptions): KeptAnswers => {
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
      const found = await cache.get<KeptAnswer & Lifetime>(answerKey(key)).catch(() => null)
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
