import type { Socket } from 'node:net'
import type { SecureContext } from 'node:tls'
import { resultCodes } from '../ldap/result-code.ts'
import { errorRecord, type Logger } from '../log.ts'
import { BerError, BerReader } from './ber.ts'
import type { ByteBudget } from './byte-budget.ts'
import { isUnknown, unknownControl } from './control.ts'
import type { DirectoryService, Session } from './directory.ts'
import { MessageFrames } from './framing.ts'
import type { Limits } from './limits.ts'
import { type Envelope, readEnvelope, readRequest } from './message.ts'
import type { OpenPages } from './open-pages.ts'
import type { Origin } from './operations/bind.ts'
import { startTlsOid } from './operations/extended.ts'
import { encodeEntry, encodeNoticeOfDisconnection, encodeResult, type Result } from './reply.ts'
import type { Request } from './request.ts'
import { LdapError } from './result.ts'
import type { ServerTls } from './tls/server-tls.ts'
import { openWire } from './wire.ts'

const tooManyRequests: Result = {
  code: resultCodes.busy,
  message: 'too many requests of this name are under way: try again',
}

type Operation = Extract<Envelope, { kind: 'operation' }>

/** A connection that the server ends, and why. */
class Disconnection extends Error {
  readonly code: typeof resultCodes.protocolError | typeof resultCodes.strongerAuthRequired
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
  /** Ends it at once. */
  destroy(): void
  ended: Promise<void>
}

export interface ConnectionOptions {
  socket: Socket
  origin: Origin
  /** null: StartTLS is not offered. */
  tls: ServerTls | null
  /** Whether it begins with a TLS handshake (`ldaps`). */
  encrypted: boolean
  directory: DirectoryService
  pages: OpenPages
  /** Bytes of requests in progress for each name, over all its connections. */
  requests: ByteBudget
  limits: Limits
  log: Logger
}

const requestNameTag = 0x80

const isStartTls = ({ name, content }: Operation): boolean => {
  if (name !== 'extended') return false
  const reader = new BerReader(content)
  // Any other content is refused when its turn comes.
  return reader.next === requestNameTag && reader.octets(requestNameTag).toString('latin1') === startTlsOid
}

/** Calls `end` where a message stays incomplete for too long. */
const partialWatch = (frames: MessageFrames, patience: number, end: () => void) => {
  let stalled: NodeJS.Timeout | null = null
  const stop = (): void => {
    if (stalled) clearTimeout(stalled)
    stalled = null
  }
  return {
    stop,
    look(): void {
      if (frames.partial) stalled ??= setTimeout(end, patience).unref()
      else stop()
    },
  }
}

const codeOf = (error: unknown): Disconnection['code'] =>
  error instanceof Disconnection ? error.code : resultCodes.protocolError

const messageLimitOf = ({ identity }: Session, limits: Limits): number =>
  identity === null ? limits.anonymousMessage : identity.root ? limits.rootMessage : limits.message

const pendingLimitOf = ({ identity }: Session, limits: Limits): number =>
  identity?.root ? limits.rootPendingOperations : limits.pendingOperations

const resultOf = (error: unknown, log: Logger): Result => {
  if (error instanceof LdapError) {
    const { code, message, matchedDn, controls } = error
    return { code, message, matchedDn, controls }
  }
  if (error instanceof BerError) return { code: resultCodes.protocolError, message: `decoding error: ${error.message}` }
  log.error({ error: errorRecord(error) }, 'An operation of the embedded directory failed')
  return { code: resultCodes.other, message: 'internal error' }
}

