import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import { built } from './built.ts'
import { type Call, caller } from './contract/call.ts'
import { eventually } from './eventually.ts'
import { adminPassword } from './steward.ts'

export interface Exit {
  code: number | null
  signal: NodeJS.Signals | null
  /** Milliseconds since it was told to end, or since it was started. */
  took: number
}

/** The service as it really runs: built, and in a process of its own. */
export interface ServerProcess {
  url: string
  pid: number
  call: Call
  /** Everything printed so far, log lines and all. */
  output(): string
  signIn(username?: string, password?: string): Promise<string>
  /** kill -9. */
  kill(): Promise<Exit>
  /** SIGTERM; resolves when the process is gone. */
  stop(): Promise<Exit>
  /** Whether the process is there, as it was started. */
  running(): boolean
}

type Environment = Readonly<Record<string, string>>

/** Milliseconds until a server must answer; only a machine that is busy with other things comes near. */
const timeout = 90_000

/** A folder for DATA_DIR that is gone after the test, once the processes that use it are. */
export const dataFolder = async (t: Test): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'steward-data-'))
  t.teardown(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }))
  return folder
}

/** Starts the service and waits for its first answer. Nothing of this process's own environment reaches it. */
/**
 * The errors that a process has logged, except those that a test has caused: after a kill the next process says that
 * the last entries of the operation log may be missing.
 */
export const errorsIn = (output: string, expected = /ended without a stop/): string[] =>
  output.split('\n').filter((line) => /"level":(50|60)/.test(line) && !expected.test(line))

export const startServer = async (t: Test, environment: Environment): Promise<ServerProcess> => {
  const server = launch(t, environment)
  const url = await server.address()
  const call = caller(url)
  await call('ping')
  return {
    url,
    call,
    pid: server.child.pid ?? 0,
    output: server.output,
    running: () => server.child.exitCode === null && server.child.signalCode === null,
    kill: () => server.end('SIGKILL'),
    stop: () => server.end('SIGTERM'),
    signIn: async (username = 'admin', password = adminPassword) => {
      const reply = await call('login', { body: { username, password } })
      if (reply.code !== 0) throw new Error(`${username} cannot sign in: ${reply.msg}`)
      return reply.data.token
    },
  }
}

/** Runs the service until it ends by itself: for starts that must fail. */
export const runServer = async (t: Test, environment: Environment): Promise<Exit & { output: string }> => {
  const server = launch(t, environment)
  return { ...(await server.ended), output: server.output() }
}

const launch = (t: Test, environment: Environment) => {
  const child = spawn(process.execPath, built('main/server'), {
    // A folder without a .env.
    cwd: tmpdir(),
    env: { PATH: process.env.PATH ?? '', ...defaults, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  const ended = exitOf(child, Date.now())
  const killAtExit = (): void => void child.kill('SIGKILL')
  process.once('exit', killAtExit)
  t.teardown(async () => {
    child.kill('SIGKILL')
    await ended
    process.off('exit', killAtExit)
  })

  return {
    child,
    ended,
    output: () => output,
    end: (signal: NodeJS.Signals): Promise<Exit> => {
      const exit = exitOf(child, Date.now())
      child.kill(signal)
      return exit
    },
    address: async (): Promise<string> => {
      const find = (): string | undefined => {
        const [, url] = /Steward listens on (\S+)/.exec(output) ?? []
        if (url === undefined && child.exitCode !== null) throw new Error(`the server does not listen: ${output}`)
        return url
      }
      return eventually(find, 'the server listens', timeout)
    },
  }
}

const exitOf = (child: ChildProcess, since: number): Promise<Exit> =>
  new Promise((resolve) => {
    const report = (code: number | null, signal: NodeJS.Signals | null): void =>
      resolve({ code, signal, took: Date.now() - since })
    if (child.exitCode !== null || child.signalCode !== null) report(child.exitCode, child.signalCode)
    // `close` comes after the last of the output.
    else child.once('close', report)
  })

const defaults = { PORT: '0', EMBEDDED_LDAP_PORT: '0', TIME_ZONE: 'UTC', ADMIN_PASSWORD: adminPassword }
