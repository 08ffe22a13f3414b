import { sql } from 'drizzle-orm'
import t, { type Test } from 'tap'
import { changingOperations, lately } from '../../src/posture/lately.ts'
import { eventually } from '../eventually.ts'
import { adminPassword, steward, type TestSteward, type TestStewardOptions } from '../steward.ts'

const open = (t: Test, options: TestStewardOptions = {}): Promise<TestSteward> =>
  steward(t, { directory: 'none', ...options })

const overviewOf = async ({ call, token }: TestSteward) => (await call('getOverview', { token })).data

t.test('the overview of an empty installation has zeros and leaves out what was never done', async (t) => {
  const overview = await overviewOf(await open(t))
  t.match(overview, {
    people: { enabled: 1, disabled: 0 },
    departments: 0,
    alerts: { info: 0, warning: 0, danger: 0 },
    runs: { held: 0, running: 0 },
    directory: { kind: 'none', inStep: 0, waiting: 0, refused: 0, oldestWaitingAt: null },
    sources: { length: 0 },
    lastBackup: undefined,
    score: undefined,
    signIns: [{ username: 'admin' }],
  })
})

t.test('the overview counts what is there', async (t) => {
  const s = await open(t)
  const { call, token, db } = s
  await call('addGroup', { token, body: { groupName: 'Friends', groupType: 'cn', parentId: 0 } })
  const { id } = await s.person('ann')
  await call('changeUserStatus', { token, body: { id, status: 2 } })
  await db.execute(sql`
    insert into groups (group_name, group_name_key, group_type, source, source_dept_id) values ('Sales', 'sales', 'cn', 'exta', '7')`)
  await db.execute(sql`
    insert into alerts (cause, title, description, level, handled_at) values
      ('a', 'A', 'a', 'danger', null), ('b', 'B', 'b', 'info', null), ('c', 'C', 'c', 'danger', now())`)
  await db.execute(sql`
    insert into runs (source, kind, state, dry_run, finished_at) values
      ('exta', 'users', 'done', false, now()), ('exta', 'users', 'held', false, now()), ('exta', 'users', 'planned', true, now())`)
  await call('createBackup', { token, body: { type: 'manual' } })
  const checked = await call('checkSecurity', { token })
  t.match(await overviewOf(s), {
    people: { enabled: 1, disabled: 1 },
    departments: 1,
    groups: 1,
    alerts: { info: 1, warning: 0, danger: 1 },
    runs: { held: 1, running: 0 },
    sources: [{ source: 'exta', kind: 'users', state: 'held' }],
    lastBackup: { status: 'success' },
    score: { score: checked.data.score },
  })
})

/** What happens within one millisecond has no order. */
const nextMillisecond = async (): Promise<void> => {
  const now = Date.now()
  await eventually(() => Date.now() > now + 1, 'the next millisecond')
}

