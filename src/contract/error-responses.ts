import type { FastifyReply, FastifyRequest } from 'fastify'
import { errorRecord } from '../runtime/log.ts'
import { type EnvelopeStyle, sendFailure } from './envelope.ts'
import { type TranslateError, toAppError } from './failures.ts'
import { reasons } from './reasons.ts'

/** The methods of a path; empty where the path does not exist. */
export type MethodsOf = (path: string) => readonly string[]

/** Responds to an unknown path, or to a method that the path does not have. */
export const respondNotFound =
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

export interface RespondErrorsOptions {
  style: EnvelopeStyle
  /** The HTTP status of all errors; without it the error's code. */
  status?: number
  methodsOf?: MethodsOf
  translateError?: TranslateError | undefined
}

/** Turns an error thrown during a request into the response, and logs it unless the client caused it. */
export const respondErrors =
  ({ style, status, methodsOf, translateError }: RespondErrorsOptions) =>
  (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    // A malformed body does not make an unknown path an operation.
    if (request.is404) return respondNotFound(style, methodsOf)(request, reply)
    const known = toAppError(error, request.id, translateError)
    // A handler that throws `unavailable` has decided so; any other unavailability is logged.
    const decided = known === error && known.kind === 'unavailable'
    if (known.code >= 500 && !decided)
      request.log.error({ reason: known.reason, error: errorRecord(error) }, known.message)
    return sendFailure(reply, style, known, status ?? known.code)
  }
