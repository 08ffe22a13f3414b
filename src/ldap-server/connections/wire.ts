import { once } from 'node:events'
import type { Socket } from 'node:net'
import { type SecureContext, TLSSocket } from 'node:tls'
import { socketWriter } from './socket-writer.ts'

export interface WireOptions {
  socket: Socket
  /** Milliseconds that a handshake, or a response that is not read, may take. */
  stalled: number
  /** Called once, when it is closed. */
  onClose(): void
}

/** What a connection is read from and written to: a socket, encrypted from the start or from some moment on. */
export const openWire = ({ socket, stalled, onClose }: WireOptions) => {
  let current = socket
  let writer = socketWriter(socket, stalled)

  const destroy = (): void => {
    current.destroy()
    socket.destroy()
  }
  // Without a listener an error of a socket would end the process.
  socket.on('error', () => {}).once('close', onClose)
  const untilClosed = new Promise<void>((resolve) => socket.once('close', () => resolve()))

  return {
    get encrypted(): boolean {
      return current !== socket
    },
    /** Whether it is closed: no answer arrives any more. */
    get closed(): boolean {
      return socket.destroyed || current.destroyed
    },
    /** Resolves when it is closed, also by a reset: closing the server must not fail for that. */
    untilClosed,
    /** Whether bytes have arrived that were not read yet. */
    get unread(): boolean {
      return current.readableLength > 0
    },
    chunks: () => current.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>,
    drained: () => writer.drained(),
    write: (bytes: Buffer) => writer.write(bytes),
    writeInTurn: (make: () => Buffer) => writer.writeInTurn(make),
    end: (lastWord: Buffer | null) => writer.end(lastWord),
    destroy,
    /** Ends it after so many milliseconds without a byte. */
    endWhenIdle(milliseconds: number): void {
      current.setTimeout(milliseconds)
    },
    /**
     * Continues under TLS.
     * @throws where the handshake fails or does not end in time
     */
    async encrypt(secureContext: SecureContext): Promise<void> {
      const secured = new TLSSocket(socket, { isServer: true, secureContext })
      secured.on('error', () => {}).on('timeout', destroy)
      socket.setTimeout(0)
      writer = socketWriter(secured, stalled)
      current = secured
      await once(secured, 'secure', { signal: AbortSignal.any([AbortSignal.timeout(stalled), closing(secured)]) })
    },
  }
}

const closing = (socket: Socket): AbortSignal => {
  const controller = new AbortController()
  socket.once('close', () => controller.abort())
  return controller.signal
}
