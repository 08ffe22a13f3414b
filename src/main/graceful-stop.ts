import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Unanswered } from '../contract/unanswered.ts'

/**
 * Milliseconds after the stop began: what has arrived by `arrived` is read; after `unsaid` connections without a whole head
 * of a request are closed, such as those that a browser opens ahead; after `all` all others are. What is closed after them, as
 * the operation log is, needs some of the seconds that a stop may take (start.ts).
 */
const times = { arrived: 100, look: 100, unsaid: 1000, all: 6000 }

/**
 * While the app closes, requests in progress finish. A request that has arrived and was not read yet is answered: Node takes
 * its connection for idle and would reset it, which under load is almost every connection.
 *
 * Node closes the connections that are idle at that moment; those that become idle later would stay open for another request
 * until their timeout. One on which a request has only begun, or nothing was sent, is not idle for it, so that any client
 * could delay the stop until the rest is dropped.
 * @returns whether the app closes
 */
export const stopGracefully = (
  app: FastifyInstance,
  { connections, isWaiting, isIdle }: Pick<Unanswered, 'connections' | 'isWaiting' | 'isIdle'>,
): (() => boolean) => {
  let sweep: NodeJS.Timeout | undefined
  // Node.js and Fastify call it too. Node's own takes an answer for done when it was handed over: it would cut off what the client
  // is still reading.
  app.server.closeIdleConnections = () => {
    for (const socket of connections()) if (isIdle(socket)) socket.destroy()
  }
  app.addHook('preClose', async () => {
    const began = performance.now()
    const look = () => {
      const passed = performance.now() - began
      if (passed > times.all) app.server.closeAllConnections()
      else app.server.closeIdleConnections()
      if (passed > times.unsaid) for (const socket of connections()) if (!isWaiting(socket)) socket.destroy()
    }
    // After a turn that took long, timers come before what has arrived meanwhile: it is read first.
    sweep = setInterval(() => setImmediate(look), times.look)
    await delay(times.arrived)
    await turn()
  })
  app.addHook('onClose', async () => clearInterval(sweep))
  return () => sweep !== undefined
}
