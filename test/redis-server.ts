import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Test } from 'tap'
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
export const testRedis = async (t: Pick<Test, 'teardown'>): Promise<TestRedis> => {
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

  const settings = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', '', '--requirepass']
  const server = await ownServer(t, {
    binary: 'redis-server',
    args: [...settings, password],
    answers: async () => (await cli('ping').catch(() => [])).join() === 'PONG',
  })
  return Object.assign(server, { url: `redis://:${password}@127.0.0.1:${port}`, password, cli })
}
