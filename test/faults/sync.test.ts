import { setTimeout as delay } from 'node:timers/promises'
import postgresClient from 'postgres'
import t from 'tap'
import { evolve, generateOrganisation } from '../../scripts/fakes/organisation.ts'
import { postgresMissing, testPostgres } from '../database.ts'
import { eventually } from '../eventually.ts'
import { dataFolder, type ServerProcess, startServer } from '../server-process.ts'
import { directorySettings, skipWithoutSlapd, testSlapd } from '../slapd.ts'
import { startCloud } from '../sync/clouds.ts'
import { differencesTo } from '../sync/taken-over.ts'
import { type Asked, becomesEqual, usersAndGroups } from './entries.ts'

// Two processes on one PostgreSQL and one slapd, which import an organisation while their servers fail.

t.setTimeout(600_000)

t.test('two instances and one organisation', { skip: skipWithoutSlapd || postgresMissing }, async (suite) => {
  const t = suite
  const postgres = await testPostgres(t)
  const slapd = await testSlapd(t)
  const source = await startCloud(
    t,
    'extc',
    generateOrganisation({ seed: 6, people: 1500, departments: 40, oddities: false }),
  )
  const { cloud, platform, env } = source
  const environment = {
    ...env,
    DATA_DIR: await dataFolder(t),
    DATABASE_URL: postgres.url,
    ...directorySettings(slapd),
    SYNC_WAIT: '3s',
  }
  // One after the other: the first makes the administrator.
  const instances: ServerProcess[] = [await startServer(suite, environment), await startServer(suite, environment)]
  const token = (await instances[0]?.signIn()) ?? ''
  const at = (n: number): Asked => {
    const server = instances[n]
    if (server === undefined) throw new Error(`there is no instance ${n}`)
    return { call: server.call, token }
  }
  const sync = (n: number, kind: 'users' | 'groups') =>
    at(n).call(kind === 'users' ? 'syncExtCUsers' : 'syncExtCDepts', { token })
  const run = async (n: number, id: number) => (await at(n).call('getRun', { token, params: { id } })).data
  /** The run once it has ended, whichever instance carries it out. */
  const ended = async (n: number, id: number) => {
    await eventually(async () => (await run(n, id)).state !== 'running', `the end of run ${id}`, 90_000)
    return run(n, id)
  }
  const newest = async (n: number) => {
    const { data } = await at(n).call('listRuns', { token, query: { pageNum: 1, pageSize: 1 } })
    return ended(n, data.runs[0]?.runId ?? 0)
  }
  const slow = (path: RegExp | string, milliseconds: number): void => {
    cloud.faults = [{ kind: 'slow', delay: milliseconds, path, times: Number.POSITIVE_INFINITY }]
  }
  const asksFor = async (path: RegExp | string, times: number): Promise<void> => {
    const told = () =>
      cloud.calls.filter((call) => (typeof path === 'string' ? call.path === path : path.test(call.path))).length
    const from = told()
    await eventually(() => told() >= from + times, `${times} requests`, 90_000)
  }
  const { paths } = platform
  const working = (): number => cloud.organisation.people.filter(platform.isActive).length
  const database = postgresClient(postgres.url, { max: 1, onnotice: () => {} })
  t.teardown(() => database.end())
  /** Whether there is an alert that a run failed. */
  const isTold = async ({ runId }: { runId: number }): Promise<boolean> => {
    const text = `Run ${runId} %`
    return (await database`select from alerts where rule = 'runFailed' and description like ${text}`).length === 1
  }
  /** The departments, and the whole organisation. */
  const all = (): number => cloud.organisation.departments.length + 1

  await t.test('asked at the same time, they run once and both answer with that run', async (t) => {
    slow(paths.departments, 500)
    const reports = await Promise.all([sync(0, 'groups'), sync(1, 'groups'), sync(0, 'groups'), sync(1, 'groups')])
    const [{ data: first }] = reports
    for (const reply of reports) t.match(reply, { code: 0, data: { runId: first.runId } })
    t.match(await ended(0, first.runId), { state: 'done', added: all() })
    t.equal(cloud.calls.filter(({ path }) => paths.departments.test(path)).length, 1)
  })

  await t.test('people wait for departments, and are refused when that takes too long', async (t) => {
    slow(paths.departments, 1000)
    const first = sync(0, 'groups')
    await asksFor(paths.departments, 1)
    const people = await sync(1, 'users')
    t.match(people, { code: 0, data: { kind: 'users' } })
    const before = (await first).data
    t.ok(String(people.data.startedAt) >= String(before.finishedAt), 'one after the other')
    t.match(await ended(0, people.data.runId), { state: 'done', added: working(), failed: 0 })

    slow(paths.departments, 5000)
    const long = sync(0, 'groups')
    await asksFor(paths.departments, 1)
    const refused = await sync(1, 'users')
    t.match(refused, { code: 409, msg: /extc is busy with run \d+: try again/ })
    t.match(await long, { code: 0, data: { state: 'running' } }, 'a request that waits too long gets the run under way')
    t.match(await ended(1, (await long).data.runId), { state: 'done' })
    cloud.faults = []
    t.strictSame(await differencesTo(at(1), source, cloud.organisation), [])
    await becomesEqual(t, at(0), slapd)
  })

  await t.test('one is killed during a run: the other reports it, and takes over', async (t) => {
    cloud.organisation = evolve(cloud.organisation, 1, 200)
    t.match(await ended(0, (await sync(0, 'groups')).data.runId), { state: 'done' })
    slow(paths.users, 100)
    const orphan = sync(0, 'users').catch(() => undefined)
    await asksFor(paths.users, 10)
    await instances[0]?.kill()
    await orphan
    cloud.faults = []
    const joined = sync(1, 'users')
    // That it waits for the run shows nowhere outside.
    await delay(300)
    // As if the lease had run out by itself.
    await database`update runs set lease_until = now() where state = 'running'`
    t.match((await joined).data, {
      state: 'failed',
      problems: [{ reason: /instance .* has stopped/, advice: /again/ }],
    })
    const [next] = await Promise.all([
      sync(1, 'users'),
      startServer(suite, environment).then((server) => (instances[0] = server)),
    ])
    t.not(next.data.runId, (await joined).data.runId)
    t.match(await ended(0, next.data.runId), { state: 'done', failed: 0 })
    t.strictSame(await differencesTo(at(0), source, cloud.organisation), [])
    await becomesEqual(t, at(1), slapd)
  })

  await t.test('a plan that is confirmed on both at once is carried out once', async (t) => {
    const { organisation } = cloud
    cloud.organisation = { ...organisation, people: organisation.people.slice(0, 900) }
    // On a busy machine the request ends before the run does.
    const held = await ended(0, (await sync(0, 'users')).data.runId)
    t.match(held, { state: 'held', disabled: 0 })
    const { planHash } = await run(1, held.runId)
    await database`update sessions set stepped_up_at = now()`
    const body = { planHash }
    const replies = await Promise.all(
      [0, 1, 0, 1].map((n) => at(n).call('confirmRun', { token, params: { id: held.runId }, body })),
    )
    t.strictSame(replies.map(({ code }) => code).sort(), [200, 409, 409, 409])
    const done = await ended(1, held.runId)
    t.match(done, { state: 'done', disabled: held.held, held: 0, decidedBy: 'admin' })
    t.equal((await usersAndGroups(at(0))).users.filter(({ status }) => status === 1).length, working() + 1)
    cloud.organisation = organisation
    t.match(await ended(0, (await sync(1, 'users')).data.runId), { state: 'done', updated: held.held, added: 0 })
    t.strictSame(await differencesTo(at(0), source, organisation), [])
  })

  await t.test('PostgreSQL crashes while people are read: no person counts as having left', async (t) => {
    slow(paths.users, 150)
    const asked = sync(0, 'users').catch(() => undefined)
    await asksFor(paths.users, all() - 6)
    await postgres.restart('immediate')
    await asked
    cloud.faults = []
    const broken = await newest(1)
    t.match(broken, { state: 'failed', added: 0, updated: 0, moved: 0, disabled: 0, held: 0 })
    t.match(broken.problems, [{ step: 'run', reason: /database/, advice: /again/ }])
    t.ok(await isTold(broken), 'an alert says so, which could not be written at once')
    t.strictSame(await differencesTo(at(0), source, cloud.organisation), [])
    const again = await ended(1, (await sync(0, 'users')).data.runId)
    t.match(again, { state: 'done', added: 0, updated: 0, moved: 0, disabled: 0 })
  })

  for (const mode of ['fast', 'immediate'] as const) {
    await t.test(
      `PostgreSQL restarts (${mode}) while changes are made: what is done is told, the rest follows`,
      async (t) => {
        const { organisation } = cloud
        const title = `Since the ${mode} restart`
        cloud.organisation = { ...organisation, people: organisation.people.map((person) => ({ ...person, title })) }
        const asked = sync(1, 'users').catch(() => undefined)
        await asksFor(paths.users, all())
        const changed = () => database`select id from users where position = ${title}`
        await eventually(async () => (await changed()).length > 0, 'the first changes')
        await postgres.restart(mode)
        await asked
        const broken = await newest(0)
        t.match(broken, {
          state: 'failed',
          problems: [{ step: 'run', reason: 'the database went away', advice: /again/ }],
        })
        t.equal(broken.updated, (await changed()).length)
        t.ok(await isTold(broken), 'an alert says so')
        const { data } = await sync(1, 'users')
        t.match(await ended(0, data.runId), { state: 'done', updated: working() - broken.updated, failed: 0 })
        t.strictSame(await differencesTo(at(0), source, cloud.organisation), [])
        await becomesEqual(t, at(1), slapd)
        for (const server of instances) t.ok(server.running(), 'the process is the same')
      },
    )
  }
})
