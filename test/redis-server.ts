import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Test } from 'tap'
import { freePort } from './free-port.ts'

export interface TestRedis {
  /** With its password. */
  url: string
  password: string
  /** Ends the server and waits until it is gone; `SIGKILL` for a crash. */
  stop(signal?: NodeJS.Signals): Promise<void>
  /** Starts it again on the same port, with what was last saved. */
  start(): Promise<void>
  /** Stops answering, with all connections open (SIGSTOP), until `thaw`. */
  freeze(): void
  thaw(): void
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
  let child: ChildProcess | null = null
  const killAtExit = (): void => void child?.kill('SIGKILL')

  const stop = async (signal: NodeJS.Signals = 'SIGTERM'): Promise<void> => {
    const running = child
    if (running === null) return
    const gone = once(running, 'exit')
    running.kill(signal)
    // A frozen process takes no other signal than SIGKILL.
    running.kill('SIGCONT')
    await gone
  }
  t.teardown(async () => {
    await stop('SIGKILL')
    process.off('exit', killAtExit)
    await rm(folder, { recursive: true, force: true })
  })
  process.once('exit', killAtExit)

  const cli = async (...args: string[]): Promise<string[]> => {
    const environment = { ...process.env, REDISCLI_AUTH: password }
    const { stdout } = await run('redis-cli', ['-p', String(port), ...args], { env: environment })
    return stdout.split('\n').filter((line) => line !== '')
  }

  const start = async (): Promise<void> => {
    if (child !== null) return
    const settings = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', '', '--requirepass']
    const started = spawn('redis-server', [...settings, password], { stdio: 'ignore' })
    child = started
    started.once('exit', () => {
      if (child === started) child = null
    })
    for (let waited = 0; (await cli('ping').catch(() => [])).join() !== 'PONG'; waited += 20) {
      if (child !== started) throw new Error(`redis-server ended at once (${started.exitCode ?? started.signalCode})`)
      if (waited > 15_000) throw new Error('redis-server does not answer')
      await delay(20)
    }
  }
  await start()

  return {
    url: `redis://:${password}@127.0.0.1:${port}`,
    password,
    stop,
    start,
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
    cli,
  }
}
