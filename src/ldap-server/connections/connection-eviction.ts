import type { Socket } from 'node:net'
import { addressKey } from '../../text/throttle-keys.ts'

/**
 * The connection to close when there are too many: the oldest of the address that has most of them. So an address that
 * connects again and again does not end the connections of others.
 * @param sockets those that may be closed, the oldest first
 * @returns undefined where none may be closed
 */
export const leastMissed = (sockets: Iterable<Socket>): Socket | undefined => {
  const byAddress = new Map<string, Socket[]>()
  let most: Socket[] = []
  for (const socket of sockets) {
    const address = addressKey(socket.remoteAddress ?? '')
    const ofAddress = byAddress.get(address) ?? []
    ofAddress.push(socket)
    byAddress.set(address, ofAddress)
    if (ofAddress.length > most.length) most = ofAddress
  }
  return most[0]
}
