/**
 * npm run load -- --minutes 60: three instances on one PostgreSQL and one slapd, behind HAProxy, and clients that read and
 * change people all the time. It prints the times of answers and the memory of each process every ten minutes, and fails
 * when a request fails, or when the last quarter of the time was slower or larger than the second: what leaks or slows down
 * shows there, and not in the first quarter, which warms up.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createHistogram, type RecordableHistogram } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { lastingPort } from '../test/free-port.ts'
import { haproxyServers, testHaproxy } from '../test/haproxy.ts'
import { startPostgres } from '../test/postgres-server.ts'
import { directorySettings, testSlapd } from '../test/slapd.ts'
import { median, onStage, report, type Stage } from './bench/stage.ts'
import { type Instance, startInstance } from './instances.ts'

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '60' }, clients: { type: 'string', default: '8' } },
})
const duration = Number(values.minutes) * 60_000
const clients = Number(values.clients)
if (!(duration >= 60_000 && clients >= 1)) throw new Error('--minutes and --clients: expected numbers from 1 on')
/** What the last quarter may be of the second. */
const max = { p99: 1.5, memory: 1.15 }
/** Milliseconds: a client waits that long after an answer, on average. */
const thought = 60
/** People in the directory, and those on one page of a list. */
const [population, page] = [300, 20]
const password = 'administrators have one'

interface Reply {
  code: number
  data: { id: number; token: string }
}

type Ask = (method: 'GET' | 'POST', path: string, body?: object) => Promise<Reply>

/** Times of answers in microseconds, and resident memory in MB, by process. */
interface Period {
  times: RecordableHistogram
  memory: number[][]
}

const newPeriod = (): Period => ({ times: createHistogram(), memory: haproxyServers.map(() => []) })

const p99 = ({ times }: Period): number => times.percentile(99) / 1000

const personOf = (username: string, groupId: number) => ({
  ...{ username, nickname: username, mail: `${username}@example.org`, mobile: '', jobNumber: '' },
  ...{ departmentId: [groupId], roleIds: [] },
})

