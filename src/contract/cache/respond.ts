import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Operation } from '../document.ts'
import { jsonType } from '../envelope.ts'
import type { CachedResponse, Lifetime, ResponseCache } from './response-cache.ts'

/** Computes the payload of a success, or throws. */
export type Respond = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

export interface RespondCachedOptions {
  operation: Operation
  answers: ResponseCache
  /** The code of a success. */
  code: number
  now: () => number
}

/**
 * Responds with the caller's cached response, or computes and caches it. Authentication, permission and rate limit have
 * been checked before, as for any handler. Errors are not cached.
 */
export const respondCached =
  (respond: Respond, { operation, answers, code, now }: RespondCachedOptions): Respond =>
  async (request, reply) => {
    const place = await answers.place(operation, callerOf(request))
    if (place === null) return respond(request, reply)
    const cached = await answers.find(place)
    if (cached !== null) {
      reply.envelopeCode = code
      request.about = { input: nothing, data: { id: cached.id } }
      // Another instance may have stored it, with a clock that is ahead.
      reply.header('age', Math.max(0, Math.floor((now() - cached.madeAt) / 1000)))
      return send(reply, cached, now())
    }
    const payload = await respond(request, reply)
    // Serialized here and not by Fastify, so that the cached and the sent text are the same.
    const body = typeof payload === 'string' ? payload : String(reply.serialize(payload as object))
    const made = { ...place, body, id: idOf(request.about?.data) }
    await answers.keep(place, made)
    return send(reply, made, now())
  }

/**
 * Drops the caller's cached responses before the response is sent; also after a failure, which may follow the write.
 */
export const respondDropping =
  (respond: Respond, answers: ResponseCache): Respond =>
  async (request, reply) => {
    try {
      return await respond(request, reply)
    } finally {
      // Set as soon as the request is valid; before that nothing was changed.
      if (request.about) await answers.drop(callerOf(request))
    }
  }

/** Cached operations have neither parameters nor a body. */
const nothing = { params: {}, query: {}, body: {} }

const callerOf = ({ principal }: FastifyRequest): number => {
  if (principal === null) throw new Error('answers are cached for users only')
  return principal.userId
}

const idOf = (data: unknown): number | null =>
  typeof data === 'object' && data !== null && 'id' in data && typeof data.id === 'number' ? data.id : null

const send = (reply: FastifyReply, { body, until }: CachedResponse & Lifetime, at: number): string => {
  const left = Math.max(0, Math.floor((until - at) / 1000))
  reply.type(jsonType).header('cache-control', `private, max-age=${left}`)
  // A browser caches by address alone, and another user may sign in to it, by a token or by the console's cookie.
  const vary = reply.getHeader('vary')
  const credentials = 'authorization, cookie'
  reply.header('vary', vary === undefined ? credentials : `${vary}, ${credentials}`)
  return body
}
