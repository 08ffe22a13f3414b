import { once } from 'node:events'
import { connect as connectPlain, isIP, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
import type { SyslogSettings } from './settings.ts'

/** Milliseconds in which something has to move: connecting, taking bytes, closing. */
const defaultTimeout = 15_000
/** How many times that one step may take where something moves: a receiver that says a word now and then is never silent. */
const maxTimeouts = 10
/** Milliseconds that a delivery waits for the sign that its receiver was gone already; see `receipt`. */
const leastPause = 100

/** Messages on their way to the receiver, over a connection of their own. */
export interface Delivery {
  /** Resolves when more may be sent. @throws Error when the connection is lost */
  send(bytes: Buffer): Promise<void>
  /**
   * Resolves when the receiver has read all of it.
   *
   * Syslog has no receipts. What it has is the end of a connection: the sender closes its half, and the receiver closes
   * the other one when it has read to the end (RFC 5425, 4.4: it must answer `close_notify`). A receiver that died or
   * was stopped before that leaves bytes unread, and its system answers with a reset, which is an error here. One that
   * was gone before the last bytes came must not be taken for one that read them: its end, or its reset, arrives within
   * one round trip, so this half stays open for longer than that.
   * @throws Error when the receiver has not read everything, or may not have
   */
  receipt(): Promise<void>
  /** Ends it, whatever its state. */
  drop(): void
}

/** @throws Error, also where the certificate of the receiver is not trusted */
export const openDelivery = async (
  settings: SyslogSettings,
  signal: AbortSignal,
  timeout = defaultTimeout,
): Promise<Delivery> => {
  signal.throwIfAborted()
  const began = performance.now()
  const socket = dial(settings)
  const link = watched(socket, { signal, timeout })
  try {
    await link.or(once(socket, settings.tls ? 'secureConnect' : 'connect'))
  } catch (error) {
    socket.destroy()
    throw error
  }
  const roundTrip = performance.now() - began
  return {
    async send(bytes) {
      link.check()
      if (!socket.write(bytes)) await link.or(once(socket, 'drain'))
    },
    async receipt() {
      if (socket.writableLength > 0) await link.or(new Promise((resolve) => socket.write('', resolve)))
      await link.or(sleep(Math.max(leastPause, 2 * roundTrip)))
      link.expectEnd()
      socket.end()
      await link.or(link.ended)
    },
    drop: () => void socket.destroy(),
  }
}

const dial = ({ host, port, tls }: SyslogSettings): Socket => {
  if (tls === null) return connectPlain({ host, port })
  return connectTls({
    ...{ host, port, minVersion: 'TLSv1.2' },
    ...(isIP(host) ? {} : { servername: host }),
    ...(tls.ca === null ? {} : { ca: tls.ca() }),
    ...(tls.client?.() ?? {}),
  })
}

/** Turns what happens to a socket into one failure, or its end. */
const watched = (socket: Socket, { signal, timeout }: { signal: AbortSignal; timeout: number }) => {
  let expected = false
  let failure: Error | null = null
  let settle = (): void => {}
  /** Resolves when the receiver has closed as it should, and rejects for any other reason to stop. */
  const ended = new Promise<void>((resolve, reject) => {
    settle = () => (failure === null ? resolve() : reject(failure))
  })
  ended.catch(() => {})
  const fail = (error: Error): void => {
    failure ??= error
    socket.destroy()
    settle()
  }
  const abort = (): void => fail(new Error('the service is stopping'))
  signal.addEventListener('abort', abort, { once: true })
  const late = (time: number): void =>
    fail(
      new Error(
        expected
          ? `the receiver did not close the connection within ${time / 1000} s, so whether it has read everything is not known`
          : `the receiver did not answer within ${time / 1000} s`,
      ),
    )
  socket.setTimeout(timeout, () => late(timeout))
  socket.on('error', fail)
  socket.on('end', () => {
    if (!expected) fail(new Error('the receiver closed the connection before it was told to'))
  })
  socket.on('close', () => {
    signal.removeEventListener('abort', abort)
    if (!expected) fail(new Error('the connection was lost'))
    settle()
  })
  // A receiver has nothing to say; what it says is not kept.
  socket.resume()
  return {
    ended,
    expectEnd(): void {
      if (failure !== null) throw failure
      expected = true
    },
    check(): void {
      if (failure !== null) throw failure
    },
    /** The work, or the failure where that is first. */
    async or(work: Promise<unknown>): Promise<void> {
      const time = maxTimeouts * timeout
      const limit = setTimeout(() => late(time), time)
      await Promise.race([work, ended]).finally(() => clearTimeout(limit))
      if (failure !== null) throw failure
    },
  }
}