t.test('what happened lately: changes by whom, runs, alerts, backups and restores, newest first', async (t) => {
  const s = await open(t)
  const { call, take, token, db } = s
  const groupId = (await take('addGroup', { body: { groupName: 'Friends', groupType: 'cn', parentId: 0 } })).id
  const [ann, bea, cy] = [(await s.person('ann')).id, (await s.person('bea')).id, (await s.person('cy')).id]
  await take('addGroupUsers', { body: { groupId, userIds: [ann, bea] } })
  // None of these is news: a preview, a refusal, what only reads, a dry run, and a scheduled run that changed nothing.
  await call('changePeople', { token, body: { ids: [ann], action: 'disable', dryRun: true } as never })
  t.not((await call('updateUser', { token, body: { id: 999, username: 'x' } as never })).code, 0)
  await take('listUsers')
  await db.execute(sql`
    insert into runs (source, kind, state, dry_run, creator, added, finished_at) values
      ('exta', 'users', 'done', false, 'schedule', 3, now()), ('exta', 'users', 'planned', true, 'admin', 3, now()),
      ('exta', 'groups', 'done', false, 'schedule', 0, now())`)
  await nextMillisecond()
  await take('createBackup', { body: { type: 'manual' } })
  await nextMillisecond()
  await db.execute(sql`insert into tasks (kind, state, creator, backup_id) values ('restore', 'failed', 'admin', 1)`)
  await nextMillisecond()
  await db.execute(sql`
    insert into alerts (cause, title, description, level, rule) values ('a', 'A', 'b', 'danger', 'backupFailed')`)
  await nextMillisecond()
  await take('deleteUsers', { body: { userIds: [bea, cy] } })
  await take('listLogEntries')
  const { lately } = await overviewOf(s)
  const user = { kind: 'user', id: ann, name: 'ann' }
  t.match(lately, [
    { kind: 'change', by: 'admin', change: { path: '/user/delete', touched: { id: bea, name: null }, records: 2 } },
    { kind: 'alert', by: '', alert: { level: 'danger', rule: 'backupFailed', handledAt: null } },
    { kind: 'restore', by: 'admin', restore: { state: 'failed', backupId: 1 } },
    { kind: 'backup', by: 'admin', backup: { status: 'success' } },
    { kind: 'run', by: 'schedule', run: { source: 'exta', kind: 'users', state: 'done', added: 3 } },
    { kind: 'change', change: { path: '/group/adduser', touched: { kind: 'group', name: 'Friends' }, records: 1 } },
    { kind: 'change', change: { path: '/user/add', touched: { kind: 'user', id: cy, name: null } } },
    { kind: 'change', change: { path: '/user/add', touched: { kind: 'user', id: bea, name: null } } },
    { kind: 'change', by: 'admin', change: { method: 'POST', path: '/user/add', touched: user } },
    { kind: 'change', by: 'admin', change: { path: '/group/add', touched: { name: 'Friends' } } },
  ])
  t.equal(lately.length, 10)
  const { operationId } = await take('getLogEntry', { params: { id: lately[0]?.id ?? 0 } })
  t.equal(operationId, 'deleteUsers', 'the entry of the log')

  // Hidden entries are in no list, and no list is longer than it says.
  await take('deleteOperationLogs', { body: { operationLogIds: [lately[0]?.id ?? 0] } })
  await db.execute(sql`
    insert into alerts (cause, title, description, level) select 'many ' || n, 'A', 'b', 'info' from generate_series(1, 30) as n`)
  const { lately: later } = await eventually(async () => {
    const overview = await overviewOf(s)
    return overview.alerts.info === 30 && overview
  }, 'newer figures')
  t.equal(later.length, 20)
  t.ok(later.every(({ kind }) => kind === 'alert'))
})

