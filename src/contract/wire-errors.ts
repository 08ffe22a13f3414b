import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { securityHeaders, setHeaders } from '../security-headers.ts'
import { apiRoot, type ContractDocument } from './document.ts'
import { envelope, sendFailure } from './envelope.ts'
import { toAppError } from './failures.ts'
import { type Journal, noteAnswer, unknownOperation } from './journal.ts'
import { requestLine } from './request-log.ts'

export interface AnswerUnroutableOptions {
  /** The document whose prefix a URL begins with. */
  documentOf: (url: string) => ContractDocument | undefined
  basePath: string
  journal?: Journal | undefined
}

/** Answers a request whose URL the router cannot read. It belongs to no operation, so the HTTP status says it too. */
export const answerUnroutable =
  ({ documentOf, basePath, journal }: AnswerUnroutableOptions) =>
  (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    const document = documentOf(request.raw.url ?? '')
    const known = toAppError(error, request.id)
    // Fastify logs only what it could route.
    request.log.info(requestLine(request, known.code), 'request')
    setHeaders(request, reply)
    sendFailure(reply, document?.envelope ?? 'msg', known, known.code)
    // It ran through no hook and did nothing: noted where that is possible, not refused where it is not.
    if (document && journal?.accepts()) {
      noteAnswer(journal, request, reply, unknownOperation(basePath + apiRoot, request))
    }
  }

/** What Node's HTTP parser gives up on, by its error code. */
const parserErrors: Readonly<Record<string, [status: number, message: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'the request took too long to arrive'],
  HPE_HEADER_OVERFLOW: [431, 'the headers are too large'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'the chunk extensions are too large'],
}

/** Answers what is no HTTP request, and ends the connection: nobody knows where the next request would begin. */
export const answerUnparsable = (error: NodeJS.ErrnoException, socket: Socket): void => {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
    socket.destroy()
    return
  }
  const [code, message] = parserErrors[error.code ?? ''] ?? [400, 'not an HTTP request']
  const body = JSON.stringify(envelope('msg', { code, message, data: null }))
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
