import type { FastifyReply } from 'fastify'
import type { AppError, Challenge } from '../failures/errors.ts'
import type { ContractDocument } from './document.ts'
import { defaultMessage } from './handler.ts'

declare module 'fastify' {
  interface FastifyReply {
    /** The `code` of the envelope that was sent; null before, and for responses without an envelope. */
    envelopeCode: number | null
    /** Why the request failed: the code of its reason. null before, and for a success. */
    failureReason: string | null
  }
}

export type EnvelopeStyle = ContractDocument['envelope']

/** The content that both kinds of envelopes share. */
export interface Outcome {
  code: number
  message: string
  data: unknown
}

/** The code of a success. */
export const successCode = (style: EnvelopeStyle): number => (style === 'msg' ? 0 : 200)

export const envelope = (style: EnvelopeStyle, { code, message, data }: Outcome): object =>
  style === 'msg' ? { code, data, msg: message } : { code, message, data }

/** The envelope of a failure. */
export const failureEnvelope = (style: EnvelopeStyle, error: AppError): object => ({
  ...envelope(style, { code: error.code, message: error.message, data: failureData(error) }),
  reason: error.reason,
  params: error.params,
})

/** The envelope of a success around `data` that is JSON already. */
export const writtenEnvelope = (style: EnvelopeStyle, json: string): string =>
  style === 'msg'
    ? `{"code":${successCode(style)},"data":${json},"msg":"${defaultMessage}"}`
    : `{"code":${successCode(style)},"message":"${defaultMessage}","data":${json}}`

export const jsonType = 'application/json; charset=utf-8'

/**
 * Sends a failure. `status` is the HTTP status; the envelope's code is the error's. It is serialized here (the route's
 * schema describes successes and would reshape it) and is never cached.
 */
export const sendFailure = (
  reply: FastifyReply,
  style: EnvelopeStyle,
  error: AppError,
  status: number,
): FastifyReply => {
  if (error.retryAfter !== undefined) reply.header('retry-after', Math.max(1, Math.ceil(error.retryAfter)))
  if (error.kind === 'unauthenticated') reply.header('www-authenticate', howToAuthenticate(error.challenge))
  reply.envelopeCode = error.code
  reply.failureReason = error.reason
  return reply
    .code(status)
    .type(jsonType)
    .header('cache-control', 'no-store')
    .serializer(JSON.stringify)
    .send(failureEnvelope(style, error))
}

const failureData = ({ challenge, data, details }: AppError): unknown => challenge ?? data ?? details ?? null

/** RFC 6750, section 3; with a challenge RFC 9470, section 3. */
const howToAuthenticate = (challenge: Challenge | undefined): string =>
  challenge ? `Bearer error="insufficient_user_authentication", max_age=${challenge.maxAge}` : 'Bearer'
