import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Unanswered } from '../contract/unanswered.ts'

/** Milliseconds in which a client has to take something of a response that waits for it. */
const defaultTimeout = 60_000

/**
 * Closes the connections of clients that do not read their responses. Node.js would keep them, and what they are read from,
 * for as long as the client likes. How long a response takes to be made is not the client's fault, and does not count.
 */
export const closeUnread = (
  server: Pick<Server, 'setTimeout'>,
  { isWaiting }: Pick<Unanswered, 'isWaiting'>,
  timeout = defaultTimeout,
): void => {
  // Of the server: one for each response would cost a tenth of the smallest requests. Node.js leaves it to this listener to close
  // connections, also those that nothing was asked on for `keepAliveTimeout`.
  server.setTimeout(timeout, (socket: Socket) => {
    if (!isWaiting(socket) || socket.writableLength > 0) socket.destroy()
  })
}
