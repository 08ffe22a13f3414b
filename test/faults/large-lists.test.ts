import { readFileSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import postgres from 'postgres'
import t, { type Test } from 'tap'
import { publishedOperations } from '../contract/published.ts'
import { postgresMissing, testPostgres } from '../database.ts'
import { settled } from '../eventually.ts'
import { fileLimit } from '../nightly.ts'
import { dataFolder, type ServerProcess, startServer } from '../server-process.ts'
import { listInputs, mayRefuse } from './list-inputs.ts'

// Every GET of every document on tables that are large, in a service that may take 256 MB of heap. `npm run test:large`
// makes them as large as documented; by default they are smaller, because filling them takes most of the time.

const rows = Number(process.env.LARGE_LISTS ?? 15_000)
const departments = Math.min(10_000, rows)
/** Megabytes of the service's heap. */
const heap = 256
/** Bytes of an answer from which on it has to be sent as it is read. */
const large = 1_500_000

t.setTimeout(fileLimit(900_000))

const fill = async (url: string): Promise<void> => {
  const db = postgres(url, { max: 1, onnotice: () => {} })
  const each = `from generate_series(1, ${rows}) n`
  for (const statement of [
    `insert into users (username, username_key, nickname, mail, introduction)
      select 'user' || n, 'user' || n, 'Nick ' || n, 'user' || n || '@example.org', repeat('about them ', 8) ${each}`,
    `insert into groups (group_name, group_name_key, group_type, remark)
      select 'group ' || n, 'group ' || n, 'cn', 'a department' from generate_series(1, ${departments}) n`,
    // Ten below each, which makes a tree of some depth.
    `update groups g set parent_id = p.id from groups p
      where p.group_name = 'group ' || (substring(g.group_name from 7)::int / 10) and g.id <> p.id`,
    'insert into group_members (group_id, user_id) select (select min(id) from groups), id from users where id % 2 = 0',
    `insert into sessions (id, user_id, token_id)
      select gen_random_uuid(), (select id from users where username = 'admin'), gen_random_uuid() ${each}`,
    `insert into operation_logs (seq, username, method, path, status, start_time, time_cost, hash)
      select 10000000 + n, 'user' || n, 'POST', '/user/add', 0, now(), 3, 'x' ${each}`,
    `insert into alerts (cause, title, description, level, handled_at)
      select 'cause ' || n, 'Something', 'It happened again ' || n, 'info', case when n % 2 = 0 then now() end ${each}`,
    `insert into devices (name, type, status, token_hash, last_heartbeat_at)
      select 'door ' || n, 'lock', 'online', 'hash ' || n, now() + interval '1 day' ${each}`,
    `insert into backups (type, status, path, format_version, error) select 'auto', 'failed', n || '.backup', 1, 'full' ${each}`,
    `insert into runs (source, kind, state, finished_at) select 'exta', 'users', 'done', now() ${each}`,
    `insert into run_changes (run_id, seq, action, source_id, name, name_key, state)
      select (select max(id) from runs), n, 'add', 'ding' || n, 'user' || n, 'user' || n, 'done' ${each}`,
    `insert into roles (name, keyword, sort) select 'role ' || n, 'role' || n, 500 ${each}`,
    `insert into meal_plans (user_id, date, preferences, allergies) select id, current_date, '[]', '[]' from users`,
    `insert into meals (plan_id, time, name, ingredients, own_figures)
      select id, '08:00', 'Breakfast', '[{"name": "rice", "amount": "100g"}]', '{}' from meal_plans`,
    `insert into api_entries (category, method, path, remark)
      select 'mine', 'GET', '/mine/' || n, 'mine' from generate_series(1, 5000) n`,
    `insert into menus (name, title, path) select 'menu' || n, 'Menu', '/menu' || n from generate_series(1, 2000) n`,
    'analyze',
  ]) {
    await db.unsafe(statement)
  }
  await db.end()
}

interface Read {
  status: number
  bytes: number
  /** Whether its length was known before it was sent. */
  whole: boolean
  code: unknown
}

const ask = (server: ServerProcess, path: string, token: string): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    get(`${server.url}${path}`, { headers: { authorization: `Bearer ${token}` } }, resolve).once('error', reject)
  })