/** Serves one client until either side ends the connection. It never throws: a fault affects only this client. */
export const serveConnection = (options: ConnectionOptions): Connection => {
  const { origin, directory, pages, requests, limits, log } = options
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
      // Client libraries take the code for the answer to their next request: at this one they connect again and retry,
      // while with strongerAuthRequired the request of the next person would fail.
      void wire.end(encodeNoticeOfDisconnection(resultCodes.unavailable, reason)).finally(() => wire.destroy())
    },
  }

  const wire = openWire({
    socket: options.socket,
    stalled: limits.stalled,
    onClose() {
      directory.forget(session)
      abortAll()
    },
  })

  const messageLimit = (): number => messageLimitOf(session, limits)
  const frames = new MessageFrames(messageLimit)

  const answer = async (operation: Operation, signal: AbortSignal): Promise<void> => {
    const { id, responseTag } = operation
    let typesOnly = false
    const emit = (dn: string, attributes: Parameters<typeof encodeEntry>[2]) =>
      wire.writeInTurn(() => encodeEntry(id, dn, attributes, { typesOnly }))
    const read = (): Request => {
      const request = readRequest(operation, session.identity)
      if (request.kind === 'search') typesOnly = request.typesOnly
      return request
    }
    let result: Result
    try {
      result = await directory.serve(session, read, operation.controls, { signal, emit })
    } catch (error) {
      result = resultOf(error, log)
    }
    if (operation.name === 'bind' && result.code === resultCodes.invalidCredentials) failedBinds += 1
    // An abandoned operation has no answer (RFC 4511 section 4.11).
    if (!signal.aborted) await wire.write(encodeResult(id, responseTag, result))
    if (result.last !== undefined) session.end(result.last)
  }

  const settled = (): Promise<unknown> => Promise.all([...running.values()].map(({ ended }) => ended))

  /** Answers within the bytes that one name may have in progress; the root DN is not counted. */
  const answerWithin = async (operation: Operation, bytes: number, signal: AbortSignal): Promise<void> => {
    const { identity } = session
    const counted = identity && !identity.root ? identity.dn : null
    if (counted !== null && !requests.take(counted, bytes)) {
      await directory.turn(session)
      await wire.write(encodeResult(operation.id, operation.responseTag, tooManyRequests))
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
    const isFull = (): boolean =>
      running.size >= pendingLimitOf(session, limits) || bytesUnderWay + bytes > messageLimit()
    while (running.size > 0 && isFull()) {
      await Promise.race([...running.values()].map(({ ended }) => ended))
    }
  }

  /** Answers StartTLS (RFC 4511 section 4.14). Returns the certificate to go on with; null: it was refused. */
  const startTls = async ({ id, responseTag, controls }: Operation): Promise<SecureContext | null> => {
    await settled()
    const refuse = (code: Result['code'], message: string) =>
      wire.write(encodeResult(id, responseTag, { code, message, name: startTlsOid }))
    // What was sent in clear text behind the request would be carried out as if it had been encrypted.
    if (frames.partial || wire.unread) throw new BerError('a request behind StartTLS')
    if (wire.encrypted) await refuse(resultCodes.operationsError, 'TLS already started')
    else if (options.tls === null) await refuse(resultCodes.protocolError, 'unsupported extended operation')
    else if (controls.some(isUnknown)) await refuse(resultCodes.unavailableCriticalExtension, unknownControl)
    else {
      await wire.write(encodeResult(id, responseTag, { code: resultCodes.success, name: startTlsOid }))
      return options.tls.context
    }
    return null
  }

  const accept = async (bytes: Buffer): Promise<'go on' | 'stop' | SecureContext> => {
    const envelope = readEnvelope(bytes)
    if (closing || session.ended) return 'go on'
    if (envelope.kind === 'unbind') return 'stop'
    if (envelope.kind === 'abandon') {
      running.get(envelope.abandoned)?.abort.abort()
      // Every message takes a turn: connections full of those that do not would hold up the process.
      await directory.turn(session)
      return 'go on'
    }
    if (running.has(envelope.id)) throw new BerError('a message id that is in use')
    await wire.drained()
    if (isStartTls(envelope)) return (await startTls(envelope)) ?? 'go on'
    if (envelope.name === 'bind') {
      // A bind changes the identity, so no other operation runs beside it (RFC 4511 section 4.2.1).
      await settled()
      await start(envelope, bytes.length)
      wire.endWhenIdle(session.identity === null ? limits.unboundIdle : limits.idle)
      if (failedBinds >= limits.failedBinds) {
        throw new Disconnection(resultCodes.strongerAuthRequired, 'too many wrong passwords')
      }
      return 'go on'
    }
    await room(bytes.length)
    if (!session.ended) void start(envelope, bytes.length)
    return 'go on'
  }

  const partial = partialWatch(frames, limits.stalled, wire.destroy)

  /** @returns the certificate to go on with under TLS; null at the end of the connection */
  const readUntilEncrypted = async (): Promise<SecureContext | null> => {
    for await (const chunk of wire.chunks()) {
      for (const message of frames.push(chunk)) {
        // What a client has sent and does not wait for would delay those that do.
        if (wire.closed) return null
        // The time is that of one message. How long those before it take is not the client's fault.
        partial.stop()
        const next = await accept(message)
        if (next !== 'go on') return next === 'stop' ? null : next
      }
      partial.look()
    }
    return null
  }

  const read = async (): Promise<void> => {
    let context = options.encrypted ? (options.tls?.context ?? null) : await readUntilEncrypted()
    while (context !== null) {
      await wire.encrypt(context)
      session.confidential = true
      wire.endWhenIdle(session.identity === null ? limits.unboundIdle : limits.idle)
      context = await readUntilEncrypted()
    }
  }

  const finish = async (lastWord: Buffer | null): Promise<void> => {
    abortAll()
    await settled()
    if (!session.ended) await wire.end(lastWord)
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
      partial.stop()
      directory.forget(session)
      wire.destroy()
    }
  }

  options.socket.on('timeout', wire.destroy)
  wire.endWhenIdle(limits.unboundIdle)

  return {
    get unbound() {
      return session.identity === null
    },
    ended: run(),
    async close() {
      closing = true
      await Promise.race([settled(), wire.untilClosed])
      await wire.end(encodeNoticeOfDisconnection(resultCodes.unavailable, 'the directory is shutting down'))
      wire.destroy()
    },
    destroy: wire.destroy,
  }
}
