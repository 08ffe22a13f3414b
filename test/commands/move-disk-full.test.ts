import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import t, { type Test } from 'tap'
import { contentsOf, differences } from '../../src/backups/tables/copy-tables.ts'
import { openDatabase } from '../../src/db/client.ts'
import { copyTemplate, postgresMissing, silent, testPostgres } from '../database.ts'
import { runServer, startServer } from '../server-process.ts'
import { mountMissing, smallDisk } from '../small-disk.ts'
import { adminPassword, steward } from '../steward.ts'
import { killAt, runMove } from './run-move.ts'

// steward move while the disk of the target or of the source fills up: it says what is full, and is repeated when there is space.

t.setTimeout(500_000)

const folder = await mkdtemp(join(tmpdir(), 'steward-move-full-'))
t.teardown(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }))
const dataDir = join(folder, 'data')
const env = { DATA_DIR: dataDir }
const ports = { PORT: '0', EMBEDDED_LDAP_PORT: '0' }

const contents = async (url: string | null) => {
  const database = await openDatabase({ url, dataDir, log: silent, upToDate: true })
  return contentsOf(database.db, () => {}).finally(database.close)
}

t.before(async () => {
  await copyTemplate(dataDir)
  const database = await openDatabase({ url: null, dataDir, log: silent, durable: false })
  const s = await steward(t, { directory: 'none', dataDir, database })
  await s.person('ann')
  await s.close()
  await database.close()
})

type Move = (onLine?: (line: string, pid: number) => unknown) => ReturnType<typeof runMove>

/**
 * A move into a server that has begun to copy when `fill` is called: the copy begins with emptying all tables, and waits
 * for every reader.
 * @param fill called with the connection of the reader
 */
const filledAtCopy = async (
  t: Test,
  url: string,
  { move, fill }: { move: Move; fill: (reader: postgres.Sql) => unknown },
) => {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  t.teardown(() => sql.end({ timeout: 0 }))
  const reader = await sql.reserve()
  await reader`begin`
  await reader`select from users limit 1`
  return move(async (line) => {
    if (!/^Copying: \d+ rows/.test(line)) return
    await fill(reader)
    // A server that cannot write its log has ended.
    await reader`commit`.catch(() => {})
    reader.release()
  })
}

/** What holds after an attempt, whenever it has failed. */
const failedSoundly = async (t: Test, ran: Awaited<ReturnType<typeof runMove>>, said: RegExp) => {
  t.equal(ran.status, 1)
  t.match(ran.stderr, said)
  t.match(ran.stderr, /The source is as it was\. The target cannot be used until the move was repeated/)
  t.notMatch(ran.stderr, /\n +at /, 'no stack')
}

t.test('a copy for trying out', { skip: mountMissing }, async (t) => {
  const before = await contents(null)
  const disk = await smallDisk(t, 2)
  const copy = join(disk.folder, 'copy')
  const full = /^The move failed: the disk of \S+copy is full \(\d+ MB are free\)\. .* make space/m
  const move = () => runMove(['--to', 'embedded', '--data-dir', copy], { folder, env })

  // Too little for the cluster, then for the tables, then for the rows.
  for (const megabytes of [2, 20, ...Array.from({ length: 40 }, (_, more) => 38 + more)]) {
    await rm(copy, { recursive: true, force: true })
    disk.resize(megabytes)
    const ran = await move()
    await failedSoundly(t, ran, full)
    const started = await runServer(t, { DATA_DIR: copy, ...ports })
    t.equal(started.code, 1, `${megabytes} MB: no service starts`)
    t.match(started.output, /DATA_DIR: the disk of \S+copy is full|a move into this database has not finished/)
    if (ran.status !== 1 || /^Copying/m.test(ran.stderr)) break
  }
  t.strictSame(differences(before, await contents(null)), [], 'the source is as it was')

  disk.resize(200)
  t.match(await move(), { status: 0, stdout: /both sides hold the same/ }, 'there is space again')
  const service = await startServer(t, { DATA_DIR: copy, ...ports })
  t.match(await service.call('login', { body: { username: 'admin', password: adminPassword } }), { code: 0 })
  await service.stop()
})