/** Reads an answer to its end; of a large one only the beginning and the end are kept. */
const readAll = async (server: ServerProcess, path: string, token: string): Promise<Read> => {
  const response = await ask(server, path, token)
  let [bytes, start] = [0, '']
  for await (const chunk of response) {
    if (start.length < 100) start += (chunk as Buffer).toString('latin1', 0, 100)
    bytes += (chunk as Buffer).length
  }
  if (!response.complete) throw new Error(`${path} was cut off after ${bytes} bytes`)
  const code = /^\{"code":(\d+)/.exec(start)?.[1]
  return {
    status: response.statusCode ?? 0,
    bytes,
    whole: 'content-length' in response.headers,
    code: code === undefined ? null : Number(code),
  }
}

/** Megabytes of memory a process has, or had at the most. */
const memoryOf = ({ pid }: ServerProcess, which: 'VmRSS' | 'VmHWM'): number => {
  const [, kilobytes] =
    new RegExp(`^${which}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Math.round(Number(kilobytes) / 1024)
}

const open = async (t: Test) => {
  const { url } = await testPostgres(t)
  const settings = { DATABASE_URL: url, DATA_DIR: await dataFolder(t), EMBEDDED_LDAP_PORT: 'off' }
  const first = await startServer(t, settings)
  await first.stop()
  const started = Date.now()
  await fill(url)
  t.comment(`filled with ${rows} rows each in ${Date.now() - started} ms`)
  const server = await startServer(t, { ...settings, NODE_OPTIONS: `--max-old-space-size=${heap}` })
  const token = await server.signIn()
  const db = postgres(url, { max: 1, onnotice: () => {} })
  t.teardown(() => db.end())
  const one = async (query: string): Promise<number> => Number((await db.unsafe(query))[0]?.one)
  return { server, token, one, db }
}

const isLinux = process.platform === 'linux'

t.test('large tables', { skip: postgresMissing || (!isLinux && 'memory is read from /proc') }, async (t) => {
  const { server, token, one, db } = await open(t)
  const groupId = await one('select min(id) as one from groups')
  const userId = await one(`select id as one from users where username = 'admin'`)
  const runId = await one('select max(id) as one from runs')
  const roleId = await one('select min(id) as one from roles')
  const apiId = await one('select min(id) as one from api_entries')
  const inputs = listInputs({ groupId, userId, runId, roleId, apiId })

  await t.test('are listed by every operation, and what is large is sent as it is read', async (t) => {
    const gets = [...publishedOperations().values()].filter(
      // Streams of events have no end.
      ({ method, media }) => method === 'GET' && !media.includes('text/event-stream'),
    )
    t.ok(gets.length >= 40)
    const sizes: string[] = []
    for (const { id, path } of gets) {
      const { path: names = {}, query = {} } = inputs[id] ?? {}
      const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(Reflect.get(names, name)))
      const text = new URLSearchParams(
        Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
      )
      const started = Date.now()
      const { status, bytes, whole, code } = await readAll(server, `${filled}?${text}`, token)
      sizes.push(`${id} ${bytes} in ${Date.now() - started} ms`)
      if (!mayRefuse.test(id)) t.ok(code === null || code === 0 || code === 200, `${id}: ${status}, code ${code}`)
      t.ok(bytes < large || !whole || /Tree$/.test(id), `${id} sent ${bytes} bytes at once`)
      if (!server.running()) break
    }
    t.comment(sizes.join(', '))
    t.ok(server.running(), server.output().slice(-2000))
    t.comment(`at most ${memoryOf(server, 'VmHWM')} MB`)
    t.ok(memoryOf(server, 'VmHWM') < heap + 250, 'its memory stayed bounded')
  })

  await t.test('take no memory while a client does not read', async (t) => {
    const before = memoryOf(server, 'VmRSS')
    const paths = [
      '/api/user/list',
      `/api/group/usernoingroup?groupId=${groupId}`,
      '/api/role/list',
      '/api/log/operation/list',
    ]
    const responses = await Promise.all(Array.from({ length: 40 }, (_, n) => ask(server, paths[n % 4] ?? '', token)))
    // Until it no longer grows: by then every buffer on the way is full.
    const growth = (await settled(() => memoryOf(server, 'VmRSS'), 'the memory', { step: 2 })) - before
    t.comment(`${growth} MB for ${responses.length} answers that are not read`)
    t.ok(growth < 200, `${growth} MB`)
    for (const response of responses) response.destroy()
    t.match(await server.call('ping'), { code: 0 })
  })

  await t.test('are changed by requests as long as a body may be', async (t) => {
    const many = Math.min(rows, 10_000)
    const found = await db.unsafe(
      `select id::int as id from users where username like 'user%' order by id limit ${many}`,
    )
    const userIds = found.map(({ id }) => Number(id))
    const last = await one('select max(id) as one from groups')
    const post = (id: 'addGroupUsers' | 'removeGroupUsers', body: object) => server.call(id, { token, body })
    t.match(await post('addGroupUsers', { groupId: last, userIds }), { code: 0 })
    t.match(await post('removeGroupUsers', { groupId: last, userIds }), { code: 0 })
    t.match(await server.call('deleteUsers', { token, body: { userIds: [...userIds.slice(1), 2 ** 40] } }), {
      code: 404,
    })
    const tooMany = Array.from({ length: 100_000 }, (_, n) => n + 1)
    t.match(await server.call('deleteUsers', { token, body: { userIds: tooMany } }), {
      code: 400,
      msg: /10000 entries/,
    })
    t.match(await server.call('deleteUsers', { token, body: { userIds } }), { code: 0 })
    t.equal(await one(`select count(*) as one from users where username like 'user%'`), rows - many)
    t.ok(server.running(), server.output().slice(-2000))
    t.comment(`at most ${memoryOf(server, 'VmHWM')} MB`)
    t.ok(memoryOf(server, 'VmHWM') < heap + 250, 'its memory stayed bounded')
  })
})
