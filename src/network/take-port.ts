import { createServer, type Server } from 'node:net'

/**
 * Listens on a port, without serving anything. Who connects is hung up on: the server closes only when all connections have
 * ended, and clients of a service that starts again may connect at any moment.
 * @returns the server that has the port then, or why it could not be had
 */
export const takePort = (host: string, port: number): Promise<Server | NodeJS.ErrnoException> =>
  new Promise((resolve) => {
    const server = createServer((socket) => {
      // They may have reset it meanwhile.
      socket.on('error', () => {})
      socket.destroy()
    })
    server.once('error', resolve)
    server.listen({ host, port, exclusive: true }, () => resolve(server))
  })
