import { readFileSync } from 'node:fs'
import type { AddressInfo, Server, Socket } from 'node:net'
import { createServer as createPlain } from 'node:net'
import { createServer as createTls, type TLSSocket } from 'node:tls'
import type { SyslogSettings } from '../../src/audit/syslog/settings.ts'
import { type CertificateFiles, makeCertificate } from '../certificate.ts'
import type { Teardown } from '../database.ts'
import { eventually } from '../eventually.ts'

/** What a receiver does with a connection besides reading it. */
export type Behaviour = (socket: Socket) => void

export interface Receiver {
  settings: SyslogSettings
  /** Messages read to their end, in the order of their arrival. */
  messages: string[]
  seqs(): number[]
  /** Connections so far. */
  connections(): number
  behave(behaviour: Behaviour | null): void
  /** Ends all connections, and refuses new ones. */
  stop(): Promise<void>
  start(): Promise<void>
}

export const seqOf = (message: string): number => Number(/ seq="(\d+)"/.exec(message)?.[1])

/** Cuts octet-counted frames out of a stream (RFC 6587, 3.4.1); throws at anything else. */
const deframer = (take: (message: string) => void) => {
  let rest = Buffer.alloc(0)
  return (chunk: Buffer): void => {
    rest = Buffer.concat([rest, chunk])
    for (;;) {
      const space = rest.indexOf(' ')
      if (space < 0) return
      const length = rest.subarray(0, space).toString('latin1')
      if (!/^[1-9]\d{0,6}$/.test(length)) throw new Error(`no octet count: ${length}`)
      const end = space + 1 + Number(length)
      if (rest.length < end) return
      take(new TextDecoder('utf8', { fatal: true, ignoreBOM: true }).decode(rest.subarray(space + 1, end)))
      rest = rest.subarray(end)
    }
  }
}

export interface ReceiverOptions {
  folder: string
  /** false: plain TCP. */
  tls?: boolean
  /** Asks for a certificate of this authority. */
  clientCa?: string
}

/** A receiver of our own, on loopback: it can do what a good one never does. */
export const syslogReceiver = async (t: Teardown, options: ReceiverOptions): Promise<Receiver> => {
  const files: CertificateFiles | null = options.tls === false ? null : await makeCertificate(options.folder)
  const messages: string[] = []
  const sockets = new Set<Socket>()
  let behaviour: Behaviour | null = null
  let count = 0
  let port = 0
  let server: Server

  const serve = (socket: Socket | TLSSocket): void => {
    count += 1
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    if (behaviour !== null) {
      behaviour(socket)
      return
    }
    socket.on(
      'data',
      deframer((message) => void messages.push(message)),
    )
  }
  const start = async (): Promise<void> => {
    server =
      files === null
        ? createPlain(serve)
        : createTls(
            {
              cert: readFileSync(files.certificate),
              key: readFileSync(files.key),
              ...(options.clientCa && { ca: options.clientCa, requestCert: true, rejectUnauthorized: true }),
            },
            serve,
          )
    await eventually(
      () =>
        new Promise<boolean>((resolve) => {
          server.once('error', () => resolve(false))
          server.listen(port, '127.0.0.1', () => resolve(true))
        }),
      'the receiver listens',
    )
    port = (server.address() as AddressInfo).port
  }
  const stop = async (): Promise<void> => {
    const closed = new Promise((resolve) => server.close(resolve))
    for (const socket of sockets) socket.destroy()
    await closed
  }
  await start()
  t.teardown(stop)
  return {
    settings: {
      ...{ host: '127.0.0.1', port, appName: 'steward', facility: 13, maxBytes: 8192 },
      tls: files === null ? null : { ca: () => readFileSync(files.ca, 'utf8'), client: null },
    },
    messages,
    seqs: () => messages.map(seqOf),
    connections: () => count,
    behave(next) {
      behaviour = next
    },
    stop,
    start,
  }
}
