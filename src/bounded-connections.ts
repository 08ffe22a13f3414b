import type { Server, Socket } from 'node:net'
import { subscriberOf } from './text/throttle-keys.ts'

export interface BoundOptions {
  /** Connections at one time. */
  most: number
  /** Whether a connection may be closed for another one; default: each. */
  mayClose?: (socket: Socket) => boolean
  /** Told of each connection that is closed so. */
  closed?: (address: string) => void
}

/**
 * Bounds the connections of a server. Above it one of the address that has most of them is closed, the oldest that may be; so
 * an address that connects again and again does not keep out others. Where none may be closed, the new one is.
 */
export const boundConnections = (
  server: Pick<Server, 'on'>,
  { most, mayClose = () => true, closed = () => {} }: BoundOptions,
): void => {
  /** By address, the oldest first. Kept up to date: a flood of connections must not count all of them for each. */
  const open = new Map<string, Set<Socket>>()
  let count = 0

  const forget = (address: string, socket: Socket): void => {
    const ofAddress = open.get(address)
    if (!ofAddress?.delete(socket)) return
    count -= 1
    if (ofAddress.size === 0) open.delete(address)
  }

  const leastMissed = (): [address: string, socket: Socket] | null => {
    const oldestOf = (sockets: Iterable<Socket>): Socket | undefined => {
      for (const socket of sockets) if (mayClose(socket)) return socket
      return undefined
    }
    const passed = new Set<string>()
    while (passed.size < open.size) {
      let most: [string, Set<Socket>] | null = null
      for (const each of open) if (!passed.has(each[0]) && each[1].size > (most?.[1].size ?? 0)) most = each
      if (most === null) return null
      const socket = oldestOf(most[1])
      if (socket !== undefined) return [most[0], socket]
      passed.add(most[0])
    }
    return null
  }

  server.on('connection', (socket: Socket) => {
    const address = subscriberOf(socket.remoteAddress ?? '')
    if (count >= most) {
      const [of, missed] = leastMissed() ?? [address, socket]
      closed(of)
      forget(of, missed)
      missed.destroy()
      if (missed === socket) return
    }
    const ofAddress = open.get(address) ?? new Set()
    open.set(address, ofAddress.add(socket))
    count += 1
    socket.once('close', () => forget(address, socket))
  })
}
