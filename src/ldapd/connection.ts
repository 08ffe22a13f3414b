import { once } from 'node:events'
import type { Socket } from 'node:net'
import { errorRecord, type Logger } from '../log.ts'
import { BerError } from './ber.ts'
import type { DirectoryService, Session } from './directory.ts'
import { MessageFrames } from './framing.ts'
import type { Limits } from './limits.ts'
import { type Envelope, readEnvelope, readRequest } from './message.ts'
import { openPages } from './open-pages.ts'
import { encodeEntry, encodeNoticeOfDisconnection, encodeResult, type Result } from './reply.ts'
import { LdapError, resultCode } from './result.ts'
import { socketWriter } from './socket-writer.ts'

type Operation = Extract<Envelope, { kind: 'operation' }>

/** The end of a connection that the server decides on, and why. */
class Disconnection extends Error {
  readonly code: typeof resultCode.protocolError | typeof resultCode.strongerAuthRequired
  constructor(code: Disconnection['code'], message: string) {
    super(message)
    this.code = code
  }
}

export interface Connection {
  /** Answers what is under way, says why, and ends. */
  close(): Promise<void>
}

/** Serves one client until either side ends the connection. It never throws: whatever arrives, only this client feels it. */
export const serveConnection = (
  socket: Socket,
  serve: DirectoryService,
  limits: Limits,
  log: Logger,
): Connection & { ended: Promise<void> } => {
  const session: Session = { identity: null, pages: openPages(limits.openPages) }
  const frames = new MessageFrames(() => (session.identity ? limits.message : limits.anonymousMessage))
  const writer = socketWriter(socket, limits.stalled)
  const running = new Map<number, { abort: AbortController; ended: Promise<void> }>()
  let failedBinds = 0
  let closing = false

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
    let result: Result
    try {
      const request = readRequest(operation)
      if (request.kind === 'search') typesOnly = request.typesOnly
      result = await serve(session, request, operation.controls, { signal, emit })
    } catch (error) {
      result = resultOf(error)
    }
    if (operation.name === 'bind' && result.code === resultCode.invalidCredentials) failedBinds += 1
    // An abandoned operation has no answer (RFC 4511 section 4.11).
    if (!signal.aborted) await writer.write(encodeResult(id, responseTag, result))
  }

  const settled = (): Promise<unknown> => Promise.all([...running.values()].map(({ ended }) => ended))

  const start = (operation: Operation): Promise<void> => {
    const abort = new AbortController()
    const ended = answer(operation, abort.signal).finally(() => running.delete(operation.id))
    running.set(operation.id, { abort, ended })
    return ended
  }

  const accept = async (bytes: Buffer): Promise<'go on' | 'stop'> => {
    const envelope = readEnvelope(bytes)
    if (closing) return 'go on'
    if (envelope.kind === 'unbind') return 'stop'
    if (envelope.kind === 'abandon') {
      running.get(envelope.abandoned)?.abort.abort()
      return 'go on'
    }
    if (running.has(envelope.id)) throw new BerError('a message id that is in use')
    await writer.drained()
    if (envelope.name === 'bind') {
      // A bind changes who asks, so it has the connection to itself (RFC 4511 section 4.2.1).
      await settled()
      await start(envelope)
      if (failedBinds >= limits.failedBinds) {
        throw new Disconnection(resultCode.strongerAuthRequired, 'too many wrong passwords')
      }
      return 'go on'
    }
    if (running.size >= limits.pendingOperations) {
      await Promise.race([...running.values()].map(({ ended }) => ended))
    }
    void start(envelope)
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
    for (const { abort } of running.values()) abort.abort()
    await settled()
    await writer.end(lastWord)
  }

  const run = async (): Promise<void> => {
    try {
      await read()
      await finish(null)
    } catch (error) {
      const code = error instanceof Disconnection ? error.code : resultCode.protocolError
      const known = error instanceof Disconnection || error instanceof BerError
      // What is neither is the socket's own end: reset, timed out, destroyed.
      await finish(known ? encodeNoticeOfDisconnection(code, error.message) : null)
    } finally {
      if (stalled) clearTimeout(stalled)
      socket.destroy()
    }
  }

  // Without a listener an error of the socket would end the process.
  socket.on('error', () => {})
  socket.once('close', () => {
    for (const { abort } of running.values()) abort.abort()
  })
  socket.setTimeout(limits.idle, () => socket.destroy())

  return {
    ended: run(),
    async close() {
      closing = true
      await Promise.race([settled(), once(socket, 'close')])
      await writer.end(encodeNoticeOfDisconnection(resultCode.unavailable, 'the directory is shutting down'))
      socket.destroy()
    },
  }
}