t.test('a server, whose tables or whose log find no space', { skip: postgresMissing || mountMissing }, async (t) => {
  const before = await contents(null)
  const disk = await smallDisk(t, 400)
  const logDisk = await smallDisk(t, 100)
  const server = await testPostgres(t, { parent: disk.folder })
  await server.stop()
  const [home = ''] = readdirSync(disk.folder)
  const log = join(disk.folder, home, 'data/pg_wal')
  execFileSync('sh', ['-c', 'cp -a "$1" "$2/log" && rm -r "$1" && ln -s "$2/log" "$1"', 'sh', log, logDisk.folder])
  await server.start()
  const move: Move = (onLine) => runMove(['--to', server.url], { folder, env, ...(onLine && { onLine }) })
  const unusable = async () => {
    t.strictSame(differences(before, await contents(null)), [], 'the source is as it was')
    const started = await runServer(t, { ...env, ...ports, DATABASE_URL: server.url })
    t.match(started, { code: 1, output: /a move into this database has not finished/ }, 'no service starts')
  }

  t.equal((await move(killAt(/^Copying/))).status, 'SIGKILL')
  const tables = await filledAtCopy(t, server.url, { move, fill: disk.fill })
  await failedSoundly(t, tables, /the disk of the target, postgres:\/\/postgres@127\.0\.0\.1:\d+\/postgres, is full/)
  disk.empty()
  await unusable()

  const fillLog = async (reader: postgres.Sql) => {
    logDisk.fill()
    // The next entry of the log needs a new file.
    await reader`select pg_switch_wal()`.catch(() => {})
  }
  const logged = await filledAtCopy(t, server.url, { move, fill: fillLog })
  await failedSoundly(
    t,
    logged,
    /The move failed: (the disk of the target, .* is full|.* the log of its server says why)/,
  )
  logDisk.empty()
  // It has ended, because it could not write.
  await server.start()
  await unusable()

  t.match(await move(), { status: 0, stdout: /both sides hold the same/ }, 'there is space again')
  t.strictSame(differences(before, await contents(server.url)), [])
  const service = await startServer(t, { ...env, ...ports, DATABASE_URL: server.url })
  t.match(await service.call('login', { body: { username: 'admin', password: adminPassword } }), { code: 0 })
  await service.stop()
})

t.test(
  'the disk of the source, before the move is noted there',
  { skip: postgresMissing || mountMissing },
  async (t) => {
    const server = await testPostgres(t)
    const disk = await smallDisk(t, 200)
    const source = join(disk.folder, 'data')
    execFileSync('cp', ['-a', dataDir, source])
    await rm(join(source, 'moved-to-a-server'), { force: true })
    const move: Move = (onLine) =>
      runMove(['--to', server.url], { folder, env: { DATA_DIR: source }, ...(onLine && { onLine }) })
    t.equal((await move(killAt(/^Copying/))).status, 'SIGKILL')
    const full = await filledAtCopy(t, server.url, { move, fill: disk.fill })
    t.match(full, { status: 1, stderr: /^The move failed: the disk of \S+data is full .* make space, and run/m })
    disk.empty()
    t.match(await move(), {
      status: 0,
      stdout: /An earlier run had copied and compared everything[\s\S]*Set DATABASE_URL/,
    })
  },
)

t.test('the disk of a server that is the source', { skip: postgresMissing || mountMissing }, async (t) => {
  const disk = await smallDisk(t, 400)
  const [source, target] = [await testPostgres(t, { parent: disk.folder }), await testPostgres(t)]
  const database = await openDatabase({ url: source.url, dataDir: '', log: silent })
  const s = await steward(t, { directory: 'none', dataDir, database })
  await s.close()
  await database.close()
  const sql = postgres(source.url, { max: 1, onnotice: () => {} })
  await sql`insert into users (username, username_key, nickname)
    select 'p' || n, 'p' || n, repeat('x', 50) from generate_series(1, 2000) n`
  // Pages are sorted, and the sort needs files.
  for (const setting of ["work_mem = '64kB'", 'enable_indexscan = off', 'enable_bitmapscan = off']) {
    await sql.unsafe(`alter database postgres set ${setting}`)
  }
  await sql.end()
  const copy = ['--to', 'embedded', '--data-dir', join(folder, 'copy')]
  for (const to of [copy, ['--to', target.url]]) {
    const move = () => runMove(to, { folder, env: { ...env, DATABASE_URL: source.url } })
    disk.fill()
    const refused = await move()
    t.match(
      refused,
      {
        status: 2,
        stderr:
          /DATABASE_URL: postgres@127\.0\.0\.1:\d+\/postgres (has a full disk\. Free some space|has an internal error \(XX000: \w.*\))/,
      },
      'it does not begin',
    )
    t.notMatch(refused.stderr, /\n +at /, 'no stack')
    disk.empty()
    t.match(await move(), { status: 0, stdout: /both sides hold the same/ }, 'there is space again')
  }
})
