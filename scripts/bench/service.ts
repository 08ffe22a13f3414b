import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startPostgres } from '../../test/postgres-server.ts'
import type { Stage } from './stage.ts'

export const adminPassword = 'administrators have one'

export const endedBy = (stage: Stage, child: ChildProcess): void =>
  stage.teardown(async () => {
    child.kill('SIGTERM')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  })

/**
 * The settings of a service with a PostgreSQL of its own and no directory, that logs warnings only.
 * @param how `durable`: whether PostgreSQL syncs every commit to the disk. Default: false
 */
export const serviceSettings = async (
  stage: Stage,
  { durable = false }: { durable?: boolean } = {},
): Promise<Record<string, string> & { DATABASE_URL: string }> => {
  const server = await startPostgres({ durable })
  stage.teardown(() => server.dispose())
  const folder = await mkdtemp(join(tmpdir(), 'steward-bench-'))
  stage.teardown(() => rm(folder, { recursive: true, force: true }))
  return {
    DATABASE_URL: server.url,
    DATA_DIR: folder,
    ADMIN_PASSWORD: adminPassword,
    EMBEDDED_LDAP_PORT: 'off',
    LOG_LEVEL: 'warn',
    PORT: '0',
  }
}

/** A data directory that does not exist yet. */
export const newFolder = async (stage: Stage): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'steward-bench-'))
  stage.teardown(() => rm(folder, { recursive: true, force: true }))
  return join(folder, 'data')
}

export interface Running {
  url: string
  pid: number
}

/** The service as it is shipped. */
export const startService = async (stage: Stage, env: Record<string, string>): Promise<string> =>
  (await startProcess(stage, env)).url

/** The same, with its process. */
export const startProcess = async (stage: Stage, env: Record<string, string>): Promise<Running> => {
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
    if (url !== undefined) return { url, pid: child.pid ?? 0 }
  }
  throw new Error('the service did not start; did you run npm run build?')
}

/** Seconds of processor time that a process has taken, with all its threads. */
export const processorTime = (pid: number): number => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The name before them may hold spaces. A tick is 10 ms on every Linux.
  const [user = 0, system = 0] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number)
  return (user + system) / 100
}

/** The token of the administrator. */
export const adminToken = async (url: string): Promise<string> => {
  const reply = await fetch(`${url}/api/base/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password: adminPassword }),
  })
  const { data } = (await reply.json()) as { data: { token: string } }
  return data.token
}
