import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { directorySettings, testSlapd } from '../../test/slapd.ts'
import { endedBy, newFolder, serviceSettings } from './service.ts'
import { onStage, report, type Verdict } from './stage.ts'

/**
 * The memory of the service as it is shipped, with the processes that it starts, without work: from its start until
 * some time has passed without a request. On the embedded defaults on a new folder and on a used one; with PostgreSQL
 * and OpenLDAP. Linux. Run `npm run build` first.
 */
const idle = Number(process.argv[2] ?? 120)
/** Milliseconds between two readings. */
const interval = 50

const server = fileURLToPath(new URL('../../dist/main/server.js', import.meta.url))

/** Megabytes: at the end, and at the greatest. */
interface Memory {
  resident: number
  peak: number
}

const statusOf = (pid: number, field: 'VmRSS' | 'VmHWM'): number => {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0) / 1024
  } catch {
    // It has ended.
    return 0
  }
}

/** The process and its descendants. */
const familyOf = (pid: number): number[] => {
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
      parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]))
    } catch {}
  }
  const family = [pid]
  for (const member of family) for (const [child, parent] of parents) if (parent === member) family.push(child)
  return family
}

const watched = async (pid: number, milliseconds: number): Promise<Memory> => {
  const sum = (): number => familyOf(pid).reduce((total, member) => total + statusOf(member, 'VmRSS'), 0)
  const until = performance.now() + milliseconds
  let peak = 0
  while (performance.now() < until) {
    peak = Math.max(peak, sum())
    await new Promise((resolve) => setTimeout(resolve, interval))
  }
  return { resident: sum(), peak: Math.max(peak, statusOf(pid, 'VmHWM')) }
}

const memoryOf = async (env: Record<string, string>): Promise<Memory> => {
  const settings = { EMBEDDED_LDAP_PORT: '0', METRICS_PORT: 'off', LOG_LEVEL: 'warn', PORT: '0' }
  let memory: Memory = { resident: 0, peak: 0 }
  await onStage(async (stage) => {
    const child: ChildProcess = spawn(process.execPath, [server], {
      env: { ...process.env, ...settings, ...env },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    endedBy(stage, child)
    memory = await watched(child.pid ?? 0, idle * 1000)
    if (child.exitCode !== null) throw new Error('the service ended; did you run npm run build?')
  })
  return memory
}

await onStage(async (stage) => {
  const verdicts: Verdict[] = []
  const compare = (what: string, megabytes: number, goal: number): void =>
    void verdicts.push({
      what: `${what}: ${megabytes.toFixed(0)} MB`,
      ratio: megabytes / goal,
      goal: `≤ 1 of ${goal} MB`,
      met: megabytes <= goal,
    })
  const DATA_DIR = await newFolder(stage)
  for (const start of ['first start', 'later start']) {
    const { resident, peak } = await memoryOf({ DATA_DIR })
    compare(`embedded, ${start}, idle`, resident, 300)
    compare(`embedded, ${start}, peak`, peak, 500)
  }
  const servers = { ...(await serviceSettings(stage)), ...directorySettings(await testSlapd(stage)) }
  for (const start of ['first start', 'later start']) {
    const { resident, peak } = await memoryOf(servers)
    compare(`PostgreSQL and OpenLDAP, ${start}, idle`, resident, 150)
    compare(`PostgreSQL and OpenLDAP, ${start}, peak`, peak, 500)
  }
  report(verdicts)
})
