import { sql } from 'drizzle-orm'
import t, { type Test } from 'tap'
import { eventually } from '../eventually.ts'
import { gatedGroups } from '../mirror/gated-groups.ts'
import { skipWithoutSlapd } from '../slapd.ts'
import { steward, type TestStewardOptions } from '../steward.ts'
import { listening, watch } from './event-client.ts'

const progressPath = '/api/v1/operations/progress'
const noticesPath = '/api/v1/operations/notices'

interface Progress {
  work: { kind: string; id: number; state: string; done: number; message: string }[]
}
interface Notices {
  total: number
  notices: { key: string; title: string }[]
}

const open = async (t: Test, options: TestStewardOptions = {}) => {
  const s = await steward(t, { directory: 'none', ...options })
  return { ...s, port: await listening(s) }
}

t.test('what is urgent comes within two seconds to who watches', async (t) => {
  const { db, port, token, call } = await open(t)
  const client = await watch(port, noticesPath, token)
  t.equal(client.status, 200)
  t.match(await client.next(), { total: 0, notices: { length: 0 } }, 'the first event comes at once')
  const seen = async (key: RegExp) => {
    const started = performance.now()
    const event = (await client.next((data) => (data as Notices).notices.some((each) => key.test(each.key)))) as Notices
    t.ok(performance.now() - started < 2000, `${key.source} after ${Math.round(performance.now() - started)} ms`)
    return event
  }
  await call('callForHelp', { token, body: { type: 'fire', description: 'in the server room' } })
  await seen(/^alert:/)
  await db.execute(sql`
    insert into runs (source, kind, state, finished_at, held_because) values ('exta', 'users', 'held', now(), '["It would disable 5 people"]')`)
  t.match((await seen(/^heldRun:/)).notices, [{ detail: 'It would disable 5 people' }, {}])
  for (let n = 0; n < 10; n += 1) await call('login', { body: { username: 'admin', password: 'wrong' } })
  t.match((await seen(/^lockedAccount:1$/)).notices[0], { title: 'The account admin is locked' })
  t.match((await call('listNotices', { token })).data, { counts: { heldRun: 1, lockedAccount: 1 } })
  client.close()
})

t.test('a name that no user has is not repeated', async (t) => {
  const { call, token } = await open(t)
  for (let n = 0; n < 10; n += 1) await call('login', { body: { username: 'my-secret-word', password: 'wrong' } })
  t.notMatch((await call('listNotices', { token })).body, /my-secret-word/)
})

t.test('work of any instance is shown, as a whole or by its id', async (t) => {
  const { db, port, token, call } = await open(t)
  const client = await watch(port, `${progressPath}?kind=run`, token)
  t.match(await client.next(), { work: { length: 0 } })
  const [run] = await db.execute<{ id: string }>(sql`
    insert into runs (source, kind, state, phase, progress, progress_of, lease_until)
    values ('exta', 'users', 'running', 'applying', 3, 9, now() + interval '1 minute') returning id`)
  const id = Number(run?.id)
  t.match(await client.next((data) => (data as Progress).work.length > 0), {
    work: [
      { kind: 'run', id, state: 'running', phase: 'applying', done: 3, total: 9, source: 'exta', runKind: 'users' },
    ],
  })
  await db.execute(sql`
    update runs set state = 'failed', finished_at = now() - interval '1 hour', problems = '[{"reason": "it broke"}]' where id = ${id}`)
  t.match(
    await client.next((data) => (data as Progress).work.length === 0),
    { work: { length: 0 } },
    'it ended an hour ago',
  )
  const one = await watch(port, `${progressPath}?kind=run&id=${id}`, token)
  t.match(await one.next(), { work: [{ id, state: 'failed', message: 'it broke' }] })
  t.match((await call('getProgress', { token, query: { kind: 'run', id } })).data, { work: [{ id }] })
  t.match(await call('getProgress', { token, query: { kind: 'backup', id: 1 } }), {
    code: 404,
    reason: 'live.work_not_found',
  })
  t.match(await call('watchProgress', { token, query: { kind: 'run', id: 99 } }), { code: 404 })
  t.match(await call('getProgress', { token, query: { id } }), { code: 400, reason: 'live.kind_required' })
  client.close()
  one.close()
})

