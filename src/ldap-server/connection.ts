import { once } from 'node:events'
import type { Socket } from 'node:net'
import { errorRecord, type Logger } from '../log.ts'
import { BerError } from './ber.ts'
import type { ByteBudget } from './byte-budget.ts'
import type { DirectoryService, Session } from './directory.ts'
import { MessageFrames } from './framing.ts'
import type { Limits } from './limits.ts'
import { type Envelope, readEnvelope, readRequest } from './message.ts'
import type { OpenPages } from './open-pages.ts'
import type { Origin } from './operations/bind.ts'
import { encodeEntry, encodeNoticeOfDisconnection, encodeResult, type Result } from './reply.ts'
import type { Request } from './request.ts'
import { LdapError, resultCode } from './result.ts'
import { socketWriter } from './socket-writer.ts'

const tooManyRequests: Result = {
  code: resultCode.busy,
  message: 'too many requests of this name are under way: try again',
}

type Operation = Extract<Envelope, { kind: 'operation' }>

/** A connection that the server ends, and why. */
class Disconnection extends Error {
  readonly code: typeof resultCode.protocolError | typeof resultCode.strongerAuthRequired
  constructor(code: Disconnection['code'], message: string) {
    super(message)
    this.code = code
  }
}

export interface Connection {
  /** Whether the connection is anonymous. */
  readonly unbound: boolean
  /** Answers the operations in progress, sends the reason, and ends the connection. */
  close(): Promise<void>
  ended: Promise<void>
}

export interface ConnectionOptions {
  socket: Socket
  origin: Origin
  directory: DirectoryService
  pages: OpenPages
  /** Bytes of requests in progress for each name, over all its connections. */
  requests: ByteBudget
  limits: Limits
  log: Logger
}

const codeOf = (error: unknown): Disconnection['code'] =>
  error instanceof Disconnection ? error.code : resultCode.protocolError

