import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import t, { type Test } from 'tap'
import { openDatabase } from '../../src/db/client.ts'
import { assertReply } from '../contract/call.ts'
import { copyTemplate, silent } from '../database.ts'
import { eventually } from '../eventually.ts'
import { ldapTools, skipWithoutTools } from '../ldap-server/ldap-tools.ts'
import { fileLimit, momentOf, nightly } from '../nightly.ts'
import { person } from '../people/console.ts'
import { dataFolder, errorsIn, runServer, type ServerProcess, startServer } from '../server-process.ts'
import { directorySettings, skipWithoutSlapd, type TestSlapd, testSlapd } from '../slapd.ts'
import { adminPassword } from '../steward.ts'
import { type Asked, becomesEqual, type Shown, usersAndGroups } from './entries.ts'
import { brokenPromises, keepWriting, openWriter, type Writer } from './writers.ts'

// One process on the embedded database, which is killed, stopped, and started wrongly.

const follows = /^saved; the directory follows$/
/** Milliseconds a stop may take, by its own promise. */
const stopsWithin = 10_000

t.setTimeout(fileLimit(600_000))

/** A data directory whose database is there already: making one costs seconds. */
const usedFolder = async (t: Test): Promise<string> => {
  const folder = await dataFolder(t)
  await copyTemplate(folder)
  return folder
}

const settings = (slapd: TestSlapd, dataDir: string) => ({
  DATA_DIR: dataDir,
  ...directorySettings(slapd),
})

/** Starts all writers, and kills the process somewhere in the middle of an answer. */
const killUnderLoad = async (
  t: Test,
  server: ServerProcess,
  writers: readonly Writer[],
  round: string,
): Promise<void> => {
  const writing = keepWriting(writers)
  const after = momentOf(t, `${round}, answers before the kill`, 10, 50)
  await eventually(() => writing.answers.length >= after, `${after} answers`)
  await delay(momentOf(t, `${round}, ms after the last answer`, 0, 50))
  t.match(await server.kill(), { signal: 'SIGKILL' })
  await writing.stop()
  t.comment(`killed after ${writing.answers.length} answers`)
  t.strictSame([...new Set(writing.answers.map(({ code }) => code))], [0])
}

t.test('killed between commit and LDAP write, and under load', { skip: skipWithoutSlapd }, async (suite) => {
  const t = suite
  const slapd = await testSlapd(t)
  const environment = settings(slapd, await usedFolder(t))
  let server = await startServer(suite, environment)
  const token = await server.signIn()
  const asked = (): Asked => ({ call: server.call, token })
  const groupIds: number[] = []
  for (const groupName of ['North', 'South']) {
    const body = { groupName, groupType: 'cn', parentId: 0 }
    groupIds.push((await server.call('addGroup', { token, body })).data.id)
  }
  const writers: Writer[] = []
  for (let n = 0; n < 8; n++) writers.push(await openWriter({ username: `writer${n}`, groupIds, asked }))

  await t.test('changes committed while the directory was away arrive after the next start', async (t) => {
    await slapd.stop()
    const post = (id: Parameters<Asked['call']>[0], body: object) => server.call(id, { token, body })
    const [first, second] = (await usersAndGroups(asked())).users
    const replies = await Promise.all([
      post('addUser', person('latecomer', { departmentId: groupIds })),
      post('updateUser', { id: first?.id, username: 'renamed', departmentId: groupIds, roleIds: [] }),
      post('changeUserStatus', { id: second?.id, status: 2 }),
      post('updateGroup', { id: groupIds[0], groupName: 'Far North' }),
    ])
    for (const reply of replies) t.match(reply, { code: 0, msg: follows })
    await server.kill()
    await slapd.start()
    server = await startServer(suite, environment)
    await becomesEqual(t, asked(), slapd)
    t.ok((await usersAndGroups(asked())).users.some(({ username }) => username === 'latecomer'))
    await post('updateUser', { id: first?.id, username: first?.username, departmentId: groupIds, roleIds: [] })
    await post('changeUserStatus', { id: second?.id, status: 1 })
  })

  for (const round of nightly ? [1, 2, 3] : [1]) {
    await t.test(`killed under load, round ${round}`, async (t) => {
      await killUnderLoad(t, server, writers, `slapd, round ${round}`)
      server = await startServer(suite, environment)
      await becomesEqual(t, asked(), slapd)
      t.strictSame(await brokenPromises(asked(), writers), [])
    })
  }
  t.strictSame(errorsIn(server.output()), [])
})

