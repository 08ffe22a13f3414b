import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { startPostgres } from '../../test/postgres-server.ts'
import { median, onStage, report, type Stage, type Verdict } from './stage.ts'

/**
 * Requests per second of the service (with its limits, tokens, permissions, validation and contract) against bare
 * Fastify routes that send the same answer from the same SQL, written by hand. Both servers use one PostgreSQL, with as
 * many connections; neither logs requests. Rounds alternate, so that whatever else the machine does hits both.
 */
const rounds = Number(process.argv[2] ?? 5)
const seconds = 3
const connections = 20
const adminPassword = 'administrators have one'

const spawned = async (stage: Stage, file: string, env: Record<string, string>): Promise<{ port: number }> => {
  const child: ChildProcess = fork(new URL(file, import.meta.url), { env: { ...process.env, ...env } })
  stage.teardown(async () => {
    child.kill('SIGTERM')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  })
  const [message] = await once(child, 'message')
  return message
}

const requestsPerSecond = async (url: string, token: string): Promise<number> => {
  const headers = { authorization: `Bearer ${token}` }
  const result = await autocannon({ url, headers, connections, duration: seconds })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} refused, ${result.errors} failed`)
  return result.requests.average
}

const fetchJson = async (url: string, init?: RequestInit): Promise<{ data: { token: string } }> =>
  (await fetch(url, init)).json() as Promise<{ data: { token: string } }>

await onStage(async (stage) => {
  const server = await startPostgres()
  stage.teardown(() => server.dispose())
  const folder = await mkdtemp(join(tmpdir(), 'steward-bench-'))
  stage.teardown(() => rm(folder, { recursive: true, force: true }))
  const env = {
    DATABASE_URL: server.url,
    DATA_DIR: folder,
    ADMIN_PASSWORD: adminPassword,
    EMBEDDED_LDAP_PORT: 'off',
    LOG_LEVEL: 'warn',
    PORT: '0',
  }
  const ours = await spawned(stage, 'http-ours.ts', env)
  const bare = await spawned(stage, 'http-bare.ts', env)
  const base = `http://127.0.0.1:${ours.port}/api`
  const { data } = await fetchJson(`${base}/base/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password: adminPassword }),
  })
  const verdicts: Verdict[] = []
  for (const path of ['/base/ping', '/user/info', '/user/list?pageNum=1&pageSize=20']) {
    const headers = { authorization: `Bearer ${data.token}` }
    const [mine, theirs] = await Promise.all(
      [base, `http://127.0.0.1:${bare.port}/api`].map(async (at) => (await fetch(at + path, { headers })).text()),
    )
    if (mine !== theirs) throw new Error(`the answers to ${path} differ:\n${mine}\n${theirs}`)
    const measured: { ours: number[]; bare: number[] } = { ours: [], bare: [] }
    for (let round = 0; round <= rounds; round++) {
      const oursNow = await requestsPerSecond(base + path, data.token)
      const bareNow = await requestsPerSecond(`http://127.0.0.1:${bare.port}/api${path}`, data.token)
      // The first round warms up.
      if (round > 0) measured.ours.push(oursNow)
      if (round > 0) measured.bare.push(bareNow)
    }
    const ratio = median(measured.ours) / median(measured.bare)
    console.log(`${path}: ${Math.round(median(measured.ours))} requests/s, bare ${Math.round(median(measured.bare))}`)
    verdicts.push({ what: path, ratio, goal: '≥ 0.85 of bare Fastify', met: ratio >= 0.85 })
  }
  report(verdicts)
})
