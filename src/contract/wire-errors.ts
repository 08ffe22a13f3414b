import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Reason } from '../reason-table.ts'
import type { Begin } from './begun.ts'
import { apiRoot, type ContractDocument } from './document.ts'
import { failureEnvelope, sendFailure } from './envelope.ts'
import { toAppError } from './failures.ts'
import { type AnsweredRequest, type Journal, requestToNote, unknownOperation } from './journal.ts'
import { reasons } from './reasons.ts'
import { requestLine } from './request-log.ts'
import { securityHeaders, setHeaders } from './security-headers.ts'

export interface AnswerUnroutableOptions {
  /** The document whose prefix a URL begins with. */
  documentOf: (url: string) => ContractDocument | undefined
  basePath: string
  begin: Begin
  journal?: Journal | undefined
}

/** Answers a request whose URL the router cannot read. It belongs to no operation, so the HTTP status says it too. */
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
    // It ran through no hook and changed nothing, so it is noted without asking.
    if (document) journal?.note(requestToNote({}, begun, known.code, unknownOperation(basePath + apiRoot, begun)))
  }

/** What Node's HTTP parser gives up on, by its error code. */
const parserErrors: Readonly<Record<string, Reason>> = {
  ERR_HTTP_REQUEST_TIMEOUT: reasons.timed_out,
  HPE_HEADER_OVERFLOW: reasons.headers_too_large,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: reasons.chunk_extensions_too_large,
}

/**
 * Answers what is not an HTTP request, and ends the connection: where the next request would begin is not known.
 * @param underWay whether a request that is not answered yet came over this connection: that one is noted by itself
 */
export const answerUnparsable =
  ({ journal, underWay }: { journal?: Journal | undefined; underWay: (socket: Socket) => boolean }) =>
  (error: NodeJS.ErrnoException, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
      socket.destroy()
      return
    }
    const refusal = (parserErrors[error.code ?? ''] ?? reasons.not_http)()
    const { code } = refusal
    // Browsers open connections in advance and let them time out unused.
    if (socket.bytesRead > 0 && !underWay(socket)) journal?.note(unparsable(socket.remoteAddress ?? '', code))
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

/** What was sent is left out: without a request line nothing tells a path from a password. */
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
  startedAt: new Date(),
  milliseconds: 0,
  ids: [],
})
