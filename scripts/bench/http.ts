import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import autocannon from 'autocannon'
import postgres from 'postgres'
import { startPostgres } from '../../test/postgres-server.ts'
import { median, onStage, report, type Stage, type Verdict } from './stage.ts'

/**
 * Requests per second of the service (with its limits, tokens, permissions, validation and contract) against bare
 * Fastify routes that send the same answer from the same SQL, written by hand. Both servers use one PostgreSQL, ours over
 * the connections it chooses, theirs over those that the driver opens by default (10). Neither logs requests; ours keeps
 * its operation log. Rounds alternate, so that whatever else the machine does hits both.
 */
const rounds = Number(process.argv[2] ?? 5)
const seconds = 3
const connections = 20
const adminPassword = 'administrators have one'

const endedBy = (stage: Stage, child: ChildProcess): void =>
  stage.teardown(async () => {
    child.kill('SIGTERM')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  })

/** The service as it is shipped. */
const startOurs = async (stage: Stage, env: Record<string, string>): Promise<string> => {
  const server = fileURLToPath(new URL('../../dist/main/server.js', import.meta.url))
  const child = spawn(process.execPath, [server], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  endedBy(stage, child)
  let printed = ''
  for await (const chunk of child.stdout) {
    printed += String(chunk)
    const url = /listens on (\S+)/.exec(printed)?.[1]
    if (url !== undefined) return url
  }
  throw new Error('the service did not start; did you run npm run build?')
}

const startBare = async (stage: Stage, env: Record<string, string>): Promise<string> => {
  const child = fork(new URL('http-bare.ts', import.meta.url), { env: { ...process.env, ...env } })
  endedBy(stage, child)
  const [{ port }] = await once(child, 'message')
  return `http://127.0.0.1:${port}`
}

const addPeople = async (url: string): Promise<void> => {
  const sql = postgres(url, { max: 1 })
  await sql`
    insert into users (username, username_key, nickname, mail, mobile, job_number)
    select 'user' || n, 'user' || n, 'User Number ' || n, 'user' || n || '@example.org', '+49 30 ' || 100000 + n, n::text
    from generate_series(1, 1000) n`
  await sql`analyze`
  await sql.end()
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
  const base = `${await startOurs(stage, env)}/api`
  const bare = `${await startBare(stage, env)}/api`
  await addPeople(server.url)
  const { data } = await fetchJson(`${base}/base/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password: adminPassword }),
  })
  const verdicts: Verdict[] = []
  for (const path of ['/base/ping', '/user/info', '/user/list?pageNum=1&pageSize=20']) {
    const headers = { authorization: `Bearer ${data.token}` }
    const [mine, theirs] = await Promise.all(
      [base, bare].map(async (at) => {
        const reply = await fetch(at + path, { headers })
        return `${[...reply.headers.keys()].sort()}\n${JSON.stringify(await reply.json())}`
      }),
    )
    if (mine !== theirs) throw new Error(`the answers to ${path} differ:\n${mine}\n${theirs}`)
    const measured: { ours: number[]; bare: number[] } = { ours: [], bare: [] }
    for (let round = 0; round <= rounds; round++) {
      const oursNow = await requestsPerSecond(base + path, data.token)
      const bareNow = await requestsPerSecond(bare + path, data.token)
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
