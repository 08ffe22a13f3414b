import { AssertionError } from 'node:assert'
import { setTimeout as delay } from 'node:timers/promises'
import postgres from 'postgres'
import t, { type Test } from 'tap'
import { generateOrganisation } from '../../scripts/fakes/organisation.ts'
import { type Call, caller } from '../contract/call.ts'
import { postgresMissing, testPostgres } from '../database.ts'
import { eventually } from '../eventually.ts'
import { lastingPort } from '../free-port.ts'
import {
  type HaproxyServer,
  haproxyServers,
  type ProxiedRequest,
  skipWithoutHaproxy,
  type TestHaproxy,
  testHaproxy,
} from '../haproxy.ts'
import { fileLimit, momentOf, nightly, sampleOf } from '../nightly.ts'
import { dataFolder, errorsIn, type ServerProcess, startServer } from '../server-process.ts'
import { directorySettings, skipWithoutSlapd, testSlapd } from '../slapd.ts'
import { startCloud } from '../sync/clouds.ts'
import { type Asked, becomesEqual, usersAndGroups } from './entries.ts'
import { brokenPromises, keepWriting, openWriter, type Writer } from './writers.ts'

// Three processes on one PostgreSQL and one slapd, behind HAProxy as deploy/haproxy/steward.cfg configures it.

/** A killed instance's records are taken over when its leases ran out, milliseconds. */
const takenOver = 40_000

t.setTimeout(fileLimit(600_000))

const organisation = generateOrganisation({ seed: 11, people: 60, departments: 6, depth: 3 })

/**
 * A client that uses a connection for one request, or for many. HAProxy answers 502 for the server that is gone, and on a
 * connection that had requests before it closes that one without a word in its log. In both cases the outcome of a
 * change is unknown.
 */
const throughProxy = (url: string, connection: 'close' | 'keep-alive'): Call => {
  const call = caller(url)
  return async (id, input) => {
    try {
      return await call(id, { ...input, headers: { connection } })
    } catch (error) {
      if (error instanceof AssertionError && error.message.includes('HTTP 502 is not in the contract')) {
        throw new TypeError('the server is gone', { cause: error })
      }
      throw error
    }
  }
}

/** Three instances, of which each can be ended and started again on its port. */
const openThree = async (t: Test) => {
  const [database, slapd, { cloud, env }] = await Promise.all([
    testPostgres(t),
    testSlapd(t),
    startCloud(t, 'exta', organisation),
  ])
  const ports = [await lastingPort(), await lastingPort(), await lastingPort()]
  const environment = {
    ...env,
    ...directorySettings(slapd),
    DATA_DIR: await dataFolder(t),
    DATABASE_URL: database.url,
    TRUST_PROXY: '1',
    DRAIN_PERIOD: '4s',
    // Due when the test says so.
    EXTA_SCHEDULE: '0 0 1 1 *',
    BACKUP_SCHEDULE: '0 0 1 1 *',
  }
  const start = (n: number) => startServer(t, { ...environment, PORT: String(ports[n]) })
  const first = await start(0)
  const instances = [first, ...(await Promise.all([start(1), start(2)]))]
  const proxy = await testHaproxy(t, ports)
  for (const name of haproxyServers) await proxy.sees(name, 'UP')
  const client = postgres(database.url, { max: 1, onnotice: () => {} })
  t.teardown(() => client.end())
  const instance = (n: number): ServerProcess => instances[n] ?? first
  return {
    ...{ slapd, cloud, proxy, client, instance },
    token: await first.signIn(),
    async startAgain(n: number) {
      instances[n] = await start(n)
      await proxy.sees(nameOf(n), 'UP')
    },
  }
}

const nameOf = (n: number): HaproxyServer => haproxyServers[n] ?? 'one'

/** Reads lists until it is stopped. @returns how many answers were lost */
const keepReading = ({ call, token }: Asked) => {
  let stopped = false
  const reading = async (): Promise<number> => {
    for (let lost = 0; ; ) {
      if (stopped) return lost
      try {
        const { code } = await call('listUsers', { token, query: { pageNum: 1, pageSize: 20 } })
        if (code !== 0) throw new Error(`a list was answered with ${code}`)
      } catch (error) {
        if (!(error instanceof TypeError)) throw error
        lost += 1
      }
    }
  }
  const ended = Promise.all([reading(), reading()])
  ended.catch(() => undefined)
  return async (): Promise<number> => {
    stopped = true
    return (await ended).reduce((sum, lost) => sum + lost, 0)
  }
}

const isFailure = ({ status }: ProxiedRequest): boolean => status >= 500 || status < 0

/** What clients do until `meanwhile` is over. @returns the requests as HAProxy saw them, and the answers that were lost */
const underLoad = async (
  t: Test,
  { proxy, writers, asked }: { proxy: TestHaproxy; writers: readonly Writer[]; asked: Asked },
  meanwhile: (answers: () => number) => Promise<void>,
) => {
  const before = proxy.requests().length
  const stopReading = keepReading(asked)
  const writing = keepWriting(writers)
  await meanwhile(() => writing.answers.length)
  await writing.stop()
  const lostLists = await stopReading()
  const lostWrites = writing.lost()
  t.strictSame([...new Set(writing.answers.map(({ code }) => code))], [0], 'every change that was answered was made')
  t.comment(`${writing.answers.length} changes were answered, ${lostWrites} not; ${lostLists} lists were not`)
  const answered = writing.answers.length
  const seen = await eventually(() => {
    const requests = proxy.requests().slice(before)
    return requests.filter(({ line }) => line.includes('"POST ')).length >= answered && requests
  }, 'the log of HAProxy has all of them')
  return { lost: lostLists + lostWrites, failures: seen.filter(isFailure), seen }
}

