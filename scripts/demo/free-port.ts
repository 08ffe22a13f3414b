import { createServer } from 'node:net'

/** How many ports are tried. */
const max = 100

/** The first free port of 127.0.0.1 from this one on. */
export const freePort = async (first: number): Promise<number> => {
  for (let port = first; port < first + max; port++) if (await isFree(port)) return port
  throw new Error(`Ports ${first} to ${first + max - 1} of 127.0.0.1 are all in use`)
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
