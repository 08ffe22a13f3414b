import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createConnection, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import t, { type Test } from 'tap'
import { startEmbedded } from '../../src/db/embedded/server.ts'
import { copyTemplate, silent } from '../database.ts'
import { eventually } from '../eventually.ts'

// What the embedded database answers, where its messages are carried out together.

const identity = { user: 'postgres', database: 'postgres', host: 'localhost' }

const folder = await mkdtemp(join(tmpdir(), 'steward-test-'))
const dataDir = join(folder, 'data')
await copyTemplate(dataDir)
const server = await startEmbedded({ dataDir, durable: false, log: silent })
const path = server.socketPath
t.teardown(async () => {
  await server.close()
  await rm(folder, { recursive: true })
})

const open = (t: Test): postgres.Sql => {
  const sql = postgres({ ...identity, path, max: 1, fetch_types: false, onnotice: () => {} })
  t.teardown(() => sql.end())
  return sql
}

t.test('each query gets its own answer, also behind one that fails', async (t) => {
  const sql = open(t)
  const quotient = (by: number): Promise<number> => sql`select 60 / ${by}::int as n`.then(([row]) => row?.n)
  const kinds = [
    () => quotient(2),
    () => quotient(0),
    () => sql.unsafe('select 7 as n').then(([row]) => row?.n),
    () => sql`select nothing`.then(([row]) => row?.n),
    () => quotient(3),
    () => sql.unsafe('select 1 / 0').then(([row]) => row?.n),
    () => quotient(4),
  ]
  const wanted = [30, '22012', 7, '42703', 20, '22012', 15]
  // The first time, the driver asks for the types of the parameters first.
  for (let round = 0; round < 3; round++) {
    const settled = await Promise.allSettled(kinds.map((ask) => ask()))
    t.same(
      settled.map((one) => (one.status === 'fulfilled' ? one.value : one.reason.code)),
      wanted,
    )
  }
})

t.test('questions and answers may be large', async (t) => {
  const sql = open(t)
  for (const length of [10, 8190, 65_530, 3_000_000]) {
    const text = 'ä'.repeat(length)
    const [row] = await sql`select ${text}::text || 'x' as whole, length(${text}) as counted`
    t.equal(row?.counted, length)
    t.ok(row?.whole === `${text}x`, `${length} characters come back`)
  }
  const rows = await sql`select n, repeat('y', 100) as filling from generate_series(1, ${20_000}::int) n`
  t.equal(rows.length, 20_000)
  t.ok(rows.every(({ n, filling }, at) => n === at + 1 && filling.length === 100))
})

t.test('rows come in parts where they are asked for in parts', async (t) => {
  const sql = open(t)
  const sizes: number[] = []
  for await (const part of sql`select * from generate_series(1, ${10}::int)`.cursor(4)) sizes.push(part.length)
  t.same(sizes, [4, 4, 2])
})

const message = (type: string, ...parts: (string | Buffer)[]): Buffer => {
  const body = Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(`${part}\0`) : part)))
  const length = Buffer.alloc(4)
  length.writeInt32BE(body.length + 4)
  return Buffer.concat([Buffer.from(type), length, body])
}

const greeting = message('', Buffer.from([0, 3, 0, 0]), 'user', 'postgres', 'database', 'postgres', '')
const parse = (text: string): Buffer => message('P', '', text, Buffer.alloc(2))
const bind = message('B', '', '', Buffer.alloc(6))
const execute = message('E', '', Buffer.alloc(4))

const connect = async (): Promise<Socket> => {
  const socket = createConnection(path)
  await once(socket, 'connect')
  socket.write(greeting)
  await once(socket, 'data')
  return socket
}

t.test('what a client has begun and not finished is not there for the next one', async (t) => {
  const begun = Buffer.concat([parse('create table left_behind ()'), bind, execute])
  const ends: Record<string, (socket: Socket) => void> = {
    'it is gone': (socket) => socket.destroy(),
    'it says goodbye': (socket) => socket.end(message('X')),
    'half a message': (socket) => socket.end(message('S').subarray(0, 3)),
  }
  for (const [name, end] of Object.entries(ends)) {
    const socket = await connect()
    socket.write(begun)
    end(socket)
    socket.resume()
    await once(socket, 'close')
    const sql = postgres({ ...identity, path, max: 1, fetch_types: false })
    const found = await eventually(
      async () => (await sql`select to_regclass(${'left_behind'}) as found`)[0] ?? false,
      `the next one is answered: ${name}`,
    )
    t.same(found, { found: null }, name)
    await sql.end()
  }
})

t.test('many that ask for nothing are carried out before they fill the memory', async (t) => {
  const socket = await connect()
  let answer = Buffer.alloc(0)
  socket.on('data', (part) => {
    answer = Buffer.concat([answer, part])
  })
  // Without a Sync: 20 texts of 16 KiB.
  for (let n = 0; n < 20; n++) socket.write(Buffer.concat([parse(`select '${'z'.repeat(16_384)}'`), bind]))
  t.ok(await eventually(async () => answer.length > 0, 'the first ones are answered'))
  socket.destroy()
})
