import type { Socket } from 'node:net'
import { addressKey } from '../../text/throttle-keys.ts'

/**
 * The connection to close when there are too many: the oldest one of the address that has the most. So an address that
 * connects again and again does not end the connections of others.
 * @param sockets those that may be closed, the oldest first
 * @returns undefined where none may be closed
 */
export const connectionToEvict = (sockets: Iterable<Socket>): Socket | undefined => {
  const byAddress = new Map<string, Socket[]>()
  let longest: Socket[] = []
  for (const socket of sockets) {
    const address = addressKey(socket.remoteAddress ?? '')
    const ofAddress = byAddress.get(address) ?? []
    ofAddress.push(socket)
    byAddress.set(address, ofAddress)
    if (ofAddress.length > longest.length) longest = ofAddress
  }
  return longest[0]
}
