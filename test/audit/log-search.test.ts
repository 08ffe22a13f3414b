import { sql } from 'drizzle-orm'
import t, { type Test } from 'tap'
import type { LogEntry } from '../../src/audit/entry.ts'
import { logKeys } from '../../src/audit/keys.ts'
import { openOperationLog } from '../../src/audit/writer.ts'
import { postgresMissing, silent, testServerDatabase } from '../database.ts'
import { eventually } from '../eventually.ts'
import { steward, type TestStewardOptions } from '../steward.ts'

const secret = 'a-secret-for-this-test-only-long-enough'

const open = async (t: Test, options: TestStewardOptions = {}) => {
  const s = await steward(t, { directory: 'none', env: { LOG_KEY: secret }, ...options })
  const writer = openOperationLog({ db: s.db, keys: logKeys([secret]), log: silent })
  t.teardown(() => writer.close())
  return {
    ...s,
    write: async (...entries: Partial<LogEntry>[]): Promise<void> => {
      for (const entry of entries) {
        writer.append({
          ...{ username: 'ann', ip: '192.0.2.1', method: 'POST', path: '/user/add', remark: 'Add a user' },
          ...{
            status: 0,
            startTime: new Date(),
            timeCost: 3,
            userAgent: 'curl',
            target: [],
            times: 1,
            preview: false,
            ...entry,
          },
        })
      }
      await writer.flush()
    },
    list: async (query: Record<string, string | number> = {}) => {
      const { code, msg, data } = await s.call('listLogEntries', { token: s.token, query })
      if (code !== 200) throw new Error(`${code} ${msg}`)
      return data
    },
  }
}

t.test('pages follow each other without a repetition or a gap, also while entries are added', async (t) => {
  const { write, list } = await open(t)
  await write(...Array.from({ length: 60 }, (_, n) => ({ path: '/mine', remark: `number ${n}` })))
  const remarks: string[] = []
  let cursor: number | null = null
  do {
    const page: Awaited<ReturnType<typeof list>> = await list({ path: '/mine', limit: 25, ...(cursor && { cursor }) })
    remarks.push(...page.entries.map(({ remark }) => remark))
    cursor = page.next
    await write({ path: '/mine', remark: 'later' })
  } while (cursor !== null)
  t.same(
    remarks,
    Array.from({ length: 60 }, (_, n) => `number ${59 - n}`),
  )
})

t.test('each filter leaves what it says', async (t) => {
  const { write, list, person } = await open(t)
  const bea = await person('bea')
  // The service writes its own entries a moment later; the places in the log follow the time.
  await eventually(
    async () => (await list({ path: '/user/add' })).entries.length === 1,
    'the entry of the person added',
  )
  await write(
    { remark: 'refused', status: 403, path: '/user/delete', method: 'POST' },
    { remark: 'failed', status: 502, path: '/v1/operations/runs/{id}/confirm' },
    { remark: 'fine', status: 200, method: 'GET', path: '/v1/operations/runs' },
    { remark: 'by bea', username: 'bea', ip: '2001:db8::7' },
    { remark: 'percent', path: '/100%/x' },
    { remark: 'long', startTime: new Date('2100-03-01T09:00:00Z'), timeCost: 2 * 3_600_000 },
    { remark: 'late', startTime: new Date('2100-03-01T10:00:00Z'), timeCost: 4_000_000 },
  )
  const found = async (query: Record<string, string | number>) =>
    (await list({ ...query, limit: 200 })).entries
      .map(({ remark }) => remark)
      .filter((remark) => ['refused', 'failed', 'fine', 'by bea', 'percent', 'long', 'late'].includes(remark))
  t.same(await found({ to: '2100-02-01T00:00:00Z' }), ['percent', 'by bea', 'fine', 'failed', 'refused'])
  t.same(await found({ from: '2100-02-01T00:00:00Z' }), ['late', 'long'])
  t.same(await found({ from: '2100-02-01T00:00:00Z', to: '2100-03-01T09:30:00Z' }), ['long'])
  t.same(await found({ user: 'bea' }), ['by bea'])
  t.same(await found({ user: 'BEA' }), ['by bea'], 'as usernames are compared')
  t.same(await found({ user: String(bea.id) }), ['by bea'], 'by the id')
  t.same(await found({ user: 'be' }), [], 'the whole name')
  t.same(await found({ path: '/v1/operations/runs' }), ['fine', 'failed'], 'the start')
  t.same(await found({ path: 'runs/{id}' }), ['failed'], 'a part')
  t.same(await found({ path: '/runs' }), [], 'a slash means the start')
  t.same(await found({ path: '100%' }), ['percent'], 'a per cent sign is a plain character')
  t.same(await found({ result: 'refused' }), ['refused'])
  t.same(await found({ result: 'failed' }), ['failed'])
  t.same(await found({ result: 'success' }), ['late', 'long', 'percent', 'by bea', 'fine'])
  t.same(await found({ status: 403 }), ['refused'])
  t.same(await found({ method: 'GET' }), ['fine'])
  t.same(await found({ ip: '2001:db8:' }), ['by bea'])
  t.same(await found({ q: 'DELETE' }), ['refused'])
  t.same(await found({ user: '', path: '', q: '', ip: '' }), [
    'late',
    'long',
    'percent',
    'by bea',
    'fine',
    'failed',
    'refused',
  ])
  const [entry] = (await list({ user: 'bea' })).entries
  t.match(entry, { userId: bea.id, result: 'success' })
})