t.test('a request that names many records happened once', async (t) => {
  const s = await open(t)
  const { id } = await s.person('ann')
  const ids = [id, ...Array.from({ length: 1000 - 1 }, (_, n) => 900_000 + n)]
  for (const action of ['disable', 'enable'] as const) await s.take('changePeople', { body: { action, ids } })
  await s.take('listLogEntries')
  const { lately } = await overviewOf(s)
  const change = { path: '/v1/operations/people/bulk', remark: /^[^(]*$/, touched: { id, name: 'ann' }, records: 1000 }
  t.match(lately, [{ change }, { change }, { change: { path: '/user/add', records: 1 } }])
  t.equal(lately.length, 3)
})

t.test('who may not read the log, runs, alerts or backups does not read them in the overview', async (t) => {
  const s = await open(t)
  await s.take('addGroup', { body: { groupName: 'Friends', groupType: 'cn', parentId: 0 } })
  await s.take('createBackup', { body: { type: 'manual' } })
  const { apis } = await s.take('listApis')
  const granted = async (...paths: string[]) => {
    const name = `holder of ${paths.length} ${paths.at(-1)?.slice(-4)}`
    const { id } = await s.take('addRole', { body: { name, keyword: name, remark: '', sort: 5, status: 1 } })
    const apiIds = apis.filter(({ method, path }) => method === 'GET' && paths.includes(path)).map(({ id }) => id)
    t.equal(apiIds.length, paths.length)
    await s.take('updateRoleApis', { body: { roleId: id, apiIds } })
    const { token } = await s.person(`holder${id}`, { roleIds: [id] })
    const { lately } = (await s.call('getOverview', { token })).data
    return new Set(lately.map(({ kind }) => kind))
  }
  t.strictSame(await granted('/v1/operations/overview'), new Set())
  t.strictSame(await granted('/v1/operations/overview', '/v1/operations/backups'), new Set(['backup']))
  t.strictSame(await granted('/v1/operations/overview', '/v1/operations/log'), new Set(['change']))
})

t.test('what happened lately is read by indexes, whatever the length of the log', async (t) => {
  const s = await open(t)
  await s.db.execute(sql`
    insert into operation_logs (seq, method, path, status, start_time, time_cost, target, hash)
    select n + 100000, case when n % 50 = 0 then 'POST' else 'GET' end, '/user/update', 0, now(), 1,
      '[1]', n::text from generate_series(1, 60000) as n`)
  await s.db.execute(sql`analyze operation_logs`)
  const plan = await s.db.execute<{ 'QUERY PLAN': string }>(sql`explain (analyze, costs off, timing off) ${lately}`)
  const text = plan.map((row) => row['QUERY PLAN']).join('\n')
  t.match(text, /operation_logs_changes_index/, 'the newest changes')
  t.notMatch(text, /Seq Scan on operation_logs /, 'not the whole log')
})

t.test('changes that are shown are those of people, groups, roles and the like', async (t) => {
  const paths = new Set(changingOperations.map(({ path }) => path))
  for (const path of [
    '/user/update',
    '/role/updateapis',
    '/v1/operations/users/{id}/second-factor',
    '/v1/operations/attributes',
  ]) {
    t.ok(paths.has(path), path)
  }
  for (const path of [
    '/base/login',
    '/v1/operations/devices/heartbeat',
    '/user/syncExtAUsers',
    '/v1/operations/step-up',
  ]) {
    t.notOk(paths.has(path), path)
  }
})

t.test('the overview tells records that wait from those that the directory refused', async (t) => {
  const s = await open(t, { directory: 'embedded' })
  const { db } = s
  await s.person('ann')
  await s.person('bea')
  await db.execute(sql`
    update directory_entries set version = version + 1, next_at = now() + interval '1 hour', attempts = 0
    where kind = 'user' and record_id = 2`)
  await db.execute(sql`
    update directory_entries set version = version + 1, next_at = null where kind = 'user' and record_id = 3`)
  const { directory } = await overviewOf(s)
  t.match(directory, { kind: 'embedded', waiting: 1, refused: 1, oldestWaitingAt: String })
})

const stepsOf = async ({ call, token }: Pick<TestSteward, 'call' | 'token'>) => {
  const { steps } = (await call('listFirstSteps', { token })).data
  return Object.fromEntries(steps.map((step) => [step.id, step]))
}

t.test('a new installation lacks all first steps; each that is taken is done and costs nothing', async (t) => {
  const s = await open(t, { directory: 'embedded' })
  const before = await stepsOf(s)
  for (const [id, { done, title, why }] of Object.entries(before)) {
    t.equal(done, false, id)
    t.ok(title !== '' && why !== '', id)
  }
  t.same(
    Object.fromEntries(Object.entries(before).map(([id, { deduction }]) => [id, deduction])),
    { ownPassword: 2, secondFactor: 10, backupKey: 2, backup: 15, mail: 5, source: null, directory: 2, https: null },
    'what the score deducts for each',
  )
  const { call, token } = s
  await call('createBackup', { token, body: { type: 'manual' } })
  await call('changeOwnPassword', { token, body: { oldPassword: adminPassword, newPassword: 'another-password-9' } })
  const after = await stepsOf({ call, token: await s.signIn('admin', 'another-password-9') })
  t.match(after, { ownPassword: { done: true, deduction: null }, backup: { done: true, deduction: null } })
})

t.test('settings take first steps', async (t) => {
  const s = await open(t, {
    env: {
      BACKUP_KEY: 'kX2mV7qL9sR4tY8wB3nC6pD1fG5hJ0zA',
      SMTP_URL: 'smtps://127.0.0.1:1',
      TRUST_PROXY: '127.0.0.1',
    },
  })
  t.match(await stepsOf(s), {
    backupKey: { done: true },
    mail: { done: true },
    https: { done: true },
    directory: { done: false, deduction: null },
  })
})

t.test('the points of the steps are those of the score', async (t) => {
  const s = await open(t)
  const { data } = await s.call('checkSecurity', { token: s.token })
  const points = Object.values(await stepsOf(s)).reduce((sum, { deduction }) => sum + (deduction ?? 0), 0)
  t.ok(points > 0)
  t.ok(points <= 100 - data.score, `${points} of ${100 - data.score}`)
})
