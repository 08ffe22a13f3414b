import type { Socket } from 'node:net'
import type { SecureContext } from 'node:tls'
import { resultCodes } from '../../ldap/result-code.ts'
import { errorRecord, type Logger } from '../../runtime/log.ts'
import type { DirectoryService } from '../directory.ts'
import type { Limits } from '../limits.ts'
import { isStartTls, startTls } from '../operations/start-tls.ts'
import { BerError } from '../protocol/ber.ts'
import { MessageFrames } from '../protocol/framing.ts'
import { type OperationEnvelope, readEnvelope, readRequest } from '../protocol/message.ts'
import { encodeEntry, encodeNoticeOfDisconnection, encodeResult, type Result } from '../protocol/reply.ts'
import type { Request } from '../protocol/request.ts'
import { LdapError } from '../result.ts'
import type { OpenPages } from '../search/open-pages.ts'
import type { Origin, Session } from '../session.ts'
import type { ServerTls } from '../tls/server-tls.ts'
import type { ByteBudget } from './byte-budget.ts'
import { operationsInProgress } from './operations-in-progress.ts'
import { openWire } from './wire.ts'

const tooManyRequests: Result = {
  code: resultCodes.busy,
  message: 'too many requests of this name are under way: try again',
}

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

/** Calls `end` where a message stays incomplete for too long. */
const partialWatch = (frames: MessageFrames, timeout: number, end: () => void) => {
  let stalled: NodeJS.Timeout | null = null
  const stop = (): void => {
    if (stalled) clearTimeout(stalled)
    stalled = null
  }
  return {
    stop,
    look(): void {
      if (frames.partial) stalled ??= setTimeout(end, timeout).unref()
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
  const inProgress = operationsInProgress()
  let failedBinds = 0
  let closing = false

  const session: Session = {
    ...origin,
    identity: null,
    pages,
    ended: false,
    end(reason) {
      if (session.ended) return
      session.ended = true
      directory.forget(session)
      inProgress.abortAll()
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
      inProgress.abortAll()
    },
  })

  const messageLimit = (): number => messageLimitOf(session, limits)
  const inProgressLimits = () => ({ operations: pendingLimitOf(session, limits), bytes: messageLimit() })
  const frames = new MessageFrames(messageLimit)

  const answer = async (operation: OperationEnvelope, signal: AbortSignal): Promise<void> => {
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
    if (result.disconnectReason !== undefined) session.end(result.disconnectReason)
  }

  /** Answers within the bytes that one name may have in progress; the root DN is not counted. */
  const answerWithin = async (operation: OperationEnvelope, bytes: number, signal: AbortSignal): Promise<void> => {
    const { identity } = session
    const counted = identity && !identity.root ? identity.dn : null
    if (counted !== null && !requests.take(counted, bytes)) {
      await directory.turn(session)
      await wire.write(encodeResult(operation.id, operation.responseTag, tooManyRequests))
      return
    }
    try {
      await inProgress.holding(bytes, () => answer(operation, signal))
    } finally {
      if (counted !== null) requests.give(counted, bytes)
    }
  }

  const start = (operation: OperationEnvelope, bytes: number): Promise<void> =>
    inProgress.start(operation.id, (signal) => answerWithin(operation, bytes, signal))

  /** Answers StartTLS. Returns the certificate to go on with; null: it was refused. */
  const answerStartTls = async (operation: OperationEnvelope): Promise<SecureContext | null> => {
    await inProgress.ended()
    // What was sent in clear text behind the request would be carried out as if it had been encrypted.
    if (frames.partial || wire.unread) throw new BerError('a request behind StartTLS')
    const result = startTls(operation, { encrypted: wire.encrypted, offersTls: options.tls !== null })
    await wire.write(encodeResult(operation.id, operation.responseTag, result))
    return result.code === resultCodes.success ? (options.tls?.context ?? null) : null
  }

  const accept = async (bytes: Buffer): Promise<'go on' | 'stop' | SecureContext> => {
    const envelope = readEnvelope(bytes)
    if (closing || session.ended) return 'go on'
    if (envelope.kind === 'unbind') return 'stop'
    if (envelope.kind === 'abandon') {
      inProgress.abort(envelope.abandoned)
      // Every message takes a turn: connections full of those that do not would hold up the process.
      await directory.turn(session)
      return 'go on'
    }
    if (inProgress.has(envelope.id)) throw new BerError('a message id that is in use')
    await wire.drained()
    if (isStartTls(envelope)) return (await answerStartTls(envelope)) ?? 'go on'
    if (envelope.name === 'bind') {
      // A bind changes the identity, so no other operation runs beside it (RFC 4511 section 4.2.1).
      await inProgress.ended()
      await start(envelope, bytes.length)
      wire.endWhenIdle(session.identity === null ? limits.unboundIdle : limits.idle)
      if (failedBinds >= limits.failedBinds) {
        throw new Disconnection(resultCodes.strongerAuthRequired, 'too many wrong passwords')
      }
      return 'go on'
    }
    await inProgress.untilFits(bytes.length, inProgressLimits)
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
    inProgress.abortAll()
    await inProgress.ended()
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
      await Promise.race([inProgress.ended(), wire.untilClosed])
      await wire.end(encodeNoticeOfDisconnection(resultCodes.unavailable, 'the directory is shutting down'))
      wire.destroy()
    },
    destroy: wire.destroy,
  }
}