t.test('a filter finds what is far back, past many entries that do not pass it', async (t) => {
  const { db, write, list } = await open(t)
  await write({ path: '/needle' })
  // The rows of this stretch are not part of the chain; the list does not verify it.
  await db.transaction(async (tx) => {
    // As the writers of entries do: the service may be writing one.
    await tx.execute(sql`select from operation_log_head for update`)
    await tx.execute(sql`
      insert into operation_logs (seq, username, method, path, status, start_time, time_cost, hash)
      select n + (select max(seq) from operation_logs), 'u', 'GET', '/hay', 200, now(), 1, 'x'
      from generate_series(1, 90000) n`)
    await tx.execute(sql`update operation_log_head set seq = (select max(seq) from operation_logs)`)
  })
  t.match(await list({ path: '/needle' }), { entries: [{ path: '/needle' }], next: null })
  const page = await list({ path: '/hay', limit: 2 })
  t.match(page.entries, [{ path: '/hay' }, { path: '/hay' }])
})

t.test('an entry shows its place, its operation, and the records it touched as they are named now', async (t) => {
  const { call, token, person, list } = await open(t)
  const { id } = await person('cai')
  await call('changeUserStatus', { token, body: { id, status: 2 } })
  const [entry] = (await list({ path: '/user/changeUserStatus' })).entries
  const shown = await call('getLogEntry', { token, params: { id: entry?.id ?? 0 } })
  t.match(shown.data, { operationId: 'changeUserStatus', touched: [{ kind: 'user', id, name: 'cai' }] })
  const before = await call('getLogEntry', { token, params: { id: (entry?.id ?? 0) - 1 } })
  t.equal(shown.data.previousHash, before.data.hash)
  const [added] = (await list({ path: '/user/add' })).entries
  const mixed = await call('getLogEntry', { token, params: { id: added?.id ?? 0 } })
  t.match(mixed.data.touched, [{ kind: 'user', id, name: 'cai' }])
  for (const { name } of mixed.data.touched.slice(1)) t.equal(name, null, 'departments and roles are not told apart')
  t.match(await call('getLogEntry', { token, params: { id: 999_999 } }), { code: 404, reason: 'audit.entry_not_found' })
})

t.test('the history of a record has what was done to it, and nothing about others with the same number', async (t) => {
  const { take, person, list } = await open(t)
  const pathsOf = async (record: string) => (await list({ record })).entries.map(({ path }) => path)
  const { id: first } = await person('dora')
  const { id: group } = await take('addGroup', {
    body: { groupName: 'Choir', groupType: 'cn', parentId: 0, remark: '' },
  })
  // Its number is that of a role, which everyone who is added below holds.
  const { id: second } = await person('emil', { roleIds: [first] })
  await take('addGroupUsers', { body: { groupId: group, userIds: [first, second] } })
  t.same(await pathsOf(`user:${first}`), ['/group/adduser', '/user/add'])
  t.same(await pathsOf(`user:${second}`), ['/group/adduser', '/user/add'])
  const [added] = (await list({ path: '/group/adduser' })).entries
  t.match((await take('getLogEntry', { params: { id: added?.id ?? 0 } })).touched, [
    { kind: 'group', id: group, name: 'Choir' },
    { kind: 'user', id: first, name: 'dora' },
    { kind: 'user', id: second, name: 'emil' },
  ])
})