t.test('told to stop', { skip: skipWithoutSlapd }, async (t) => {
  const slapd = await testSlapd(t)
  const dataDir = await usedFolder(t)
  const environment = settings(slapd, dataDir)
  const many = 3000
  // More than the buffers of a connection hold: the response does not end until the client reads it.
  const database = await openDatabase({ url: null, dataDir, log: silent })
  await database.db.execute(sql`
    insert into groups (group_name, group_name_key, group_type, remark)
    select 'g' || n, 'g' || n, 'cn', repeat('x', 6000) from generate_series(1, ${many}::int) n`)
  await database.close()
  const first = await startServer(t, environment)
  const token = await first.signIn()
  const find = async (server: ServerProcess, username: string) =>
    (await server.call('listUsers', { token, query: { username } })).data.users[0]
  const added = await first.call('addUser', { token, body: person('ada', { mail: 'ada@example.org' }) })
  const update = (server: ServerProcess, position: string) =>
    server.call('updateUser', { token, body: { id: added.data.id, position, departmentId: [], roleIds: [] } })

  await t.test('requests under way are finished, new ones are refused, queues are emptied', async (t) => {
    slapd.freeze()
    const change = update(first, 'last word')
    await eventually(async () => (await find(first, 'ada'))?.position === 'last word', 'the change is in SQL')
    t.match(await first.call('sendCode', { body: { mail: 'ada@example.org' } }), { code: 0 })
    const request = get(`${first.url}/api/group/list`, { headers: { authorization: `Bearer ${token}` } })
    const [list] = (await once(request, 'response')) as [IncomingMessage]

    const stopping = first.stop()
    for (const until = Date.now() + 9000; Date.now() < until; ) {
      const code = await first.call('ping').then(
        (reply) => reply.code,
        (error: unknown) => error instanceof TypeError && 'refused',
      )
      if (code === 'refused') break
      t.ok(code === 0 || code === 503, `answered with ${code}`)
    }
    await t.rejects(first.call('ping'), TypeError, 'no new connection is accepted')
    t.match(await change, { code: 0, msg: follows }, 'a change that waits for the directory is answered')
    const raw = { statusCode: list.statusCode ?? 0, headers: list.headers, body: await text(list) }
    t.match(
      assertReply('listGroups', raw),
      { code: 0, data: { total: many, groups: { length: many } } },
      'a list that is being read comes to its end',
    )
    const exit = await stopping
    t.match(exit, { code: 0, signal: null })
    t.ok(exit.took < stopsWithin, `it took ${exit.took} ms, with a directory that hangs`)
    t.strictSame(errorsIn(first.output()), [])
    const mails = readdirSync(join(dataDir, 'mail')).map((name) => readFileSync(join(dataDir, 'mail', name), 'utf8'))
    t.match(mails, [/To: ada@example.org/], 'the mail is written')
  })

  await t.test('nothing of it is lost, and with the directory down it stops as well', async (t) => {
    slapd.thaw()
    const second = await startServer(t, environment)
    await eventually(async () => (await find(second, 'ada'))?.syncState === 1, 'ada is in the directory')
    const entry = await slapd.ldapsearch('-b', `uid=ada,ou=people,${slapd.baseDn}`, '-s', 'base', 'title')
    t.match(entry, /^title: last word$/m)
    for (const path of ['/user/update', '/base/sendcode', '/group/list']) {
      const { data } = await second.call('listOperationLogs', { token, query: { path } })
      t.match(data.logs, [{ status: 0 }], `${path} is in the log`)
    }

    await slapd.stop()
    const changes = ['a', 'b', 'c'].map((position) => update(second, position))
    for (const change of await Promise.all(changes)) t.match(change, { code: 0, msg: follows })
    const exit = await second.stop()
    t.match(exit, { code: 0, signal: null })
    t.ok(exit.took < stopsWithin, `it took ${exit.took} ms`)
  })
})

t.test('no client delays a stop until something is dropped', async (t) => {
  const environment = { DATA_DIR: await dataFolder(t), DRAIN_PERIOD: '1s' }
  const first = await startServer(t, environment)
  const { hostname, port } = new URL(first.url)
  const whole = 'GET /api/base/ping HTTP/1.1\r\nHost: steward\r\n\r\n'
  const halves = {
    nothing: '',
    'half a head': whole.slice(0, -2),
    'half a head after a request': `${whole}GET /api`,
    'half a body':
      'POST /api/base/login HTTP/1.1\r\nHost: steward\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{',
    'half a body, chunked':
      'POST /api/base/login HTTP/1.1\r\nHost: steward\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n{',
  }
  for (const [what, bytes] of Object.entries(halves)) {
    const socket = connect(Number(port), hostname)
    socket.on('error', () => {})
    // What is not read holds the end of a connection back.
    socket.resume()
    await once(socket, 'connect')
    socket.write(bytes)
    t.comment(what)
  }
  const token = await first.signIn()
  t.match(await first.call('addUser', { token, body: person('late') }), { code: 0 })
  const exit = await first.stop()
  t.match(exit, { code: 0, signal: null }, `it took ${exit.took} ms`)
  t.match(first.output(), /"msg":"stopped"/)
  const second = await startServer(t, environment)
  t.notMatch(second.output(), /ended without a stop/, 'no entry of the log may be missing')
  const { data } = await second.call('listOperationLogs', { token, query: { path: '/user/add' } })
  t.match(data.logs, [{ status: 0 }])
  t.match(await second.stop(), { code: 0 })
})

