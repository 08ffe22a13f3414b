import { setTimeout as delay } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { evolve, generateOrganisation } from '../../scripts/fakes/organisation.ts'
import { copyTemplate } from '../database.ts'
import { eventually } from '../eventually.ts'
import { fileLimit, momentOf, sampleOf } from '../nightly.ts'
import { dataFolder, errorsIn, type ServerProcess, startServer } from '../server-process.ts'
import { directorySettings, skipWithoutSlapd, testSlapd } from '../slapd.ts'
import { startCloud } from '../sync/clouds.ts'
import { differencesTo } from '../sync/taken-over.ts'
import { type Asked, becomesEqual } from './entries.ts'

// One process on the embedded database that imports an organisation, and is killed and stopped meanwhile.

/** Several batches of changes. */
const people = 2500
/** Milliseconds a stop may take, by its own promise. */
const stopsWithin = 10_000

t.setTimeout(fileLimit(600_000))

/** Resolves when there are more than at first. */
const moreThan = async (count: () => Promise<number>): Promise<void> => {
  const before = await count()
  await eventually(async () => (await count()) !== before, 'more are there')
}

t.test('taking an organisation over', { skip: skipWithoutSlapd }, async (suite) => {
  const t = suite
  const slapd = await testSlapd(t)
  // No record in it is a problem, so a missing person was lost.
  const tidy = generateOrganisation({ seed: 5, people, departments: 40, oddities: false })
  const source = await startCloud(t, 'extc', tidy)
  const { cloud, platform, env } = source
  const working = tidy.people.filter(platform.isActive).length
  const dataDir = await dataFolder(t)
  await copyTemplate(dataDir)
  const environment = {
    ...env,
    DATA_DIR: dataDir,
    ...directorySettings(slapd),
    SYNC_WAIT: '60s',
    SYNC_MAX_REMOVALS: '1000',
  }
  let server: ServerProcess = await startServer(suite, environment)
  const token = await server.signIn()
  const asked = (): Asked => ({ call: server.call, token })
  const syncPeople = () => server.call('syncExtCUsers', { token })
  const count = async (): Promise<number> =>
    (await server.call('listUsers', { token, query: { pageNum: 1, pageSize: 1 } })).data.total
  const newest = async () => {
    const { data } = await server.call('listRuns', { token, query: { pageNum: 1, pageSize: 1 } })
    return (await server.call('getRun', { token, params: { id: data.runs[0]?.runId ?? 0 } })).data
  }
  const reaches = (...phases: readonly string[]) =>
    eventually(async () => phases.includes((await newest()).phase), `the run is ${phases.join(' or ')}`)
  /** Waits for the so-and-so-many-th answer about people from now on. */
  const answers = async (wanted: number): Promise<void> => {
    const told = () => cloud.calls.filter(({ path }) => path === platform.paths.users).length
    const from = told()
    await eventually(() => told() >= from + wanted, `${wanted} answers`)
  }
  /** The departments, and the whole organisation. */
  const all = (): number => cloud.organisation.departments.length + 1
  t.match(await server.call('syncExtCDepts', { token }), { code: 0, data: { state: 'done', added: all() } })

  /**
   * Starts a run, kills the process when `moment` comes, and looks at what the next process says of it. `meanwhile` is
   * called while no process runs.
   */
  const killAt = async (t: Test, moment: Promise<unknown>, meanwhile: () => void = () => {}): Promise<void> => {
    const before = await count()
    const run = syncPeople().catch((error: unknown) => error)
    await moment
    t.match(await server.kill(), { signal: 'SIGKILL' })
    t.type(await run, TypeError, 'the connection was lost')
    meanwhile()
    server = await startServer(suite, environment)
    const broken = await newest()
    t.match(broken, {
      state: 'failed',
      phase: '',
      problems: [{ step: 'run', reason: /instance .* has stopped/, advice: /again/ }],
    })
    t.equal(broken.added, (await count()) - before, 'it says what it had done')
    const { alerts } = (await server.call('listAlerts', { token })).data
    t.match(
      alerts.filter(({ title }) => title === 'A run failed'),
      [{ description: new RegExp(`^Run ${broken.runId} .* has stopped$`) }],
    )
    t.comment(`${broken.added} of ${working} arrived`)
  }

  const moments: Readonly<Record<string, (t: Test) => Promise<void>>> = {
    'while people are read: none has arrived': async (t) => {
      const before = await count()
      cloud.faults = [{ kind: 'slow', delay: 100, path: platform.paths.users, times: Number.POSITIVE_INFINITY }]
      await killAt(t, answers(20))
      cloud.faults = []
      t.equal(await count(), before)
    },
    'while the plan is made': (t) =>
      killAt(
        t,
        answers(all()).then(() => delay(momentOf(t, 'ms after the last answer', 0, 600))),
      ),
    'when the first people have arrived': (t) => killAt(t, moreThan(count)),
    'when the next people have arrived': (t) => killAt(t, moreThan(count)),
  }
  for (const moment of sampleOf(t, 'killed', Object.keys(moments), 1)) {
    await t.test(`killed ${moment}`, async (t) => moments[moment]?.(t))
  }

  await t.test('the next run finishes, and no person exists twice', async (t) => {
    const missing = working + 1 - (await count())
    const report = await syncPeople()
    t.match(report, { code: 0, data: { state: 'done', added: missing, unchanged: working - missing, failed: 0 } })
    t.strictSame(await differencesTo(asked(), source, tidy), [])
    await becomesEqual(t, asked(), slapd)
  })

  await t.test('killed while the directory follows: it follows after the next start', async (t) => {
    cloud.organisation = evolve(tidy, 1, 400)
    t.match(await server.call('syncExtCDepts', { token }), { code: 0, data: { state: 'done' } })
    slapd.freeze()
    await killAt(t, reaches('mirroring'), slapd.thaw)
    t.match(await syncPeople(), { code: 0, data: { state: 'done', added: 0, updated: 0, moved: 0, disabled: 0 } })
    t.strictSame(await differencesTo(asked(), source, cloud.organisation), [])
    await becomesEqual(t, asked(), slapd)
  })

  for (const phase of sampleOf(t, 'told to stop while', ['reading', 'planning or applying'], 1)) {
    await t.test(`told to stop while ${phase}: it does, and the run says so`, async (t) => {
      cloud.organisation = evolve(cloud.organisation, 2, phase === 'reading' ? 10 : 1500)
      if (phase === 'reading') {
        cloud.faults = [{ kind: 'slow', delay: 100, path: platform.paths.users, times: Number.POSITIVE_INFINITY }]
      }
      const run = syncPeople()
      // Whichever of the two shows first: a short plan is never seen.
      await (phase === 'reading' ? answers(20) : reaches('planning', 'applying'))
      const exit = await server.stop()
      t.match(exit, { code: 0, signal: null })
      t.ok(exit.took < stopsWithin, `it took ${exit.took} ms`)
      const stopped = [{ step: 'run', reason: 'the service was stopped' }]
      const told = await run
      t.match(
        told,
        { status: 200, code: 502, msg: /the service was stopped/, data: { state: 'failed', problems: stopped } },
        'who waits for the run is told',
      )
      t.strictSame(errorsIn(server.output(), /ended without a stop|the service was stopped/), [])
      cloud.faults = []
      server = await startServer(suite, environment)
      t.match(await newest(), { state: 'failed', problems: stopped })
    })
  }

  await t.test('and the next run adds every person', async (t) => {
    t.match(await server.call('syncExtCDepts', { token }), { code: 0, data: { state: 'done' } })
    t.match(await syncPeople(), { code: 0, data: { state: 'done', failed: 0 } })
    t.strictSame(await differencesTo(asked(), source, cloud.organisation), [])
    await becomesEqual(t, asked(), slapd)
    t.strictSame(errorsIn(server.output()), [])
  })
})
