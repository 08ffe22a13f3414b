import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Activity } from '../network/connection-limit.ts'

/** What the clients of a server wait for. */
export interface Unanswered {
  /**
   * Follows the connections of a server from now on.
   * @param used is called when a request begins on a connection, and when it is answered
   */
  watch(server: Pick<Server, 'on'>, used?: (socket: Socket) => void): void
  /** The open connections. */
  connections(): Iterable<Socket>
  /** Whether a request of a connection is not answered yet, its body may still be arriving. */
  isWaiting(socket: Socket): boolean
  /** Whether its client has taken an answer on it, as far as the system says, and has sent nothing since. */
  isIdle(socket: Socket): boolean
  /** What a connection is used for now. */
  activityOf(socket: Socket): Activity
  /**
   * Calls `begin` when the requests before this one on its connection are answered; never, where the client is gone by then, or
   * an answer has closed the connection: the client sends the request again elsewhere, as it gets no answer here (RFC 9112
   * section 9.6). A client that sends more than some without an answer is cut off.
   */
  inTurn(request: IncomingMessage, response: ServerResponse, begin: () => void): void
  /**
   * Resolves when the requests that have arrived whole on a connection are answered, or it is closed; null: no request waits.
   * One whose body is still arriving does not count.
   */
  whole(socket: Socket): Promise<void> | null
}

/** Requests of one connection that may wait for their turn: each takes memory, and Node.js reads on where nothing is written. */
const maxWaiting = 32

export const unansweredRequests = (): Unanswered => {
  const open = new Map<Socket, Map<ServerResponse, IncomingMessage>>()
  /** The bytes that had been read of a connection when its last request was answered. */
  const readBefore = new WeakMap<Socket, number>()
  return {
    watch(server, used = () => {}) {
      server.on('connection', (socket: Socket) => {
        open.set(socket, new Map())
        socket.once('close', () => open.delete(socket))
      })
      server.on('request', (request: IncomingMessage, response: ServerResponse) => {
        const { socket } = request
        const ofSocket = open.get(socket)
        ofSocket?.set(response, request)
        used(socket)
        response.once('close', () => {
          ofSocket?.delete(response)
          readBefore.set(socket, socket.bytesRead)
          used(socket)
        })
      })
    },
    connections: () => open.keys(),
    isWaiting: (socket) => (open.get(socket)?.size ?? 0) > 0,
    isIdle: (socket) => open.get(socket)?.size === 0 && readBefore.get(socket) === socket.bytesRead,
    activityOf(socket) {
      const requests = open.get(socket)
      if (requests === undefined || requests.size === 0) return 'none'
      for (const request of requests.values()) {
        if (request.complete) return socket.writableLength > 0 ? 'unread' : 'answering'
      }
      return 'arriving'
    },
    inTurn({ socket }, response, begin) {
      let before: ServerResponse | undefined
      const requests = open.get(socket) ?? new Map<ServerResponse, IncomingMessage>()
      for (const each of requests.keys()) {
        if (each === response) break
        before = each
      }
      const beginHere = (): void => {
        if (!socket.destroyed && !socket.writableEnded) begin()
      }
      if (before === undefined) beginHere()
      else if (requests.size > maxWaiting) socket.destroy()
      else before.once('close', beginHere)
    },
    whole(socket) {
      const waiting = [...(open.get(socket) ?? [])].filter(([, request]) => request.complete)
      if (waiting.length === 0) return null
      const closed = waiting.map(([response]) => new Promise<void>((resolve) => response.once('close', resolve)))
      return Promise.all(closed).then(() => {})
    },
  }
}