t.test('everything embedded', { skip: skipWithoutTools }, async (suite) => {
  const t = suite
  const environment = { DATA_DIR: await dataFolder(t) }
  let server = await startServer(suite, environment)
  const token = await server.signIn()
  const asked = (): Asked => ({ call: server.call, token })
  const directory = (): Shown & ReturnType<typeof ldapTools> => {
    const [, url = '', baseDn = ''] = / directory +(ldap:\S+) (\S+)/.exec(server.output()) ?? []
    const bindPassword = readFileSync(join(environment.DATA_DIR, 'secrets/directory-password'), 'utf8').trim()
    const tools = ldapTools({ url, baseDn, bindDn: `cn=admin,${baseDn}`, bindPassword })
    return { ...tools, baseDn, ldapsearch: async (...args) => (await tools.search(...args)).stdout }
  }
  const bind = async (username: string, password: string): Promise<number | null> => {
    const { as, baseDn } = directory()
    return (await as(`uid=${username},ou=people,${baseDn}`, password, 'ldapwhoami', [])).code
  }
  const body = { groupName: 'Company', groupType: 'cn', parentId: 0 }
  const groupIds = [(await server.call('addGroup', { token, body })).data.id]
  const writers: Writer[] = []
  for (let n = 0; n < 6; n++) writers.push(await openWriter({ username: `writer${n}`, groupIds, asked }))

  for (const round of nightly ? [1, 2, 3] : [1]) {
    await t.test(`killed at a random moment, round ${round}: SQL and the directory agree`, async (t) => {
      const newcomer = person(`newcomer${round}`, { password: `seven-quiet-lanterns-${round}`, departmentId: groupIds })
      t.match(await server.call('addUser', { token, body: newcomer }), { code: 0 })
      await killUnderLoad(t, server, writers, `everything embedded, round ${round}`)
      server = await startServer(suite, environment)
      await becomesEqual(t, asked(), directory())
      t.strictSame(await brokenPromises(asked(), writers), [])
      t.equal(await bind('admin', adminPassword), 0, 'people can bind')
      for (let n = 1; n <= round; n++) t.equal(await bind(`newcomer${n}`, `seven-quiet-lanterns-${n}`), 0)
      t.not(await bind('newcomer1', 'something else'), 0)
    })
  }

  /** The output of a start that must fail, as lines for people: without a stack. */
  const refusal = async (t: Test, more: Record<string, string>): Promise<string> => {
    const { code, output } = await runServer(t, { ...environment, ...more })
    t.equal(code, 1)
    t.notMatch(output, /^ +at /m)
    return output
  }

  await t.test('a second process on its data directory is refused, in a line that names it', async (t) => {
    const said = await refusal(t, {})
    t.match(said, `DATA_DIR: ${environment.DATA_DIR} is in use by another process`)
    t.equal((await server.call('ping')).code, 0, 'the first one does not mind')
  })

  await t.test('wrong settings are named together', async (t) => {
    const wrong = { PORT: 'eighty', LDAP_URL: 'http://example.org', TOKEN_TTL: 'soon', LDAP_BIND_PASSWORD: '' }
    const said = await refusal(t, wrong)
    for (const name of Object.keys(wrong)) t.match(said, new RegExp(`^  ${name}: `, 'm'))
    t.notMatch(said, /eighty|soon/)
  })

  await t.test('a port in use is named, and nothing stays locked', async (t) => {
    t.match(await server.stop(), { code: 0 })
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    t.teardown(() => void taken.close())
    const address = taken.address()
    const port = String(typeof address === 'object' ? address?.port : '')
    t.match(await refusal(t, { PORT: port }), new RegExp(`^  PORT: .*${port}.* in use`, 'm'))
    server = await startServer(suite, environment)
    await becomesEqual(t, asked(), directory())
    t.match(await server.stop(), { code: 0 })
  })
})