t.test('a comparison with the directory is seen to move', { skip: skipWithoutSlapd }, async (t) => {
  const gated = await gatedGroups(t, (options) => open(t, options))
  const { port, token, ask, gate } = gated
  const client = await watch(port, `${progressPath}?kind=run`, token)
  await client.next()
  const letPass = async (count: number): Promise<void> => {
    await eventually(() => gate.waiting() > 0, 'changes that wait')
    gate.letPass(count)
  }
  gate.letPass(75)
  const comparing = ask('compareDirectory', { body: { kind: 'groups' } })
  const at = async (done: number, state = 'running') =>
    client.next((data) => (data as Progress).work.some((each) => each.done === done && each.state === state))
  t.match(await at(50), { work: [{ kind: 'run', source: 'sql', runKind: 'groups', phase: 'comparing', total: 150 }] })
  // A page that is opened later, as after a reload, shows the same.
  const later = await watch(port, `${progressPath}?kind=run`, token)
  t.match(await later.next(), { work: [{ state: 'running', done: 50, total: 150 }] })
  await letPass(50)
  t.match(await at(100), { work: [{ state: 'running', total: 150 }] })
  await letPass(Number.POSITIVE_INFINITY)
  t.match(await client.next((data) => (data as Progress).work.some(({ state }) => state === 'done')), {})
  const { data } = await comparing
  t.match(data, { state: 'done', total: 150, failed: 0 })
  t.ok(data.updated >= 100, `${data.updated} of them are repaired by the run`)
  for (const each of [client, later]) each.close()
})

t.test('a backup, a check and a verification are shown with their ends', async (t) => {
  const { port, token, call } = await open(t)
  const client = await watch(port, progressPath, token)
  await client.next()
  const doneOf = (kind: string) =>
    client.next((data) => (data as Progress).work.some((work) => work.kind === kind && work.state === 'done'))
  const backup = await call('createBackup', { token, body: { type: 'manual' } })
  t.match(await doneOf('backup'), { work: [{ kind: 'backup', backupId: Number(backup.data.id), creator: 'admin' }] })
  await call('checkSecurity', { token })
  await doneOf('check')
  await call('verifyLog', { token })
  await doneOf('verification')
  client.close()
})

t.test('a stream ends with its session, and when the permission is taken', async (t) => {
  const { port, token, call, person } = await open(t)
  const apis = (await call('listApis', { token, query: { path: '/v1/operations/progress' } })).data.apis
  const role = (await call('addRole', { token, body: { name: 'watchers', keyword: 'watchers' } })).data.id
  const grant = (apiIds: number[]) => call('updateRoleApis', { token, body: { roleId: role, apiIds } })
  await grant(apis.map(({ id }) => id))
  const ann = await person('ann', { roleIds: [role] })
  const bea = await person('bea', { roleIds: [role] })
  const [annes, beas] = [await watch(port, progressPath, ann.token), await watch(port, progressPath, bea.token)]
  await Promise.all([annes.next(), beas.next()])
  await call('logout', { token: ann.token })
  await t.resolves(annes.ended(), 'the session ended')
  const [run] = await Promise.all([beas.next(), call('verifyLog', { token })])
  t.ok(run, 'the other one goes on')
  await grant([])
  await t.resolves(beas.ended(), 'the permission was taken')
  t.match(await call('watchProgress', { token: bea.token }), { code: 403 })
})

t.test('a user may have so many streams open and no more', async (t) => {
  const { port, token, call } = await open(t)
  const clients = await Promise.all(Array.from({ length: 10 }, () => watch(port, noticesPath, token)))
  for (const client of clients) t.equal(client.status, 200)
  const refused = await call('watchProgress', { token })
  t.match(refused, { code: 429, reason: 'live.too_many_streams', params: { count: '10' } })
  t.ok(Number(refused.headers['retry-after']) > 0)
  for (const client of clients) client.close()
})
