import { type ClientRequest, Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import type { Duplex } from 'node:stream'

/**
 * An agent that ends the connection of a request after so many milliseconds. The limit of the exporter is one of silence: with a
 * collector that says a word now and then each export leaves a connection, for good.
 * @param protocol `http:` or `https:`
 */
export const boundedAgent = (protocol: string, timeout: number): HttpAgent | HttpsAgent => {
  const ends = new WeakMap<Duplex, NodeJS.Timeout>()
  const begin = (socket: Duplex): void =>
    void ends.set(
      socket,
      setTimeout(() => socket.destroy(), timeout),
    )
  const end = (socket: Duplex): void => clearTimeout(ends.get(socket))
  const options = { keepAlive: true }
  const agent = protocol === 'https:' ? new HttpsAgent(options) : new HttpAgent(options)
  const { createConnection, keepSocketAlive, reuseSocket } = agent
  return Object.assign(agent, {
    createConnection(...given: Parameters<typeof createConnection>) {
      const socket = createConnection.apply(agent, given)
      if (!socket) return socket
      begin(socket)
      return socket.once('close', () => end(socket))
    },
    keepSocketAlive(socket: Duplex) {
      end(socket)
      return keepSocketAlive.call(agent, socket)
    },
    reuseSocket(socket: Duplex, request: ClientRequest) {
      begin(socket)
      reuseSocket.call(agent, socket, request)
    },
  })
}
