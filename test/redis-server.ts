import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Test } from 'tap'
import { eventually } from './eventually.ts'
import { freePort } from './free-port.ts'
import { type OwnServer, ownServer } from './own-server.ts'

export interface TestRedis extends OwnServer {
  /** With its password. */
  url: string
  password: string
  /** What redis-cli prints, line by line. */
  cli(...args: string[]): Promise<string[]>
}

const installed = (program: string): boolean =>
  (process.env.PATH ?? '').split(':').some((folder) => folder !== '' && existsSync(join(folder, program)))

const available = installed('redis-server') && installed('redis-cli')

/**
 * For the `skip` option of a test that needs Redis: the visible reason where it is missing, else false.
 * With REQUIRE_SERVERS=1 nothing is skipped, so that the test fails where Redis is missing.
 */
export const skipWithoutRedis: string | false =
  available || process.env.REQUIRE_SERVERS === '1' ? false : 'Redis is not installed'

const run = promisify(execFile)

/** A real Redis on a free port of 127.0.0.1 that saves only when told to; it and its folder are gone after the test. */
export const testRedis = async (
  t: Pick<Test, 'teardown'>,
  { replicaOf }: { replicaOf?: TestRedis } = {},
): Promise<TestRedis> => {
  if (!available) throw new Error('Redis is not installed')
  const folder = await mkdtemp(join(tmpdir(), 'steward-redis-'))
  const password = 'keep-this-one-out-of-the-log'
  const port = await freePort()
  t.teardown(() => rm(folder, { recursive: true, force: true }))

  const cli = async (...args: string[]): Promise<string[]> => {
    const environment = { ...process.env, REDISCLI_AUTH: password }
    const { stdout } = await run('redis-cli', ['-p', String(port), ...args], { env: environment })
    return stdout.split('\n').filter((line) => line !== '')
  }

  const settings = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', '']
  const follows = replicaOf === undefined ? [] : ['--replicaof', '127.0.0.1', new URL(replicaOf.url).port]
  const server = await ownServer(t, {
    binary: 'redis-server',
    args: [...settings, ...follows, '--requirepass', password, '--masterauth', password],
    answers: async () => (await cli('ping').catch(() => [])).join() === 'PONG',
  })
  return Object.assign(server, { url: `redis://:${password}@127.0.0.1:${port}`, password, cli })
}

/** Three sentinels of a master, which agree within a second that it is away. `urls` are without their password. */
export const testSentinels = async (
  t: Pick<Test, 'teardown'>,
  master: TestRedis,
): Promise<{ password: string; hosts: string[] }> => {
  const password = 'not-that-of-the-servers'
  const folder = await mkdtemp(join(tmpdir(), 'steward-sentinel-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  const start = async (name: string): Promise<string> => {
    const port = await freePort()
    const file = join(folder, `${name}.conf`)
    const lines = [
      ...[`port ${port}`, 'bind 127.0.0.1', `dir ${folder}`, `requirepass ${password}`],
      ...[
        `sentinel monitor ours 127.0.0.1 ${new URL(master.url).port} 2`,
        `sentinel auth-pass ours ${master.password}`,
      ],
      ...[`sentinel sentinel-pass ${password}`, 'sentinel down-after-milliseconds ours 1000'],
      ...['sentinel failover-timeout ours 6000'],
    ]
    await writeFile(file, lines.join('\n'))
    const ask = async (...args: string[]): Promise<string> => {
      const environment = { ...process.env, REDISCLI_AUTH: password }
      return (await run('redis-cli', ['-p', String(port), ...args], { env: environment })).stdout
    }
    const knowsAll = async (): Promise<boolean> => {
      const found = await ask('sentinel', 'master', 'ours').catch(() => '')
      return /num-other-sentinels\n2\n/.test(found) && /num-slaves\n[1-9]/.test(found)
    }
    const answers = async (): Promise<boolean> => (await ask('ping').catch(() => '')).trim() === 'PONG'
    await ownServer(t, { binary: 'redis-server', args: [file, '--sentinel'], answers })
    waits.push(() => eventually(knowsAll, 'the sentinels know each other'))
    return `127.0.0.1:${port}`
  }
  const waits: (() => Promise<unknown>)[] = []
  const hosts = [await start('one'), await start('two'), await start('three')]
  for (const wait of waits) await wait()
  return { password, hosts }
}
