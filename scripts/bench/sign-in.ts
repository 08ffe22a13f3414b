import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { hash, verify } from '@node-rs/argon2'
import postgres from 'postgres'
import { endedBy, processorTime, serviceSettings, startProcess } from './service.ts'
import { median, onStage, report, type Stage } from './stage.ts'

/**
 * Sign-ins per second over HTTP, each with its session, token and entry of the operation log, against the same check of
 * an argon2id hash alone in a process of its own. Both check two passwords at once: the service leaves the rest of its
 * threads to files and name look-ups. The figure per core stands beside the 15 per vCPU that Keycloak's sizing guide
 * states (https://www.keycloak.org/high-availability/multi-cluster/concepts-memory-and-cpu-sizing), which counts the
 * processors of Keycloak alone. Here PostgreSQL and the callers run on the same ones, so that the second of the two
 * ratios, of the processor time that the service and the checks take, tells what they would do with a database elsewhere.
 */
const rounds = Number(process.argv[2] ?? 5)
const seconds = 4
const atOnce = 2
const callers = 8
const accounts = 500
const password = 'correct horse battery'
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/** Of the hashes that the service is warmed up with: V8 compiles and optimises for some thousand requests. */
const lightCost = { memoryCost: 8, timeCost: 1, parallelism: 1 }
const warmUps = 5000
const goal = 0.9
const keycloak = 15

/** Checks per second. */
const checks = async (): Promise<number> => {
  const phc = await hash(password, cost)
  const started = performance.now()
  let done = 0
  const lane = async (): Promise<void> => {
    for (; performance.now() - started < seconds * 1000; done += 1) {
      if (!(await verify(phc, password))) throw new Error('the password does not match its hash')
    }
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
  return (done / (performance.now() - started)) * 1000
}

const startChecks = (stage: Stage): { pid: number; check: () => Promise<number> } => {
  const child = fork(fileURLToPath(import.meta.url), ['checks'])
  endedBy(stage, child)
  const check = async () => {
    child.send('check')
    const [rate] = (await once(child, 'message')) as [number]
    return rate
  }
  return { pid: child.pid ?? 0, check }
}

interface Measured {
  /** Per second. */
  rate: number
  /** Per second of the processor time of the process. */
  perCore: number
}

const measured = async (pid: number, run: () => Promise<number>): Promise<Measured> => {
  const [before, started] = [processorTime(pid), performance.now()]
  const rate = await run()
  const done = rate * ((performance.now() - started) / 1000)
  return { rate, perCore: done / (processorTime(pid) - before) }
}

const addPeople = async (url: string): Promise<void> => {
  const sql = postgres(url, { max: 1 })
  for (const [name, phc] of [
    ['user', await hash(password, cost)],
    ['light', await hash(password, lightCost)],
  ] as const)
    await sql`
      insert into users (username, username_key, nickname, mail, mobile, job_number, password_hash)
      select ${name} || n, ${name} || n, 'User Number ' || n, '', '', '', ${phc} from generate_series(1, ${accounts}) n`
  await sql.end()
}

/** Sign-ins per second. @param goesOn whether there is another one, after so many */
const signIns = async (url: string, name: string, goesOn: (done: number) => boolean): Promise<number> => {
  const started = performance.now()
  let [next, done] = [0, 0]
  const caller = async (): Promise<void> => {
    while (goesOn(done)) {
      const body = JSON.stringify({ username: `${name}${(next++ % accounts) + 1}`, password })
      const headers = { 'content-type': 'application/json', 'x-forwarded-for': `10.0.${next >> 8}.${next & 255}` }
      const reply = await fetch(`${url}/api/base/login`, { method: 'POST', headers, body })
      const { code, msg } = (await reply.json()) as { code: number; msg: string }
      if (code !== 0) throw new Error(`${code} ${msg}`)
      done += 1
    }
  }
  await Promise.all(Array.from({ length: callers }, caller))
  return (done / (performance.now() - started)) * 1000
}

const bench = (): Promise<void> =>
  onStage(async (stage) => {
    // Every sign-in has an address of its own: one address may sign in 60 times a minute.
    const env = { ...(await serviceSettings(stage)), TRUST_PROXY: '127.0.0.1' }
    const { url, pid } = await startProcess(stage, env)
    await addPeople(env.DATABASE_URL)
    await signIns(url, 'light', (done) => done < warmUps)
    const alone = startChecks(stage)
    const timed = () => {
      const until = performance.now() + seconds * 1000
      return signIns(url, 'user', () => performance.now() < until)
    }
    const all: { ours: Measured; alone: Measured }[] = []
    for (let round = 0; round <= rounds; round++) {
      const one = { alone: await measured(alone.pid, alone.check), ours: await measured(pid, timed) }
      // The first round warms up.
      if (round > 0) all.push(one)
    }
    const of = (who: 'ours' | 'alone', what: keyof Measured): number => median(all.map((one) => one[who][what]))
    const perCore = of('ours', 'perCore')
    for (const [who, name] of [
      ['ours', 'sign-ins'],
      ['alone', 'checks'],
    ] as const) {
      console.log(
        `${of(who, 'rate').toFixed(1)} ${name}/s, ${of(who, 'perCore').toFixed(1)} per second of processor time`,
      )
    }
    const verdict = (what: string, ratio: number, least: number) =>
      ({ what, ratio, goal: `≥ ${least}`, met: ratio >= least }) as const
    report([
      verdict('sign-ins/s over checks/s', of('ours', 'rate') / of('alone', 'rate'), goal),
      verdict('the same per second of their processor time', perCore / of('alone', 'perCore'), goal),
      verdict(`per core, over ${keycloak}`, perCore / keycloak, 1),
    ])
  })

if (process.argv[2] === 'checks') process.on('message', async () => process.send?.(await checks()))
else await bench()
