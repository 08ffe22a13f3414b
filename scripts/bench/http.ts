import { fork } from 'node:child_process'
import { once } from 'node:events'
import autocannon from 'autocannon'
import postgres from 'postgres'
import { adminToken, endedBy, serviceSettings, startService } from './service.ts'
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

await onStage(async (stage) => {
  const env = await serviceSettings(stage)
  const url = await startService(stage, env)
  const base = `${url}/api`
  const bare = `${await startBare(stage, env)}/api`
  await addPeople(env.DATABASE_URL)
  const token = await adminToken(url)
  const verdicts: Verdict[] = []
  for (const path of ['/base/ping', '/user/info', '/user/list?pageNum=1&pageSize=20']) {
    const headers = { authorization: `Bearer ${token}` }
    const [mine, theirs] = await Promise.all(
      [base, bare].map(async (at) => {
        const reply = await fetch(at + path, { headers })
        return `${[...reply.headers.keys()].sort()}\n${JSON.stringify(await reply.json())}`
      }),
    )
    if (mine !== theirs) throw new Error(`the answers to ${path} differ:\n${mine}\n${theirs}`)
    const measured: { ours: number[]; bare: number[] } = { ours: [], bare: [] }
    for (let round = 0; round <= rounds; round++) {
      const oursNow = await requestsPerSecond(base + path, token)
      const bareNow = await requestsPerSecond(bare + path, token)
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
