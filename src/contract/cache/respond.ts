import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Operation } from '../document.ts'
import { jsonType } from '../envelope.ts'
import type { KeptAnswer, KeptAnswers, Lifetime } from './answers.ts'

/** Works out the payload of a success, or throws. */
export type Respond = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

export interface RespondKeptOptions {
  operation: Operation
  answers: KeptAnswers
  /** The code of a success. */
  code: number
  now: () => number
}

/**
 * Answers with what was kept for the caller, else works it out and keeps it. A handler like any other: who asks, whether
 * he may and how often was looked at before. What throws is not kept.
 */
export const respondKept =
  (respond: Respond, { operation, answers, code, now }: RespondKeptOptions): Respond =>
  async (request, reply) => {
    const place = await answers.place(operation, callerOf(request))
    if (place === null) return respond(request, reply)
    const kept = await answers.find(place)
    if (kept !== null) {
      reply.envelopeCode = code
      request.about = { input: nothing, data: { id: kept.id } }
      // Another instance may have made it, by a clock that is ahead of ours.
      reply.header('age', Math.max(0, Math.floor((now() - kept.madeAt) / 1000)))
      return send(reply, kept, now())
    }
    const payload = await respond(request, reply)
    // Written here and not by Fastify, so that what is kept is what is sent.
    const body = typeof payload === 'string' ? payload : String(reply.serialize(payload as object))
    const made = { ...place, body, id: idOf(request.about?.data) }
    await answers.keep(place, made)
    return send(reply, made, now())
  }

/** Drops what was kept for the caller, before he is answered; also after a failure, which may have come after the write. */
export const respondDropping =
  (respond: Respond, answers: KeptAnswers): Respond =>
  async (request, reply) => {
    try {
      return await respond(request, reply)
    } finally {
      // Known as soon as the request is valid; before that nothing was done.
      if (request.about) await answers.drop(callerOf(request))
    }
  }

/** What is kept has neither parameters nor a body. */
const nothing = { params: {}, query: {}, body: {} }

const callerOf = ({ principal }: FastifyRequest): number => {
  if (principal === null) throw new Error('answers are kept for users only')
  return principal.userId
}

const idOf = (data: unknown): number | null =>
  typeof data === 'object' && data !== null && 'id' in data && typeof data.id === 'number' ? data.id : null

const send = (reply: FastifyReply, { body, until }: KeptAnswer & Lifetime, at: number): string => {
  const left = Math.max(0, Math.floor((until - at) / 1000))
  reply.type(jsonType).header('cache-control', `private, max-age=${left}`)
  // A browser keeps by address alone, and somebody else may sign in to it.
  const vary = reply.getHeader('vary')
  reply.header('vary', vary === undefined ? 'authorization' : `${vary}, authorization`)
  return body
}
