import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { eq, sql } from 'drizzle-orm'
import postgres from 'postgres'
import t, { type Test } from 'tap'
import { type Database, openDatabase } from '../../src/db/client.ts'
import { lockFolder } from '../../src/db/embedded/lock.ts'
import { startEmbedded } from '../../src/db/embedded/server.ts'
import { keepUp } from '../../src/db/embedded/upkeep.ts'
import { facts } from '../../src/db/schema.ts'
import { isUnavailable } from '../../src/db/unavailable.ts'
import { fromSource } from '../built.ts'
import { copyTemplate, silent } from '../database.ts'
import { eventually } from '../eventually.ts'
import { sampleOf } from '../nightly.ts'

/** Removed after the databases in it are closed, which tap's own folders are not. */
const temporaryFolder = (t: Test): string => {
  const folder = mkdtempSync(join(tmpdir(), 'steward-test-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A data directory whose database is there already: making one takes seconds. */
const migratedFolder = async (t: Test): Promise<string> => {
  const dataDir = join(temporaryFolder(t), 'data')
  await copyTemplate(dataDir)
  return dataDir
}

const open = async (t: Test, dataDir: string): Promise<Database> => {
  const database = await openDatabase({ url: null, dataDir, log: silent })
  t.teardown(() => database.close())
  return database
}

/** A process that writes to the database until it is killed; `acknowledged` grows. */
const startWriter = (dataDir: string, prefix: string) => {
  const child = spawn(process.execPath, [...fromSource(resolve('test/db/writer.ts')), dataDir, prefix], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const acknowledged: number[] = []
  const lines = createInterface(child.stdout)
  lines.on('line', (line) => line !== 'open' && acknowledged.push(Number(line)))
  let complaint = ''
  child.stderr.on('data', (chunk) => {
    complaint += chunk
  })
  return { child, acknowledged, opened: once(lines, 'line'), ended: once(child, 'close'), complaint: () => complaint }
}

const otherHalf = (_: string, half: string): string => (half === 'first' ? '-second' : '-first')

const kill = async ({ child, ended }: { child: ChildProcess; ended: Promise<unknown> }) => {
  child.kill('SIGKILL')
  await ended
}

t.test('acknowledged writes survive kill -9 in the middle of writing', async (t) => {
  const dataDir = await migratedFolder(t)
  const acknowledged: string[] = []
  for (const run of sampleOf(t, 'writers killed', [0, 1, 2, 3], 1)) {
    const writer = startWriter(dataDir, `run${run}`)
    await writer.opened
    const wanted = 5 + 40 * run
    await eventually(
      () => writer.acknowledged.length >= wanted || writer.child.exitCode !== null,
      `${wanted} transactions`,
    )
    await kill(writer)
    t.comment(`killed after ${writer.acknowledged.length} transactions`)
    acknowledged.push(...writer.acknowledged.map((number) => `run${run}-${number}`))
  }
  const { db } = await open(t, dataDir)
  const names = new Set((await db.select({ name: facts.name }).from(facts)).map(({ name }) => name))
  t.strictSame(
    acknowledged.filter((pair) => !names.has(`${pair}-first`) || !names.has(`${pair}-second`)),
    [],
    'every acknowledged pair is there',
  )
  const halves = [...names].filter((name) => !names.has(name.replace(/-(first|second)$/, otherHalf)))
  t.strictSame(halves, [], 'no pair is incomplete')
})

t.test('a first start that is killed at any moment leaves nothing in the way of the next', async (t) => {
  const dataDir = join(temporaryFolder(t), 'data')
  for (const pause of sampleOf(t, 'first starts killed after so many ms', [900, 1500, 2200], 1)) {
    const writer = startWriter(dataDir, 'first')
    // The moment is what varies.
    await Promise.race([delay(pause), writer.opened])
    await kill(writer)
  }
  const { db } = await open(t, dataDir)
  t.ok((await db.$count(facts)) >= 0)
  const drafts = readdirSync(dataDir).filter((name) => name.startsWith('postgres.new'))
  t.strictSame(drafts, [], 'no half-made cluster is left')
})

t.test('the data directory', async (t) => {
  t.test('belongs to its owner alone and to one process', async (t) => {
    const dataDir = join(temporaryFolder(t), 'nested/data')
    await open(t, dataDir)
    for (const folder of [dataDir, join(dataDir, 'postgres')]) t.equal(statSync(folder).mode & 0o777, 0o700)

    const second = startWriter(dataDir, 'second')
    t.strictSame(await second.ended, [1, null], 'a second process is refused')
    t.match(
      second.complaint(),
      `DATA_DIR: ${dataDir} is in use by another process; the embedded database serves only one`,
    )
  })

  t.test('is refused when others may enter it, in a line that says what to do', async (t) => {
    const dataDir = join(temporaryFolder(t), 'data')
    mkdirSync(dataDir)
    chmodSync(dataDir, 0o750)
    await t.rejects(openDatabase({ url: null, dataDir, log: silent }), {
      message: new RegExp(`DATA_DIR: ${dataDir} is open to other users \\(mode 750\\); run: chmod 700 ${dataDir}`),
    })
  })

  t.test('may have a path longer than a socket takes', async (t) => {
    const dataDir = join(temporaryFolder(t), 'long-'.repeat(25))
    await copyTemplate(dataDir)
    const server = await startEmbedded({ dataDir, durable: false, log: silent })
    t.teardown(() => server.close())
    t.ok(Buffer.byteLength(server.socketPath) <= 100)
    t.equal(statSync(join(server.socketPath, '..')).mode & 0o777, 0o700)
    const client = postgres({ path: server.socketPath, user: 'postgres', database: 'postgres', max: 1 })
    t.match(await client`select 1 as one`, [{ one: 1 }])
    await client.end()
    await server.close()
    t.notOk(existsSync(join(server.socketPath, '..')), 'the folder made for the socket is gone')
  })

  t.test('cannot be taken by one who may not enter it', async (t) => {
    const folder = realpathSync(temporaryFolder(t))
    // An abstract socket has no owner and no mode: any user of the machine can have it first.
    const stranger = createServer().listen(`\0steward-${createHash('sha256').update(folder).digest('hex')}`)
    await once(stranger, 'listening')
    t.teardown(() => stranger.close())
    await (await lockFolder(folder))()
  })

  t.test('goes to one of many that start at once, also after one that was killed', async (t) => {
    const folder = join(temporaryFolder(t), 'long-'.repeat(25))
    mkdirSync(folder)
    for (let round = 0; round < 10; round += 1) {
      const attempts = await Promise.allSettled(Array.from({ length: 12 }, () => lockFolder(folder)))
      const holders = attempts.flatMap((attempt) => (attempt.status === 'fulfilled' ? [attempt.value] : []))
      const refused = attempts.flatMap((attempt) => (attempt.status === 'rejected' ? [attempt.reason] : []))
      t.equal(holders.length, 1, `round ${round}`)
      t.ok(refused.every((reason) => /is in use by another process/.test(String(reason))))
      await t.rejects(lockFolder(folder), /in use by another process/)
      await holders[0]?.()
    }
    // What a killed process leaves behind: a link to a socket that refuses, and one to nothing.
    const killed = spawn(
      process.execPath,
      ['-e', `require('node:net').createServer().listen('dead.socket', () => process.kill(process.pid, 'SIGKILL'))`],
      { cwd: folder },
    )
    await once(killed, 'close')
    t.ok(existsSync(join(folder, 'dead.socket')))
    symlinkSync('dead.socket', join(folder, 'steward.lock.98'))
    symlinkSync('nothing', join(folder, 'steward.lock.99'))
    const release = await lockFolder(folder)
    await release()
    const left = readdirSync(folder).filter((name) => name.startsWith('steward'))
    t.ok(left.length <= 8 && left.includes('steward.lock.100'), left.join(' '))
  })
})

t.test(
  'a connection that drops inside a transaction takes it along and leaves the next one a clean session',
  async (t) => {
    const server = await startEmbedded({ dataDir: await migratedFolder(t), durable: false, log: silent })
    t.teardown(() => server.close())
    const client = () => postgres({ path: server.socketPath, user: 'postgres', database: 'postgres', max: 1 })
    const first = client()
    await first.unsafe('create table kept (n int)')
    await first.unsafe('begin; insert into kept values (1)')
    await first.end({ timeout: 0 })
    const second = client()
    t.match(await second`select count(*)::int as n from kept`, [{ n: 0 }], 'rolled back')
    await second.end()

    // A parse error leaves the session waiting for a Sync that this connection never sends.
    const raw = connect(server.socketPath)
    raw.write(Buffer.concat([startup, message('P', 'bad\0selekt\0\0\0')]))
    await once(raw, 'data')
    raw.destroy()
    const third = client()
    t.match(await Promise.race([third`select 3 as n`, delay(15_000, 'blocked')]), [{ n: 3 }], 'answered')
    await third.end()
  },
)

t.test('upkeep vacuums and makes a checkpoint once enough was written, and not before', async (t) => {
  const dataDir = await migratedFolder(t)
  const server = await startEmbedded({ dataDir, durable: false, log: silent })
  t.teardown(() => server.close())
  const client = postgres({ path: server.socketPath, user: 'postgres', database: 'postgres', max: 1 })
  t.teardown(() => client.end())
  await client.unsafe('create table busy as select 1 as n')
  await client.unsafe('update busy set n = 2')
  t.equal(await keepUp(client), false)
  for (let i = 0; i < 17; i++) await client`select pg_logical_emit_message(true, 'fill', repeat('x', 4000000))`
  t.equal(await keepUp(client), true)
  t.equal(await keepUp(client), false, 'the checkpoint is made')
  t.match(await client`select reltuples::int as rows from pg_class where relname = 'busy'`, [{ rows: 1 }])
})

t.test('closing with queries under way ends them, and no commit is lost', async (t) => {
  const dataDir = await migratedFolder(t)
  const database = await open(t, dataDir)
  const insert = (i: number) => database.db.insert(facts).values({ name: `row${i}`, value: i })
  const pending = Promise.allSettled(Array.from({ length: 300 }, (_, i) => insert(i).then(() => i)))
  await database.close()
  const outcomes = await pending
  await t.rejects(insert(999), 'a closed database refuses writes')
  const { db } = await open(t, dataDir)
  const names = new Set((await db.select({ name: facts.name }).from(facts)).map(({ name }) => name))
  for (const outcome of outcomes) {
    if (outcome.status === 'fulfilled' && !names.has(`row${outcome.value}`)) t.fail(`row${outcome.value} is lost`)
    if (outcome.status === 'rejected') t.ok(isUnavailable(outcome.reason))
  }
})

t.test('closing cuts off a query that would run on for hours', async (t) => {
  const dataDir = await migratedFolder(t)
  const database = await open(t, dataDir)
  await database.db.insert(facts).values({ name: 'kept', value: 1 })
  const endless = database.db.execute(sql`select count(*) from generate_series(1, 100000000000)`)
  const refused = t.rejects(endless)
  // That it has begun shows nowhere: the database answers nothing else meanwhile.
  await delay(200)
  const started = Date.now()
  await database.close()
  t.ok(Date.now() - started < 30_000)
  await refused
  const { db } = await open(t, dataDir)
  t.equal(await db.$count(facts), 1, 'and the database opens again with what was committed')
})

t.test('when it cannot write its log, queries fail as unavailable until it can', async (t) => {
  const dataDir = await migratedFolder(t)
  const { db } = await open(t, dataDir)
  await db.insert(facts).values({ name: 'kept', value: 1 })
  const log = join(dataDir, 'postgres/pg_wal')
  renameSync(log, `${log}.away`)
  const writeUntilItFails = async () => {
    for (;;) {
      await db.transaction(async (tx) => {
        await tx.insert(facts).values({ name: 'lost', value: 2 })
        await tx.execute(sql`select pg_logical_emit_message(true, 'fill', repeat('x', 4000000))`)
        await tx.delete(facts).where(eq(facts.name, 'lost'))
      })
    }
  }
  const failure = await Promise.race([writeUntilItFails().catch((error: unknown) => error), delay(60_000, 'it hangs')])
  t.ok(isUnavailable(failure), 'the transaction under way')
  t.ok(await db.$count(facts).then(() => false, isUnavailable), 'the next query')
  renameSync(`${log}.away`, log)
  const count = await eventually(() => db.$count(facts).catch(() => null), 'queries are answered')
  t.equal(count, 1, 'it came back by itself with what was committed')
})

const message = (type: string, body: string): Buffer => {
  const content = Buffer.from(body, 'latin1')
  const length = Buffer.alloc(4)
  length.writeInt32BE(content.length + 4)
  return Buffer.concat([Buffer.from(type), length, content])
}

const startup = message('', '\0\x03\0\0user\0postgres\0database\0postgres\0\0')
