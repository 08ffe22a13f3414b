// The room contract.
// What all operations have in common: limits, tokens, parsing, validation, envelopes, streams, cached responses.
// It never knows an operation by its name: all differences between operations are in the YAML.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { reasons } from '../failures/reasons.ts'
import { allowedMethods } from './allowed-methods.ts'
import { type Authenticate, authenticateCaller, bearerToken } from './authenticate.ts'
import { type Caching, cacheResponses } from './cache/cache-responses.ts'
import type { Respond } from './cache/respond.ts'
import { isSecure, ownConsoleCookie, setConsoleCookie } from './console-cookie.ts'
import { type ContractDocument, entryPath, type MediaType, type Operation } from './document.ts'
import { envelope, jsonType, successCode, writtenEnvelope } from './envelope.ts'
import { respondErrors, respondNotFound } from './error-responses.ts'
import type { TranslateError } from './failures.ts'
import {
  type Content,
  defaultMessage,
  type RequestContext,
  SuccessAsJson,
  SuccessWithCookie,
  SuccessWithMessage,
} from './handler.ts'
import { type InputReader, inputReader } from './input.ts'
import { type Journal, keepJournal } from './journal.ts'
import { acceptJsonOnly } from './json-body.ts'
import { routeLimit } from './limits/route-limit.ts'
import { admittedOnly, fileWhileAdmitted, whileAdmitted } from './still-admitted.ts'
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
  /** Records every response; without it no response is recorded. */
  journal?: Journal | undefined
  /** Caches the responses of operations with `x-cache`. */
  caching: Caching
}

/**
 * Serves a document under its prefix, with its envelope. The order for each request: rate limit (onRequest) → token and
 * permission (preParsing) → body → validation → handler → envelope.
 */
export const mount = (
  app: FastifyInstance,
  { document, handlers }: Mounted,
  { authenticate, translateError, journal, caching }: MountOptions,
): void => {
  const style = document.envelope
  const basePath = app.prefix
  app.register(
    async (scope) => {
      acceptJsonOnly(scope)
      if (journal) keepJournal(scope, journal, document)
      const cached = await cacheResponses(scope, document, caching)
      for (const schema of document.shared) scope.addSchema(schema)
      const methodsOf = allowedMethods(document, scope.prefix)
      scope.setErrorHandler(
        respondErrors({ style, ...(style === 'msg' && { status: 200 }), methodsOf, translateError }),
      )
      scope.setNotFoundHandler(respondNotFound(style, methodsOf))
      for (const operation of document.operations) {
        const handler = handlers[operation.group]?.[operation.id]
        if (handler === undefined) throw new Error(`${document.name}: no handler for ${operation.id}`)
        scope.route({
          method: operation.method,
          url: operation.url,
          ...(operation.media === undefined && { schema: { response: { 200: operation.schema.response } } }),
          config: { operation, ...routeLimit(document, operation) },
          ...(operation.secured && {
            preParsing: authenticateCaller(
              authenticate,
              { method: operation.method, path: entryPath(document, operation) },
              basePath,
            ),
          }),
          handler: cached(
            operation,
            respond({ document, operation, basePath, read: inputReader(operation), handle: handler }),
          ),
        })
      }
    },
    { prefix: document.prefix },
  )
}

interface Served {
  document: ContractDocument
  operation: Operation
  basePath: string
  read: InputReader
  handle: AnyHandler
}

const respond = ({ document, operation, basePath, read, handle }: Served): Respond => {
  const style = document.envelope
  const code = successCode(style)
  return async (request, reply) => {
    const { begun } = request
    // Its client went away and it was noted as not done.
    if (begun?.stage === 'noted') throw reasons.client_gone()
    if (begun) begun.stage = 'handled'
    const input = read(request)
    request.about = { input }
    // Field by field: spreading the input would take longer than all other steps here.
    const { params, query, body } = input
    const facts = new RequestFacts(request, basePath)
    const result = await admittedOnly(request, () =>
      handle({ params, query, body, request: facts, user: request.principal }),
    )
    if (operation.media !== undefined) return sendContent(request, reply, operation.media, result as Content)
    reply.envelopeCode = code
    if (result instanceof SuccessAsJson) {
      request.about = { input, data: result }
      reply.type(jsonType)
      return writtenEnvelope(style, result.json)
    }
    if (result instanceof SuccessWithCookie) {
      reply.header('set-cookie', setConsoleCookie(request, basePath, result.cookie))
    }
    const { data, message } = result instanceof SuccessWithMessage ? result : { data: result, message: defaultMessage }
    const list = operation.stream === undefined ? undefined : (data as Record<string, unknown>)[operation.stream]
    const payload = isAsyncIterable(list)
      ? await streamSuccess(reply, style, operation, { code, message, data }, whileAdmitted(request, list))
      : envelope(style, { code, message, data })
    request.about = { input, data }
    return payload
  }
}

const sendContent = (
  request: FastifyRequest,
  reply: FastifyReply,
  types: readonly MediaType[],
  { body, media = types[0], headers = {} }: Content,
): Content['body'] => {
  if (media === undefined || !types.includes(media)) throw new Error(`${media} is not a type of this operation`)
  reply.headers(headers).type(media === 'application/octet-stream' ? media : `${media}; charset=utf-8`)
  // A stream of events ends itself.
  return typeof body === 'string' || media === 'text/event-stream' ? body : fileWhileAdmitted(request, body)
}

/** Computed on demand: few handlers need it. */
class RequestFacts implements RequestContext {
  readonly #request: FastifyRequest
  readonly #basePath: string

  constructor(request: FastifyRequest, basePath: string) {
    this.#request = request
    this.#basePath = basePath
  }

  get requestId(): string {
    return this.#request.id
  }

  get address(): string {
    return this.#request.begun?.address ?? ''
  }

  get userAgent(): string {
    return this.#request.begun?.userAgent ?? ''
  }

  get token(): string | null {
    return bearerToken(this.#request)
  }

  get consoleCookie(): string | null {
    return ownConsoleCookie(this.#request)
  }

  get secure(): boolean {
    return isSecure(this.#request)
  }

  get origin(): string {
    const { protocol, host } = this.#request
    return `${protocol}://${host}${this.#basePath}`
  }

  identify(username: string): void {
    this.#request.caller = username
  }
}
