import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** A free port of 127.0.0.1, for a server that cannot choose one itself. */
export const freePort = async (): Promise<number> => {
  const port = await tried(0)
  if (port === null) throw new Error('no free port')
  return port
}

/**
 * A free port that no outgoing connection takes, for a server that is ended and started again: systems take those of
 * connections from 32768 (Linux) or 49152 on.
 */
export const lastingPort = async (): Promise<number> => {
  for (let attempt = 0; attempt < 100; attempt++) {
    const port = await tried(randomInt(20_000, 32_000))
    if (port !== null) return port
  }
  throw new Error('no free port')
}

const tried = async (wanted: number): Promise<number | null> => {
  const server = createServer().listen(wanted, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    return null
  }
  const address = server.address()
  server.close()
  await once(server, 'close')
  return address === null || typeof address === 'string' ? null : address.port
}