/** Serves one client until either side ends the connection. It never throws: a fault affects only this client. */
export const serveConnection = (options: ConnectionOptions): Connection => {
  const { socket, origin, directory, pages, requests, limits, log } = options
  const writer = socketWriter(socket, limits.stalled)
  const running = new Map<number, { abort: AbortController; ended: Promise<void> }>()
  let bytesUnderWay = 0
  let failedBinds = 0
  let closing = false

  const abortAll = (): void => {
    for (const { abort } of running.values()) abort.abort()
  }

  const session: Session = {
    ...origin,
    identity: null,
    pages,
    ended: false,
    end(reason) {
      if (session.ended) return
      session.ended = true
      directory.forget(session)
      abortAll()
      void writer
        .end(encodeNoticeOfDisconnection(resultCode.strongerAuthRequired, reason))
        .finally(() => socket.destroy())
    },
  }

  const messageLimit = (): number =>
    session.identity === null ? limits.anonymousMessage : session.identity.root ? limits.rootMessage : limits.message
  const frames = new MessageFrames(messageLimit)

  const resultOf = (error: unknown): Result => {
    if (error instanceof LdapError) {
      return { code: error.code, message: error.message, matchedDn: error.matchedDn }
    }
    if (error instanceof BerError)
      return { code: resultCode.protocolError, message: `decoding error: ${error.message}` }
    log.error({ error: errorRecord(error) }, 'An operation of the embedded directory failed')
    return { code: resultCode.other, message: 'internal error' }
  }

  const answer = async (operation: Operation, signal: AbortSignal): Promise<void> => {
    const { id, responseTag } = operation
    let typesOnly = false
    const emit = (dn: string, attributes: Parameters<typeof encodeEntry>[2]) =>
      writer.write(encodeEntry(id, dn, attributes, { typesOnly }))
    const read = (): Request => {
      const request = readRequest(operation)
      if (request.kind === 'search') typesOnly = request.typesOnly
      return request
    }
    let result: Result
    try {
      result = await directory.serve(session, read, operation.controls, { signal, emit })
    } catch (error) {
      result = resultOf(error)
    }
    if (operation.name === 'bind' && result.code === resultCode.invalidCredentials) failedBinds += 1
    // An abandoned operation has no answer (RFC 4511 section 4.11).
    if (!signal.aborted) await writer.write(encodeResult(id, responseTag, result))
  }

  const settled = (): Promise<unknown> => Promise.all([...running.values()].map(({ ended }) => ended))

  /** Answers within the bytes that one name may have in progress; the root DN is not counted. */
  const answerWithin = async (operation: Operation, bytes: number, signal: AbortSignal): Promise<void> => {
    const { identity } = session
    const counted = identity && !identity.root ? identity.dn : null
    if (counted !== null && !requests.take(counted, bytes)) {
      await writer.write(encodeResult(operation.id, operation.responseTag, tooManyRequests))
      return
    }
    bytesUnderWay += bytes
    try {
      await answer(operation, signal)
    } finally {
      bytesUnderWay -= bytes
      if (counted !== null) requests.give(counted, bytes)
    }
  }

  const start = (operation: Operation, bytes: number): Promise<void> => {
    const abort = new AbortController()
    const ended = answerWithin(operation, bytes, abort.signal).finally(() => running.delete(operation.id))
    running.set(operation.id, { abort, ended })
    return ended
  }

  const room = async (bytes: number): Promise<void> => {
    while (running.size > 0 && (running.size >= limits.pendingOperations || bytesUnderWay + bytes > messageLimit())) {
      await Promise.race([...running.values()].map(({ ended }) => ended))
    }
  }

  const accept = async (bytes: Buffer): Promise<'go on' | 'stop'> => {
    const envelope = readEnvelope(bytes)
    if (closing || session.ended) return 'go on'
    if (envelope.kind === 'unbind') return 'stop'
    if (envelope.kind === 'abandon') {
      running.get(envelope.abandoned)?.abort.abort()
      return 'go on'
    }
    if (running.has(envelope.id)) throw new BerError('a message id that is in use')
    await writer.drained()
    if (envelope.name === 'bind') {
      // A bind changes the identity, so no other operation runs beside it (RFC 4511 section 4.2.1).
      await settled()
      await start(envelope, bytes.length)
      socket.setTimeout(session.identity === null ? limits.unboundIdle : limits.idle)
      if (failedBinds >= limits.failedBinds) {
        throw new Disconnection(resultCode.strongerAuthRequired, 'too many wrong passwords')
      }
      return 'go on'
    }
    await room(bytes.length)
    if (session.ended) return 'go on'
    void start(envelope, bytes.length)
    return 'go on'
  }

  let stalled: NodeJS.Timeout | null = null
  const watchPartialMessage = (): void => {
    if (!frames.partial) {
      if (stalled) clearTimeout(stalled)
      stalled = null
    } else stalled ??= setTimeout(() => socket.destroy(), limits.stalled).unref()
  }

  const read = async (): Promise<void> => {
    for await (const chunk of socket.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      for (const message of frames.push(chunk)) if ((await accept(message)) === 'stop') return
      watchPartialMessage()
    }
  }

  const finish = async (lastWord: Buffer | null): Promise<void> => {
    abortAll()
    await settled()
    if (!session.ended) await writer.end(lastWord)
  }

  const run = async (): Promise<void> => {
    try {
      await read()
      await finish(null)
    } catch (error) {
      const known = error instanceof Disconnection || error instanceof BerError
      // Any other error is the end of the socket itself: reset, timed out, destroyed.
      await finish(known ? encodeNoticeOfDisconnection(codeOf(error), error.message) : null)
    } finally {
      if (stalled) clearTimeout(stalled)
      directory.forget(session)
      socket.destroy()
    }
  }

  // Without a listener an error of the socket would end the process.
  socket.on('error', () => {})
  socket.once('close', () => {
    directory.forget(session)
    abortAll()
  })
  socket.setTimeout(limits.unboundIdle, () => socket.destroy())

  return {
    get unbound() {
      return session.identity === null
    },
    ended: run(),
    async close() {
      closing = true
      await Promise.race([settled(), once(socket, 'close')])
      await writer.end(encodeNoticeOfDisconnection(resultCode.unavailable, 'the directory is shutting down'))
      socket.destroy()
    },
  }
}
