import { sql } from 'drizzle-orm'
import t, { type Test } from 'tap'
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
    sources: [],
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