t.test('the history of a declared attribute is its own', async (t) => {
  const { take, list, db } = await open(t)
  const pathsOf = async (record: string) => (await list({ record })).entries.map(({ path }) => path)
  await db.execute(sql`update sessions set stepped_up_at = now()`)
  const { id } = await take('declareAttribute', {
    body: { kind: 'user', name: 'shoeSize', labels: { en: 'Shoe size', 'zh-CN': '鞋码' }, type: 'integer' },
  })
  await take('updateAttribute', { params: { id }, body: { maximum: 50 } })
  t.same(await pathsOf(`attribute:${id}`), ['/v1/operations/attributes/{id}', '/v1/operations/attributes'])
  const [entry] = (await list({ record: `attribute:${id}` })).entries
  const touched = async () => (await take('getLogEntry', { params: { id: entry?.id ?? 0 } })).touched
  t.match(await touched(), [{ kind: 'attribute', id, name: 'shoeSize' }])
  await take('removeAttribute', { params: { id } })
  t.match(await touched(), [{ kind: 'attribute', id, name: null }])
})

t.test('what an administrator removed from the list is nowhere in it', async (t) => {
  const { call, token, write, list } = await open(t)
  await write({ path: '/removed' })
  const [entry] = (await list({ path: '/removed' })).entries
  const id = entry?.id ?? 0
  await call('deleteOperationLogs', { token, body: { operationLogIds: [id] } })
  t.same((await list({ path: '/removed' })).entries, [])
  t.match(await call('getLogEntry', { token, params: { id } }), { code: 404 })
  t.notMatch((await call('exportLog', { token, query: { path: '/removed' } })).body, '/removed,')
})

