import { once } from 'node:events'
import { chmodSync, rmSync } from 'node:fs'
import { createServer, isIP, type ListenOptions, type Server, type Socket } from 'node:net'
import { privateSocket } from '../../network/private-socket.ts'
import type { Logger } from '../../runtime/log.ts'
import type { DirectoryService } from '../directory.ts'
import type { Limits } from '../limits.ts'
import { pageRegistry } from '../search/open-pages.ts'
import type { ServerTls } from '../tls/server-tls.ts'
import { byteBudget } from './byte-budget.ts'
import { type Connection, serveConnection } from './connection.ts'
import { connectionToEvict } from './connection-eviction.ts'

export const loopback = '127.0.0.1'
/** How long close waits for operations in progress, milliseconds. */
const closingTime = 2_000

/** Those that are not bound, the oldest first. */
const unbound = function* (connections: Map<Socket, Connection>): Generator<Socket> {
  for (const [socket, connection] of connections) if (connection.unbound) yield socket
}

/** Accepts connections, and closes one when there are too many. */
const acceptConnections = (
  connections: Map<Socket, Connection>,
  max: number,
  serve: (socket: Socket) => Connection | null,
): Server =>
  createServer({ noDelay: true, keepAlive: true }, (socket) => {
    if (connections.size >= max) {
      // One that is not bound loses nothing by connecting again.
      const idle = connectionToEvict(unbound(connections))
      if (!idle) return void socket.destroy()
      connections.get(idle)?.destroy()
      connections.delete(idle)
    }
    const connection = serve(socket)
    if (connection === null) return void socket.destroy()
    connections.set(socket, connection)
    void connection.ended.finally(() => connections.delete(socket))
  })

const listening = async (server: Server, where: ListenOptions): Promise<void> => {
  server.listen(where)
  await once(server, 'listening')
}

export const isLoopback = (address: string): boolean => /^(::1|(::ffff:)?127(\.\d{1,3}){3})$/i.test(address)

const urlOf = (scheme: string, host: string, server: Server): string => {
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return `${scheme}://${isIP(host) === 6 ? `[${host}]` : host}:${port}`
}

const closeServer = async (server: Server): Promise<void> => {
  if (!server.listening) return
  const closed = once(server, 'close')
  server.close()
  await closed
}

export interface ListenersOptions {
  /** Where the private socket is. */
  folder: string
  host: string
  /** 0 takes any free one. */
  port: number
  /** For connections that are encrypted from the start; null: there is no such port. */
  ldapsPort: number | null
  /** null: no TLS. */
  tls: ServerTls | null
  directory: DirectoryService
  limits: Limits
  log: Logger
}

/** Where the server listens: the port for StartTLS, that for TLS, and a socket that only this process's user reaches. */
export const openListeners = ({ host, tls, ldapsPort, directory, limits, log, ...options }: ListenersOptions) => {
  const pages = pageRegistry(limits)
  const requests = byteBudget(limits.requestsOfOne)
  const open = new Map<Server, Map<Socket, Connection>>()
  const listener = (kind: { trusted: boolean; encrypted: boolean; tls: ServerTls | null }): Server => {
    const connections = new Map<Socket, Connection>()
    const server = acceptConnections(connections, limits.connections, (socket) => {
      const address = kind.trusted ? loopback : socket.remoteAddress
      // A client that has reset its connection already has no address: it must not count as one of this machine.
      if (address === undefined) return null
      const origin = { address, trusted: kind.trusted, confidential: isLoopback(address) }
      return serveConnection({ socket, ...kind, origin, directory, pages: pages(), requests, limits, log })
    })
    open.set(server, connections)
    return server
  }
  const plain = listener({ trusted: false, encrypted: false, tls })
  const encrypted = tls && ldapsPort !== null ? listener({ trusted: false, encrypted: true, tls }) : null
  const own = listener({ trusted: true, encrypted: false, tls: null })
  const socket = privateSocket(options.folder, 'ldap.socket')
  return {
    /** Call it once it listens. `ldaps` is null where there is no such port. */
    urls: () => ({
      ldap: urlOf('ldap', host, plain),
      ldaps: encrypted && urlOf('ldaps', host, encrypted),
      ldapi: `ldapi://${encodeURIComponent(socket.path)}`,
    }),
    async listen(): Promise<void> {
      await listening(plain, { port: options.port, host })
      if (encrypted && ldapsPort !== null) await listening(encrypted, { port: ldapsPort, host })
      // A server that was killed leaves its socket; no other process uses the folder.
      rmSync(socket.path, { force: true })
      await listening(own, { path: socket.path })
      chmodSync(socket.path, 0o600)
    },
    /** Ends all connections: those that do not end within the time are cut. */
    async close(): Promise<void> {
      const closed = Promise.all([...open.keys()].map(closeServer))
      const connections = [...open.values()].flatMap((each) => [...each.values()])
      const cut = setTimeout(() => {
        for (const connection of connections) connection.destroy()
      }, closingTime)
      await Promise.all(connections.map((connection) => connection.close()))
      await closed
      clearTimeout(cut)
      socket.remove()
    },
  }
}
