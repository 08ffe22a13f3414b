import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AppError } from '../failures/errors.ts'
import type { Reason } from '../failures/reason-table.ts'
import { currentTime } from '../runtime/clock.ts'
import type { Begin } from './begun.ts'
import { apiRoot, type ContractDocument } from './document.ts'
import { failureEnvelope, sendFailure } from './envelope.ts'
import { toAppError } from './failures.ts'
import { type AnsweredRequest, type Journal, requestToNote, unknownOperation } from './journal.ts'
import { reasons } from './reasons.ts'
import { requestLine } from './request-log.ts'
import { securityHeaders, setHeaders } from './security-headers.ts'
import type { Unanswered } from './unanswered.ts'

export interface AnswerUnroutableOptions {
  /** The document whose prefix a URL begins with. */
  documentOf: (url: string) => ContractDocument | undefined
  basePath: string
  begin: Begin
  journal?: Journal | undefined
}

/**
 * Responds to a request whose URL the router cannot parse. It belongs to no operation, so it has a real HTTP status.
 */
export const answerUnroutable =
  ({ documentOf, basePath, begin, journal }: AnswerUnroutableOptions) =>
  (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    const begun = begin(request.raw)
    const document = documentOf(begun.path)
    const known = toAppError(error, request.id)
    // Fastify logs only what it could route.
    request.log.info({ ...requestLine(begun, known.code), reason: known.reason }, 'request')
    setHeaders(request, reply)
    sendFailure(reply, document?.envelope ?? 'msg', known, known.code)
    // No hook ran for it and it changed nothing, so it is recorded without `admits`.
    if (document) journal?.note(requestToNote({}, begun, known.code, unknownOperation(basePath + apiRoot, begun)))
  }

/** What Node's HTTP parser gives up on, by its error code. */
const parserErrors: Readonly<Record<string, Reason>> = {
  ERR_HTTP_REQUEST_TIMEOUT: reasons.timed_out,
  HPE_HEADER_OVERFLOW: reasons.headers_too_large,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: reasons.chunk_extensions_too_large,
}

export interface AnswerUnparsableOptions extends Pick<Unanswered, 'whole'> {
  journal?: Journal | undefined
  /** Whether another request of this connection is still in progress: it is recorded by itself. */
  underWay: (socket: Socket) => boolean
}

/**
 * Responds to bytes that are not an HTTP request, after the responses to the requests before them, which a client would
 * otherwise take it for; and closes the connection: the start of the next request is unknown.
 */
export const answerUnparsable = ({ journal, underWay, whole }: AnswerUnparsableOptions) => {
  /** What else arrives on a connection whose parser has given up is reported again and again. */
  const givenUp = new WeakSet<Socket>()
  return (error: NodeJS.ErrnoException, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
      socket.destroy()
      return
    }
    if (givenUp.has(socket)) return
    givenUp.add(socket)
    const refusal = (parserErrors[error.code ?? ''] ?? reasons.not_http)()
    const { code } = refusal
    // Browsers open connections in advance and let them time out unused.
    if (socket.bytesRead > 0 && !underWay(socket)) journal?.note(unparsable(socket.remoteAddress ?? '', code))
    const before = whole(socket)
    if (before === null) refuseOn(socket, refusal)
    else void before.then(() => refuseOn(socket, refusal))
  }
}

const refuseOn = (socket: Socket, refusal: AppError): void => {
  if (socket.destroyed || !socket.writable) return
  const { code } = refusal
  const body = JSON.stringify(failureEnvelope('msg', refusal))
  const head = [
    `HTTP/1.1 ${code} ${STATUS_CODES[code]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    ...Object.entries(securityHeaders).map(([name, value]) => `${name}: ${value}`),
    `x-request-id: ${randomUUID()}`,
    'connection: close',
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  socket.destroySoon()
}

/** The bytes are not recorded: without a request line a path cannot be told from a password. */
const unparsable = (address: string, code: number): AnsweredRequest => ({
  method: '',
  path: '',
  summary: 'Not an HTTP request',
  username: '',
  authenticated: false,
  isPublic: false,
  address,
  userAgent: '',
  code,
  startedAt: new Date(currentTime()),
  milliseconds: 0,
  ids: [],
  preview: false,
})
