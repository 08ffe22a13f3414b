import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'
import { errorRecord } from '../log.ts'
import { type EnvelopeStyle, sendFailure } from './envelope.ts'
import { type TranslateError, toAppError } from './failures.ts'

/** Answers a path that is no operation. */
export const answerNotFound =
  (style: EnvelopeStyle) =>
  (_request: FastifyRequest, reply: FastifyReply): FastifyReply =>
    sendFailure(reply, style, new AppError('not_found', 'there is no such operation'), 404)

export interface AnswerErrorsOptions {
  style: EnvelopeStyle
  /** The HTTP status whatever the error; without it the error's code. */
  status?: number
  translateError?: TranslateError | undefined
}

/** Answers whatever was thrown while a request was handled, and logs what is not the client's doing. */
export const answerErrors =
  ({ style, status, translateError }: AnswerErrorsOptions) =>
  (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    // A body that cannot be read does not make an unknown path an operation.
    if (request.is404) return answerNotFound(style)(request, reply)
    const known = toAppError(error, request.id, translateError)
    // "Not now" that a handler decided on is an answer like any other; everything else of the kind is news.
    const decided = known === error && known.kind === 'unavailable'
    if (known.code >= 500 && !decided) request.log.error({ error: errorRecord(error) }, known.message)
    return sendFailure(reply, style, known, status ?? known.code)
  }
