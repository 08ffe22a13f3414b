import { connect, createServer, type Socket } from 'node:net'
import type { Test } from 'tap'
import { freePort } from './free-port.ts'

/** A way to a server. */
export interface WatchedWire {
  url: string
  /** How often something was sent to the server since the start. */
  trips(): number
  /** How many statements, with those that begin and end transactions. */
  statements(): number
  /** Statements that the server had to parse and plan for one time alone, and how often each was sent so. */
  unprepared: ReadonlyMap<string, number>
}

/**
 * Counts the statements of one connection: messages Query and Execute of the frontend protocol.
 * @param unprepared what was sent with Parse without a name is counted there
 */
const statementCounter = (unprepared: Map<string, number>): ((sent: Buffer) => number) => {
  let left = Buffer.alloc(0)
  /** The first message has no type. */
  let started = false
  return (sent) => {
    left = Buffer.concat([left, sent])
    let count = 0
    for (;;) {
      const head = started ? 1 : 0
      if (left.length < head + 4) return count
      const length = head + left.readUInt32BE(head)
      if (left.length < length) return count
      const type = started ? String.fromCharCode(left[0] ?? 0) : ''
      if (type === 'Q' || type === 'E') count += 1
      if (type === 'P' && left[head + 4] === 0) {
        const start = head + 5
        const text = left.toString('utf8', start, left.indexOf(0, start))
        unprepared.set(text, (unprepared.get(text) ?? 0) + 1)
      }
      started = true
      left = left.subarray(length)
    }
  }
}

/**
 * A proxy of a PostgreSQL server on the loopback address.
 * @param pass what is sent on in place of what was sent; null: the connection is lost
 */
export const watchedWire = async (
  t: Test,
  server: string,
  pass: (sent: Buffer) => Buffer | null = (sent) => sent,
): Promise<WatchedWire> => {
  const url = new URL(server)
  const { hostname, port } = url
  const sockets = new Set<Socket>()
  let trips = 0
  let statements = 0
  const unprepared = new Map<string, number>()
  const proxy = createServer((client) => {
    const upstream = connect(Number(port), hostname)
    const counted = statementCounter(unprepared)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.setNoDelay(true)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        upstream.destroy()
      })
    }
    client.on('data', (sent) => {
      trips += 1
      statements += counted(sent)
      const passed = pass(sent)
      if (passed === null) upstream.destroy()
      else upstream.write(passed)
    })
    upstream.on('data', (answer) => client.write(answer))
  })
  url.port = String(await freePort())
  await new Promise<void>((listening) => void proxy.listen(Number(url.port), '127.0.0.1', listening))
  t.teardown(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((closed) => proxy.close(closed))
  })
  return { url: url.href, trips: () => trips, statements: () => statements, unprepared }
}
