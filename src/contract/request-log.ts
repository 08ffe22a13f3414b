import { type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import { codeOf } from '../failures/caught-error.ts'
import { errorRecord } from '../runtime/log.ts'
import type { Begun } from './begun.ts'
import { mayLog } from './lazy-request-log.ts'

/** The fields of a request in the log. The path has no query: queries contain names, and one contained a password. */
export const requestLine = ({ method, path, address }: Begun, status: number) => ({ method, path, status, address })

/** Counts a request that was answered. @param operation its id; empty: it was for none */
export type Answering = (request: { operation: string; code: number; seconds: number }) => void

/**
 * One line per request: who asked is the address, what was asked is method and path, why it failed is the code of the
 * reason. Never headers, query or body, and so never a token or a password.
 */
export class RequestLog extends LogController {
  readonly #answered: Answering | null

  /** @param answered null: requests are not counted */
  constructor(answered: Answering | null) {
    super({ requestIdLogLabel: 'requestId' })
    this.#answered = answered
  }

  override incomingRequest(): void {}

  override requestCompleted(error: Error | null | undefined, request: FastifyRequest, reply: FastifyReply): void {
    this.#answered?.({
      operation: request.routeOptions.config?.operation?.id ?? '',
      code: reply.envelopeCode ?? reply.statusCode,
      seconds: reply.elapsedTime / 1000,
    })
    // A line that the level discards is not built.
    if (!error && !mayLog(reply.log, 'info')) return
    // Field by field, and what is undefined is not written: spreads would take longer than the line.
    const { begun } = request
    const line = {
      method: begun?.method,
      path: begun?.path,
      status: reply.statusCode,
      address: begun?.address,
      code: reply.envelopeCode ?? undefined,
      reason: reply.failureReason ?? undefined,
      milliseconds: Math.round(reply.elapsedTime * 10) / 10,
    }
    if (error) reply.log.error({ ...line, error: errorRecord(error) }, 'request errored')
    else reply.log.info(line, 'request')
  }

  override streamError(error: Error, _request: FastifyRequest, reply: FastifyReply): void {
    if (codeOf(error) === 'ERR_STREAM_PREMATURE_CLOSE') reply.log.debug('the client went away')
    else reply.log.error({ error: errorRecord(error) }, 'an answer broke off')
  }

  override writeHeadError(error: Error, _request: FastifyRequest, reply: FastifyReply): void {
    reply.log.error({ error: errorRecord(error) }, 'the head of an answer could not be written')
  }

  override serializerError(error: Error, _request: FastifyRequest, reply: FastifyReply): void {
    reply.log.error({ error: errorRecord(error) }, 'an answer could not be written')
  }
}
