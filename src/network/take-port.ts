import { createServer, type Server } from 'node:net'

/** Listens on a port, without serving anything. @returns the server that has the port then, or why it could not be had */
export const takePort = (host: string, port: number): Promise<Server | NodeJS.ErrnoException> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', resolve)
    server.listen({ host, port, exclusive: true }, () => resolve(server))
  })
