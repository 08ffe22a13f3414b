import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Milliseconds in which a client has to take something of a response that waits for it. */
const usualPatience = 60_000

/**
 * Closes the connections of clients that do not read their responses. Node.js would keep them, and what they are read from,
 * for as long as the client likes. How long a response takes to be made is not the client's fault, and does not count.
 */
export const closeUnread = (server: Pick<Server, 'on'>, patience = usualPatience): void => {
  server.on('request', (_request: unknown, response: ServerResponse) => {
    // Without a listener of the response Node.js would close it also while nothing is ready to be sent.
    response.setTimeout(patience, (socket?: Socket) => {
      if (socket !== undefined && socket.writableLength > 0) socket.destroy()
    })
  })
}
