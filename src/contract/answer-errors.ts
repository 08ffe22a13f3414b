import type { FastifyReply, FastifyRequest } from 'fastify'
import { errorRecord } from '../log.ts'
import { type EnvelopeStyle, sendFailure } from './envelope.ts'
import { type TranslateError, toAppError } from './failures.ts'
import { reasons } from './reasons.ts'

/** Which methods a path has; none where there is no such path. */
export type MethodsOf = (path: string) => readonly string[]

/** Answers what is not an operation: an unknown path, or a method that its path does not have. */
export const answerNotFound =
  (style: EnvelopeStyle, methodsOf: MethodsOf = () => []) =>
  (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const methods = methodsOf((request.raw.url ?? '').split('?', 1)[0] ?? '')
    if (methods.length === 0) {
      return sendFailure(reply, style, reasons.no_operation(), 404)
    }
    reply.header('allow', methods.join(', '))
    const refusal = reasons.no_method({ method: request.method, methods: methods.join(' and ') })
    return sendFailure(reply, style, refusal, 405)
  }

export interface AnswerErrorsOptions {
  style: EnvelopeStyle
  /** The HTTP status whatever the error; without it the error's code. */
  status?: number
  methodsOf?: MethodsOf
  translateError?: TranslateError | undefined
}

/** Answers whatever was thrown while a request was handled, and logs what is not the client's doing. */
export const answerErrors =
  ({ style, status, methodsOf, translateError }: AnswerErrorsOptions) =>
  (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    // A body that cannot be read does not make an unknown path an operation.
    if (request.is404) return answerNotFound(style, methodsOf)(request, reply)
    const known = toAppError(error, request.id, translateError)
    // "Not now" that a handler decided on is an answer like any other; everything else of the kind is news.
    const decided = known === error && known.kind === 'unavailable'
    if (known.code >= 500 && !decided)
      request.log.error({ reason: known.reason, error: errorRecord(error) }, known.message)
    return sendFailure(reply, style, known, status ?? known.code)
  }
