import { closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Test } from 'tap'
import { eventually } from './eventually.ts'
import { freePort } from './free-port.ts'
import { type OwnServer, ownServer } from './own-server.ts'

/** The servers of deploy/haproxy/steward.cfg. */
export const haproxyServers = ['one', 'two', 'three'] as const
export type HaproxyServer = (typeof haproxyServers)[number]

/** A request that HAProxy has answered, as its log has it. */
export interface ProxiedRequest {
  /** `<NOSRV>`: no server could be chosen. */
  server: HaproxyServer | '<NOSRV>'
  status: number
  /** Two letters, such as `--` for a request that ended as it should. */
  ended: string
  /** How often a server did not take a connection. */
  retries: number
  line: string
}

export interface TestHaproxy extends OwnServer {
  url: string
  /** The requests so far. The line of a request is there soon after its answer. */
  requests(): ProxiedRequest[]
  /** Waits until HAProxy sends requests to a server, or none any more. */
  sees(server: HaproxyServer, state: 'UP' | 'DOWN'): Promise<void>
}

const binary = ['/usr/sbin/haproxy', '/usr/local/sbin/haproxy'].find(existsSync)

/** For the `skip` option of a test: the reason where HAProxy is missing; false with REQUIRE_SERVERS=1. */
export const skipWithoutHaproxy: string | false =
  binary !== undefined || process.env.REQUIRE_SERVERS === '1' ? false : 'HAProxy is not installed'

/** The published configuration with addresses of this machine. @throws when it has other lines than expected */
const configuration = (port: number, servers: readonly number[]): string => {
  const published = readFileSync('deploy/haproxy/steward.cfg', 'utf8')
  const replaced = [
    [/^ {2}bind .*$/m, `  bind 127.0.0.1:${port}`] as const,
    ...haproxyServers.map(
      (name, n) => [RegExp(`^  server ${name} .*$`, 'm'), `  server ${name} 127.0.0.1:${servers[n]}`] as const,
    ),
  ]
  return replaced.reduce((file, [line, by]) => {
    if (!line.test(file)) throw new Error(`deploy/haproxy/steward.cfg has no line ${line}`)
    return file.replace(line, by)
  }, published)
}

const requestOf = (line: string): ProxiedRequest[] => {
  const pattern = / steward\/(\S+) [-+\d]+\/[-+\d/]+ (-?\d+) \+?\d+ \S+ \S+ (\S\S)\S\S \d+\/\d+\/\d+\/\d+\/\+?(\d+) /
  const [, server, status, ended = '', retries] = pattern.exec(line) ?? []
  if (server === undefined) return []
  return [{ server: server as ProxiedRequest['server'], status: Number(status), ended, retries: Number(retries), line }]
}

/**
 * A real HAProxy with the configuration that is published, on a free port of 127.0.0.1.
 * @param servers the ports of three instances, which need not be there yet
 */
export const testHaproxy = async (t: Pick<Test, 'teardown'>, servers: readonly number[]): Promise<TestHaproxy> => {
  if (binary === undefined) throw new Error('HAProxy is not installed')
  const folder = await mkdtemp(join(tmpdir(), 'steward-haproxy-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  const port = await freePort()
  const socket = join(folder, 'socket')
  const files = [join(folder, 'global.cfg'), join(folder, 'steward.cfg')] as const
  await writeFile(files[0], `global\n  log stdout len 8192 format raw local0\n  stats socket ${socket}\n`)
  await writeFile(files[1], configuration(port, servers))
  // HAProxy drops lines that a pipe does not take at once.
  const log = join(folder, 'log')
  const stdout = openSync(log, 'a')
  t.teardown(() => closeSync(stdout))
  const server = await ownServer(t, {
    binary,
    args: ['-db', '-f', files[0], '-f', files[1]],
    stdout,
    answers: async () => existsSync(socket),
  })
  /** What the statistics say: a line for each server, CSV. */
  const state = async (name: string): Promise<string> => {
    const client = connect(socket).end('show stat\n')
    const line = (await text(client)).split('\n').find((each) => each.startsWith(`steward,${name},`))
    return line?.split(',')[17] ?? ''
  }
  return Object.assign(server, {
    url: `http://127.0.0.1:${port}`,
    requests: () => readFileSync(log, 'utf8').split('\n').slice(0, -1).flatMap(requestOf),
    // While it is on the way to the other state, it says `UP 1/2`.
    sees: async (name: HaproxyServer, wanted: 'UP' | 'DOWN') =>
      void (await eventually(async () => (await state(name)) === wanted, `HAProxy sees ${name} ${wanted}`)),
  })
}