t.test(
  'three instances behind HAProxy',
  { skip: skipWithoutHaproxy || skipWithoutSlapd || postgresMissing },
  async (t) => {
    const { slapd, cloud, proxy, client, instance, token, startAgain } = await openThree(t)
    let call = throughProxy(proxy.url, 'close')
    const asked: Asked = { call: (id, input) => call(id, input), token }
    const groupIds: number[] = []
    for (const groupName of ['North', 'South', 'East']) {
      const body = { groupName, groupType: 'cn', parentId: 0 }
      groupIds.push((await asked.call('addGroup', { token, body })).data.id)
    }
    const writers: Writer[] = []
    for (let n = 0; n < 9; n++) writers.push(await openWriter({ username: `writer${n}`, groupIds, asked: () => asked }))
    const load = { proxy, writers, asked }

    for (const n of sampleOf(t, 'the instance that is killed', [0, 1, 2], nightly ? 3 : 2)) {
      await t.test(`${nameOf(n)} is killed under load: only requests that were on it fail`, async (t) => {
        const { lost, failures, seen } = await underLoad(t, load, async (answers) => {
          const after = momentOf(t, `${nameOf(n)}, answers before the kill`, 30, 90)
          await eventually(() => answers() >= after, `${after} answers`)
          await delay(momentOf(t, `${nameOf(n)}, ms after the last answer`, 0, 50))
          t.match(await instance(n).kill(), { signal: 'SIGKILL' })
          await proxy.sees(nameOf(n), 'DOWN')
          const since = answers()
          await eventually(() => answers() >= since + 30, 'the others go on')
        })
        const served = new Set(seen.filter((each) => !isFailure(each)).map(({ server }) => server))
        t.strictSame([...served].sort(), [...haproxyServers].sort(), 'all three served requests')
        t.strictSame(
          failures.filter(({ server }) => server !== nameOf(n)),
          [],
          'the requests of the others are answered',
        )
        t.equal(failures.length, lost, 'the clients lost no more answers than HAProxy')
        t.comment(`${lost} of ${seen.length} requests were on it`)
        await startAgain(n)
        await becomesEqual(t, asked, slapd, takenOver)
        t.strictSame(await brokenPromises(asked, writers), [], 'nothing that was answered is lost')
      })
    }

    await t.test('a restart of one after the other fails no request', async (t) => {
      call = throughProxy(proxy.url, 'keep-alive')
      const { lost, failures, seen } = await underLoad(t, load, async (answers) => {
        for (const n of [0, 1, 2]) {
          const server = instance(n)
          const since = answers()
          await eventually(() => answers() >= since + 20, 'answers before the restart')
          const stopping = server.stop()
          const told = await eventually(async () => {
            const ready = await server.call('getReadiness')
            return ready.code !== 200 && ready
          }, 'it says that it is not ready')
          t.match(told, { status: 503, reason: 'service.stopping', headers: { connection: 'close' } })
          t.equal((await server.call('getLiveness')).code, 200, 'it is alive')
          t.ok((await usersAndGroups({ call: server.call, token })).users.length > 0, 'and serves what arrives')
          await proxy.sees(nameOf(n), 'DOWN')
          t.equal((await server.call('ping')).code, 0, 'connections are accepted until no more requests are sent to it')
          t.match(await stopping, { code: 0, signal: null })
          t.strictSame(errorsIn(server.output()), [])
          await startAgain(n)
        }
      })
      t.equal(lost, 0)
      t.strictSame(failures, [])
      t.strictSame(
        seen.filter(({ retries }) => retries > 0),
        [],
        'no request met a closed port',
      )
      await becomesEqual(t, asked, slapd)
      t.strictSame(await brokenPromises(asked, writers), [])
    })

    await t.test('what is due is done by one of them', async (t) => {
      const count = async (): Promise<{ backups: number; runs: number }> => {
        const [row] = await client<{ backups: number; runs: number }[]>`
        select (select count(*)::int from backups) as backups,
          (select count(*)::int from runs where source = 'exta' and kind = 'users') as runs`
        return row ?? { backups: -1, runs: -1 }
      }
      const before = await count()
      for (let times = 1; times <= 3; times++) {
        await client`update schedules set next_run_at = now() - interval '1 second' where name in ('backup', 'sync exta')`
        await eventually(async () => {
          const [open] = await client`
          select from schedules where name in ('backup', 'sync exta') and (next_run_at <= now() or lease_owner is not null)`
          return open === undefined
        }, 'it is done')
        t.strictSame(await count(), { backups: before.backups + times, runs: before.runs + times })
      }
    })

    await t.test('a run is seen from each of them', async (t) => {
      cloud.faults = [{ kind: 'slow', delay: 1000 }]
      const run = asked.call('syncExtAUsers', { token })
      for (const n of [0, 1, 2]) {
        const seen = await eventually(
          async () => {
            const { data } = await instance(n).call('getProgress', { token, query: { kind: 'run' } })
            return data.work.find(({ state }) => state === 'running')
          },
          `${nameOf(n)} shows the run`,
        )
        t.match(seen, { kind: 'run', state: 'running' })
      }
      cloud.faults = []
      const { code, data } = await run
      t.equal(code, 0)
      for (const n of [0, 1, 2]) {
        const { data: shown } = await instance(n).call('getProgress', { token, query: { kind: 'run', id: data.runId } })
        t.match(shown.work, [{ id: data.runId, state: 'done' }], `${nameOf(n)} shows its end`)
      }
    })
  },
)
