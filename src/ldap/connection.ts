import type { Socket } from 'node:net'
import { UnbindRequest } from 'ldapts'
import { messageOf } from '../failures/caught-error.ts'
import type { Statement } from '../failures/statement.ts'
import { createFrameReader } from './connection-frames.ts'
import { decodeMessage, type LdapResponse } from './connection-response.ts'
import { DirectoryError } from './directory-error.ts'
import type { EntryContent } from './entry-decoder.ts'
import { describeOutcome } from './result-code.ts'
import { statements } from './statements.ts'

/** ldapts' BER writer corrupts messages of exactly 512 KiB; a request near that size is a mistake or must be split. */
export const largestRequest = 500_000
/**
 * Bytes of all responses to one request, which are held until the last one. A server that ignores the size of a page
 * would otherwise be read until the memory is full.
 */
const largestAnswer = 512 * 2 ** 20
/** Bytes that a response costs beside its own: small ones are mostly this. */
const costOfResponse = 1000
const lastMessageId = 2 ** 31 - 1

/** A message of ldapts, which knows its own encoding. */
export interface Request {
  write(): Buffer
}
/** Makes the message once its id is known. */
export type RequestBuilder = (messageId: number) => Request

/**
 * LDAP over one socket: requests are pipelined, responses are matched to requests by message id. A connection is never
 * reused after a fault below LDAP (a lost or timed-out connection, malformed bytes). Such a fault ends it and every
 * request in flight, because the responses can no longer be assigned to requests and the bound identity is uncertain.
 * Messages and BER come from ldapts. Its Client is not used: it reconnects by itself, without TLS and anonymously,
 * leaves calls unsettled, stops a paged search at an empty page, and does not tell which write of a transaction failed.
 */
export interface Connection {
  readonly alive: boolean
  /**
   * Sends what `build` makes for the given message id.
   * @param onEntry called with every entry as it arrives, before the response that ends them; what it throws ends the
   * connection
   * @returns the server's response, whatever its result code
   * @throws DirectoryError `unavailable` when the connection ended; `refused` when the request is too large to send
   */
  request(build: RequestBuilder, onEntry?: (content: EntryContent) => void): Promise<LdapResponse>
  /** Called once, with the reason and whether `close` was called; at once where the connection has ended already. */
  onEnd(listener: EndListener): void
  /** Sends an unbind and ends the connection; requests in flight are rejected. @param reason default: it was closed */
  close(reason?: Statement): void
  /** Hands the socket on to a TLS layer. @throws Error when unread bytes are left */
  release(): void
}

type EndListener = (reason: DirectoryError, closed: boolean) => void

const unasked = (): never => {
  throw new Error('a response to no request')
}

interface Pending {
  resolve: (response: LdapResponse) => void
  reject: (error: DirectoryError) => void
  timer: NodeJS.Timeout
  onEntry: (content: EntryContent) => void
  references: string[]
  /** Bytes of the responses so far, with what each costs. */
  cost: number
}

/** Counts a response to a request. @returns whether all of them together are more than an answer may be */
const tooMuch = (request: Pending, response: Buffer): boolean => {
  request.cost += response.length + costOfResponse
  return request.cost > largestAnswer
}

/** Takes over a connected socket. `timeout`: milliseconds within which every request must be answered in full. */
export const createConnection = (socket: Socket, timeout: number): Connection => {
  const pending = new Map<number, Pending>()
  const listeners: EndListener[] = []
  let messageId = 0
  let ended: DirectoryError | null = null
  let closed = false

  const detach = (): void => {
    socket.off('data', onData)
    socket.off('error', onError)
    socket.off('close', onClose)
    // Without a listener, an error of the socket would end the process.
    socket.on('error', () => {})
  }
  const end = (reason: Statement, farewell?: Request): void => {
    if (ended) return
    ended = new DirectoryError('unavailable', reason)
    closed = farewell !== undefined
    detach()
    // A server that no longer reads must not keep the process from ending.
    if (farewell) socket.unref().end(farewell.write(), () => socket.destroy())
    else socket.destroy()
    for (const { reject, timer } of pending.values()) {
      clearTimeout(timer)
      reject(ended)
    }
    pending.clear()
    for (const listener of listeners) listener(ended, closed)
  }

  const frames = createFrameReader((frame) => {
    const incoming = decodeMessage(frame)
    const request = pending.get(incoming.messageId)
    if (incoming.messageId === 0 && incoming.kind === 'end') {
      // A notice of disconnection (RFC 4511 section 4.4.1) or an aborted transaction (RFC 5805 section 3.4).
      end(statements.ended({ outcome: describeOutcome(incoming.response) }))
    } else if (!request) {
      unasked()
    } else if (tooMuch(request, frame)) {
      end(statements.answer_too_large({ bytes: largestAnswer }))
    } else if (incoming.kind === 'entry') {
      request.onEntry(incoming.content)
    } else if (incoming.kind === 'reference') {
      request.references.push(...incoming.urls)
    } else {
      pending.delete(incoming.messageId)
      clearTimeout(request.timer)
      request.resolve({ ...incoming.response, references: request.references })
    }
  })
  const onData = (chunk: Buffer): void => {
    try {
      frames.read(chunk)
    } catch (error) {
      end(statements.not_ldap({ problem: messageOf(error) }))
    }
  }
  const onError = (error: Error): void => end(statements.connection_lost({ problem: error.message }))
  const onClose = (): void => end(statements.closed_connection())
  socket.on('data', onData)
  socket.on('error', onError)
  socket.on('close', onClose)

  const nextMessageId = (): number => {
    do messageId = messageId === lastMessageId ? 1 : messageId + 1
    while (pending.has(messageId))
    return messageId
  }

  let corked = false
  /** What is sent at the same moment leaves in one piece: that costs this process and the server one wake-up, not many. */
  const send = (bytes: Buffer): void => {
    if (!corked) {
      corked = true
      socket.cork()
      process.nextTick(() => {
        corked = false
        socket.uncork()
      })
    }
    socket.write(bytes)
  }

  return {
    get alive() {
      return ended === null
    },
    request: (build, onEntry = unasked) =>
      new Promise((resolve, reject) => {
        if (ended) return reject(ended)
        const id = nextMessageId()
        const bytes = build(id).write()
        if (bytes.length > largestRequest) {
          return reject(new DirectoryError('refused', statements.request_too_large({ bytes: bytes.length })))
        }
        const timer = setTimeout(() => end(statements.no_answer({ milliseconds: timeout })), timeout)
        pending.set(id, { resolve, reject, timer, onEntry, references: [], cost: 0 })
        send(bytes)
      }),
    onEnd(listener) {
      if (ended) listener(ended, closed)
      else listeners.push(listener)
    },
    close: (reason = statements.closed()) => end(reason, new UnbindRequest({ messageId: nextMessageId() })),
    release() {
      if (frames.held > 0 || pending.size > 0) throw new Error('the directory sent more than was asked for')
      detach()
    },
  }
}
