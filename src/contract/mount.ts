import caching from '@fastify/caching'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify'
import { answerErrors, answerNotFound } from './answer-errors.ts'
import { type Authenticate, authenticateCaller, bearerToken } from './authenticate.ts'
import { type ContractDocument, entryPath, type Operation } from './document.ts'
import { defaultMessage, envelope, successCode } from './envelope.ts'
import type { TranslateError } from './failures.ts'
import { Answer, type RequestContext } from './handler.ts'
import { type InputReader, inputReaders } from './input.ts'
import { acceptJsonOnly } from './json-body.ts'
import { isAsyncIterable } from './stream.ts'
import { streamSuccess } from './stream-success.ts'

type AnyHandler = (input: object) => Promise<unknown>
type HandlerGroups = Readonly<Record<string, Readonly<Record<string, AnyHandler>>>>

/** A document together with the handlers of its operations. */
export interface Mounted {
  document: ContractDocument
  handlers: HandlerGroups
}

/** Pairs a document with its handlers; a missing, an extra or a wrongly typed one does not compile. */
export const mounted = <Handlers>(document: ContractDocument<Handlers>, handlers: NoInfer<Handlers>): Mounted => ({
  document,
  handlers: handlers as HandlerGroups,
})

export interface MountOptions {
  authenticate: Authenticate
  translateError?: TranslateError | undefined
}

/**
 * Serves a document under its prefix, where everything answers in its envelope. A route's life: rate limit (onRequest)
 * → token and permission (preParsing) → body → validation → handler → envelope.
 */
export const mount = (
  app: FastifyInstance,
  { document, handlers }: Mounted,
  { authenticate, translateError }: MountOptions,
): void => {
  const style = document.envelope
  app.register(
    async (scope) => {
      acceptJsonOnly(scope)
      if (document.operations.some(({ cache }) => cache)) scope.register(caching, { privacy: 'no-store' })
      for (const schema of document.shared) scope.addSchema(schema)
      scope.setErrorHandler(answerErrors({ style, ...(style === 'msg' && { status: 200 }), translateError }))
      scope.setNotFoundHandler(answerNotFound(style))
      const readerOf = inputReaders()
      for (const operation of document.operations) {
        const handler = handlers[operation.group]?.[operation.id]
        if (handler === undefined) throw new Error(`${document.name}: no handler for ${operation.id}`)
        scope.route({
          method: operation.method,
          url: operation.url,
          schema: { response: { 200: operation.schema.response } },
          ...rateLimitOf(operation),
          ...(operation.secured && {
            preParsing: authenticateCaller(authenticate, {
              method: operation.method,
              path: entryPath(document, operation),
            }),
          }),
          handler: respond(document, operation, readerOf(operation), handler),
        })
      }
    },
    { prefix: document.prefix },
  )
}

/** One limit per address before anything else is looked at; one per user as soon as the user is known. */
const rateLimitOf = ({ rateLimit }: Operation): RouteShorthandOptions => {
  if (rateLimit === undefined) return {}
  const { max, window, by } = rateLimit
  const timeWindow = window * 1000
  if (by === 'address') return { config: { rateLimit: { max, timeWindow } } }
  const keyGenerator = (request: FastifyRequest) => String(request.principal?.userId)
  return { config: { rateLimit: { max, timeWindow, hook: 'preParsing', keyGenerator } } }
}

const respond = (document: ContractDocument, operation: Operation, read: InputReader, handle: AnyHandler) => {
  const style = document.envelope
  const code = successCode(style)
  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const input = read(request)
    const result = await handle({ ...input, request: contextOf(request), user: request.principal })
    const { data, message } = result instanceof Answer ? result : { data: result, message: defaultMessage }
    const list = operation.stream === undefined ? undefined : (data as Record<string, unknown>)[operation.stream]
    const payload = isAsyncIterable(list)
      ? await streamSuccess(reply, style, operation, { code, message, data }, list)
      : envelope(style, { code, message, data })
    reply.envelopeCode = code
    if (operation.cache) reply.header('cache-control', `private, max-age=${operation.cache.maxAge}`)
    return payload
  }
}

const contextOf = (request: FastifyRequest): RequestContext => ({
  requestId: request.id,
  address: request.ip,
  userAgent: request.headers['user-agent'] ?? '',
  token: bearerToken(request),
})