t.test('a file has what the list has, and no cell is a formula', async (t) => {
  const { call, token, write, list } = await open(t)
  await write(
    { path: '/file', remark: '=HYPERLINK("http://x","y")', username: '+1', userAgent: '@SUM(A1)' },
    { path: '/file', remark: '-2+3', userAgent: 'a "quoted", text', target: [4, 5] },
  )
  const csv = await call('exportLog', { token, query: { path: '/file' } })
  t.match(csv.headers['content-type'], /^text\/csv/)
  t.match(csv.headers['content-disposition'], /^attachment; filename="operation-log-\d{4}-\d\d-\d\d\.csv"$/)
  t.ok(csv.body.startsWith('\ufeffid,startTime,username,'))
  const lines = csv.body.trim().split('\r\n').slice(1)
  t.equal(lines.length, 2)
  t.match(lines[0], /,ann,.*,'-2\+3,0,success,3,4 5,1,"a ""quoted"", text",false$/)
  t.match(lines[1], /,'\+1,.*,"'=HYPERLINK\(""http:\/\/x"",""y""\)",0,success,3,,1,'@SUM\(A1\),false$/)
  const ndjson = await call('exportLog', { token, query: { path: '/file', format: 'ndjson' } })
  t.match(ndjson.headers['content-type'], /^application\/x-ndjson/)
  const entries = ndjson.body
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  t.same(entries, (await list({ path: '/file' })).entries)
})

t.test('nor is a part of one, where a spreadsheet separates cells by semicolons', async (t) => {
  const { call, token, write } = await open(t)
  const agents = ['x;=1+1;y', 'x; =1+1', 'x;"=1+1;y', '"=1+1', ' =1+1', 'x;;@SUM(A1)', 'x|-2+3', 'plain; text']
  await write(...agents.map((userAgent) => ({ path: '/parts', userAgent })))
  const { body } = await call('exportLog', { token, query: { path: '/parts' } })
  const parts = body.split(/[\r\n;|]/)
  // As it reads a cell: a quote that begins one ends with the next, and what is behind it is part of the text.
  const shown = parts.map((part) => part.trim().replace(/^""/, '').trim())
  t.same(
    shown.filter((part) => /^[=+\-@]/.test(part)),
    [],
  )
  for (const userAgent of agents) t.ok(body.replaceAll(/['"]/g, '').includes(userAgent.replaceAll('"', '')), userAgent)
})

t.test('the chain is verified in the background, and what was found stays', async (t) => {
  const { call, token, db, write } = await open(t)
  await write({ remark: 'to be changed' })
  t.match((await call('getLogChain', { token })).data, { state: 'unknown', first: 1, verification: undefined })
  const verified = async () => {
    const { data } = await call('verifyLog', { token })
    for (;;) {
      const { data: chain } = await call('getLogChain', { token })
      if (chain.verification?.id === data.id) return chain
    }
  }
  t.match(await verified(), { state: 'intact', verification: { creator: 'admin', failure: '', gaps: { length: 0 } } })
  await db.execute(sql`update operation_logs set remark = 'changed' where remark = 'to be changed'`)
  const chain = await verified()
  t.match(chain, { state: 'broken', verification: { broken: { what: 'changed' } } })
  const alerted = async () => /operation log/i.test(JSON.stringify((await call('listAlerts', { token })).data))
  t.ok(await eventually(alerted, 'the alert'))
})

t.test('one verification at a time, on all instances', { skip: postgresMissing }, async (t) => {
  const database = await testServerDatabase(t)
  const first = await open(t, { database })
  const second = await steward(t, { directory: 'none', env: { LOG_KEY: secret }, database })
  const answers = await Promise.all([first, second, first, second].map((s) => s.call('verifyLog', { token: s.token })))
  const started = answers.filter(({ msg }) => msg === 'success')
  const joined = answers.filter(({ msg }) => /in progress already/.test(msg))
  t.equal(started.length + joined.length, 4)
  for (const { data } of joined) {
    t.ok(
      started.some((other) => other.data.id === data.id),
      'a caller joins one that was started',
    )
  }
})

t.test('a preview is marked, and is no change of the person', async (t) => {
  const { call, token, person, list } = await open(t)
  const { id } = await person('dana')
  const body = { action: 'disable', ids: [id] }
  await call('changePeople', { token, body: { ...body, dryRun: true } })
  await call('changePeople', { token, body })
  const path = '/v1/operations/people/bulk'
  const marks = async (changes: boolean) =>
    (await list({ record: `user:${id}`, path, ...(changes && { changes: 'true' }) })).entries.map(
      (each) => each.preview,
    )
  t.same(await marks(false), [false, true])
  t.same(await marks(true), [false])
})

t.test(
  'the history of a record has what was done to it, however many others the request named before it',
  async (t) => {
    const s = await open(t)
    const ids: number[] = []
    for (let n = 0; n < 120; n += 1) {
      const named = { username: `person${n}`, nickname: 'P', mail: '', mobile: '', jobNumber: '' }
      ids.push((await s.take('addUser', { body: { ...named, departmentId: [], roleIds: [] } })).id)
    }
    const victim = ids.at(-1) ?? 0
    const { id: groupId } = await s.take('addGroup', { body: { groupName: 'All', groupType: 'cn', parentId: 0 } })
    const { id: roleId } = await s.take('addRole', { body: { name: 'all', keyword: 'all' } })
    const apiIds = (await s.take('listApis')).apis.map(({ id }) => id)
    const lastApi = apiIds.at(-1) ?? 0
    const noPeople = Array.from({ length: 250 }, (_, n) => 900_000 + n)
    const history = async (record: string, path: string) => (await s.list({ record, path, limit: 200 })).entries

    for (const [operation, body, path, records] of [
      ['addGroupUsers', { groupId, userIds: ids }, '/group/adduser', [`user:${victim}`, `group:${groupId}`]],
      ['removeGroupUsers', { groupId, userIds: ids }, '/group/removeuser', [`user:${victim}`, `group:${groupId}`]],
      ['updateRoleApis', { roleId, apiIds }, '/role/updateapis', [`api:${lastApi}`, `role:${roleId}`]],
      [
        'changePeople',
        { action: 'disable', ids: [...noPeople, victim] },
        '/v1/operations/people/bulk',
        [`user:${victim}`],
      ],
      ['deleteUsers', { userIds: ids }, '/user/delete', [`user:${victim}`]],
    ] as const) {
      await s.take(operation, { body })
      for (const record of records) {
        const entries = await history(record, path)
        t.ok(entries.length > 0, `${operation} is in the history of ${record}`)
        t.ok(entries.every(({ target }) => target.length <= 100))
      }
    }
    t.same(await history(`user:${groupId + 100_000}`, '/group/'), [])
    const { entries } = await s.list({ path: '/v1/operations/people/bulk' })
    t.same(
      entries.map(({ remark, target }) => [remark.replace(/.*\(/, '('), target.length]),
      [
        ['(entry 3 of 3)', 51],
        ['(entry 2 of 3)', 100],
        ['(entry 1 of 3)', 100],
      ],
    )
    t.equal((await s.call('deleteUsers', { body: { userIds: noPeople }, token: s.token })).code, 404)
    const refused = await s.list({ path: '/user/delete', status: 404 })
    t.match(refused.entries, [{ target: { length: 100 } }], 'what was refused has one entry')
    t.equal(refused.entries.length, 1)
  },
)

t.test(
  'the history of a record has what a request did with a record of another kind that has the same id',
  async (t) => {
    const s = await open(t)
    const named = { nickname: 'P', mail: '', mobile: '', jobNumber: '', departmentId: [], roleIds: [] }
    const other = await s.take('addUser', { body: { ...named, username: 'other' } })
    const { id } = await s.take('addUser', { body: { ...named, username: 'twin' } })
    const addGroup = (n: number) => s.take('addGroup', { body: { groupName: `g${n}`, groupType: 'cn', parentId: 0 } })
    for (let n = 0, last = 0; last < id; n += 1) last = (await addGroup(n)).id
    const groupId = id
    await s.take('addGroupUsers', { body: { groupId, userIds: [other.id, id] } })
    await s.take('removeGroupUsers', { body: { groupId, userIds: [id] } })
    await s.take('addGroupUsers', { body: { groupId, userIds: [other.id] } })
    const pathsOf = async (record: string) =>
      (await s.list({ record, path: '/group/', changes: 'true' })).entries
        .map(({ path }) => path)
        .filter((path) => path !== '/group/add')
    t.same(await pathsOf(`user:${id}`), ['/group/removeuser', '/group/adduser'])
    t.same(await pathsOf(`user:${other.id}`), ['/group/adduser', '/group/adduser'])
    t.same(await pathsOf(`group:${id}`), ['/group/adduser', '/group/removeuser', '/group/adduser'])
  },
)

t.test('the history of a record has what was done to it, whichever operation did it', async (t) => {
  const { write, list } = await open(t)
  await write(
    { remark: 'updated', path: '/user/update', target: [71_234, 5] },
    { remark: 'joined', path: '/group/adduser', target: [9, 71_234] },
    { remark: 'was joined', path: '/group/addUser', target: [71_234, 9] },
    { remark: 'bulk', path: '/v1/operations/people/bulk', target: [3, 71_234] },
    { remark: 'previewed', path: '/v1/operations/people/bulk', target: [71_234], preview: true },
    { remark: 'a group', path: '/group/update', target: [71_234] },
    { remark: 'a role', path: '/role/updateMenus', target: [71_234] },
    { remark: 'a backup', path: '/v1/operations/backups', target: [71_234] },
    { remark: 'another', path: '/user/update', target: [712_340] },
    { remark: 'nothing', path: '/user/list', target: [] },
    { remark: 'looked at', method: 'GET', path: '/v1/operations/people/{id}', target: [71_234] },
  )
  const touching = async (record: string, more = {}) =>
    (await list({ record, ...more })).entries.map(({ remark }) => remark)
  t.same(await touching('user:71234'), ['looked at', 'previewed', 'bulk', 'joined', 'updated'])
  t.same(await touching('user:71234', { changes: true }), ['bulk', 'joined', 'updated'], 'no look, no preview')
  t.same(await touching('group:71234'), ['a group', 'was joined'])
  t.same(await touching('role:5'), ['updated'])
  t.same(await touching('menu:71234'), ['a role'])
  t.same(await touching('backup:71234'), ['a backup'])
  t.same(await touching('user:8'), [])
})