/** Asks through HAProxy. @throws when an answer is not that of a success */
const asker =
  (url: string, tokenNow: () => Promise<string>, answered: (milliseconds: number) => void = () => {}): Ask =>
  async (method, path, body) => {
    const token = await tokenNow()
    const began = performance.now()
    const headers = { 'content-type': 'application/json', ...(token !== '' && { authorization: `Bearer ${token}` }) }
    const response = await fetch(url + path, {
      method,
      headers,
      body: body === undefined ? null : JSON.stringify(body),
    })
    const text = await response.text()
    answered(performance.now() - began)
    const reply = response.status === 200 ? (JSON.parse(text) as Reply) : null
    if (reply?.code !== 0) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 300)}`)
    return reply
  }

const open = async (stage: Stage): Promise<{ url: string; instances: Instance[] }> => {
  const server = await startPostgres()
  stage.teardown(() => server.dispose())
  const slapd = await testSlapd(stage)
  const data = mkdtempSync(join(tmpdir(), 'steward-load-'))
  stage.teardown(() => rmSync(data, { recursive: true, force: true }))
  const ports = [await lastingPort(), await lastingPort(), await lastingPort()]
  const environment = {
    ...directorySettings(slapd),
    ...{ DATABASE_URL: server.url, DATA_DIR: data, ADMIN_PASSWORD: password },
    ...{ TRUST_PROXY: '1', LOG_LEVEL: 'warn', BACKUP_SCHEDULE: 'off' },
  }
  const instances: Instance[] = []
  for (const port of ports) {
    instances.push(await startInstance(stage, resolve('.'), { ...environment, PORT: String(port) }))
  }
  const proxy = await testHaproxy(stage, ports)
  for (const name of haproxyServers) await proxy.sees(name, 'UP')
  return { url: proxy.url, instances }
}

/** Milliseconds that a token is used: it is valid for half an hour. */
const tokenAge = 15 * 60_000

/** Signs in, and again in good time. */
const signedIn = (url: string): (() => Promise<string>) => {
  const ask = asker(url, async () => '')
  const signIn = async (): Promise<string> =>
    (await ask('POST', '/api/base/login', { username: 'admin', password })).data.token
  let [token, until] = [signIn(), performance.now() + tokenAge]
  return () => {
    if (performance.now() > until) [token, until] = [signIn(), performance.now() + tokenAge]
    return token
  }
}

/** What one client does in turn: mostly reading, a change in five steps, now and then a person who comes and goes. */
const stepOf = async (
  ask: Ask,
  { n, turn, ids, groupIds }: { n: number; turn: number; ids: number[]; groupIds: number[] },
) => {
  const own = ids.filter((_, index) => index % clients === n)
  const group = groupIds[turn % groupIds.length] ?? 0
  if (turn % 5 === 0) {
    const id = own[(turn / 5) % own.length]
    return void (await ask('POST', '/api/user/update', {
      id,
      position: `step ${turn}`,
      departmentId: [group],
      roleIds: [],
    }))
  }
  if (turn % 16 === 1) {
    const { data } = await ask('POST', '/api/user/add', personOf(`guest-${n}-${turn}`, group))
    return void (await ask('POST', '/api/user/delete', { userIds: [data.id] }))
  }
  const pages = Math.floor(population / page)
  if (turn % 4 === 2) return void (await ask('GET', '/api/user/info'))
  if (turn % 4 === 3) return void (await ask('GET', `/api/user/list?username=person-${turn % population}`))
  await ask('GET', `/api/user/list?pageNum=${1 + (turn % pages)}&pageSize=${page}`)
}

/** Resident memory in MB. */
const memoryOf = ({ pid }: Instance): number => {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) / 1024
}

const line = (what: string, period: Period): string => {
  const { times, memory } = period
  const sizes = memory.map((samples) => median(samples).toFixed(0)).join(', ')
  const figures = `p50 ${(times.percentile(50) / 1000).toFixed(1)} ms, p99 ${p99(period).toFixed(1)} ms`
  return `${what}: ${times.count} requests, ${figures}, longest ${(times.max / 1000).toFixed(0)} ms; memory ${sizes} MB`
}

const verdictsOf = (quarters: readonly Period[]) => {
  const [, second = newPeriod(), , last = newPeriod()] = quarters
  const limited = (what: string, ratio: number, limit: number) => ({
    ...{ what, ratio, goal: `≤ ${limit} of the second quarter` },
    met: ratio <= limit,
  })
  return [
    limited('p99 of the last quarter', p99(last) / p99(second), max.p99),
    ...haproxyServers.map((name, index) => {
      const [now, then] = [last, second].map(({ memory }) => median(memory[index] ?? []))
      return limited(`memory of ${name} in the last quarter`, (now ?? 0) / (then ?? 0), max.memory)
    }),
  ]
}

await onStage(async (stage) => {
  const { url, instances } = await open(stage)
  const token = signedIn(url)
  const prepare = asker(url, token)
  const groupIds: number[] = []
  for (const groupName of ['North', 'South', 'East', 'West']) {
    const made = await prepare('POST', '/api/group/add', { groupName, groupType: 'cn', parentId: 0, remark: '' })
    groupIds.push(made.data.id)
  }
  const ids: number[] = []
  for (let n = 0; n < population; n++) {
    ids.push((await prepare('POST', '/api/user/add', personOf(`person-${n}`, groupIds[n % 4] ?? 0))).data.id)
  }

  const quarters = [newPeriod(), newPeriod(), newPeriod(), newPeriod()]
  const windows: Period[] = []
  const began = performance.now()
  const elapsed = (): number => performance.now() - began
  const present = (): Period[] => {
    const window = Math.floor(elapsed() / 600_000)
    while (windows.length <= window) windows.push(newPeriod())
    return [quarters[Math.min(3, Math.floor((4 * elapsed()) / duration))], windows[window]].filter(
      (each) => each !== undefined,
    )
  }
  const ask = asker(url, token, (milliseconds) => {
    for (const { times } of present()) times.record(Math.max(1, Math.round(milliseconds * 1000)))
  })
  const client = async (n: number): Promise<void> => {
    for (let turn = n; elapsed() < duration; turn++) {
      await stepOf(ask, { n, turn, ids, groupIds })
      await delay(2 * thought * Math.random())
    }
  }
  let told = 0
  const watch = async (): Promise<void> => {
    for (; elapsed() < duration; await delay(2000)) {
      for (const { memory } of present()) for (const [n, each] of instances.entries()) memory[n]?.push(memoryOf(each))
      for (; told < windows.length - 1; told++) {
        const window = windows[told]
        if (window) console.log(line(`minutes ${told * 10} to ${told * 10 + 10}`, window))
      }
    }
  }
  await Promise.all([watch(), ...Array.from({ length: clients }, (_, n) => client(n))])
  for (const [n, window] of windows.slice(told).entries()) {
    // An answer may come after the time is over.
    if (window.memory[0]?.length) console.log(line(`minutes ${(told + n) * 10} to ${(told + n) * 10 + 10}`, window))
  }
  for (const [n, quarter] of quarters.entries()) console.log(line(`quarter ${n + 1}`, quarter))
  report(verdictsOf(quarters))
  for (const { output } of instances) {
    const errors = output()
      .split('\n')
      .filter((each) => /"level":(50|60)/.test(each))
    if (errors.length > 0) throw new Error(`an instance logged ${errors.length} errors: ${errors[0]}`)
  }
})
