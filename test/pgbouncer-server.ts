import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import type { Test } from 'tap'
import { freePort } from './free-port.ts'
import { type OwnServer, ownServer } from './own-server.ts'

const binary = '/usr/sbin/pgbouncer'

/** The reason to skip a test; with REQUIRE_SERVERS=1 nothing is skipped. */
export const pgbouncerMissing: string | false =
  existsSync(binary) || process.env.REQUIRE_SERVERS === '1' ? false : 'PgBouncer is not installed here'

export interface TestPgBouncer extends OwnServer {
  /** The database of the server behind it, through PgBouncer. */
  url: string
}

/**
 * PgBouncer in front of a server that asks for a password, with as few connections as it makes sense to have.
 * @param settings more lines of its configuration
 */
export const testPgBouncer = async (
  t: Pick<Test, 'teardown'>,
  behind: string,
  settings: readonly string[] = ['pool_mode = transaction'],
): Promise<TestPgBouncer> => {
  const { hostname, port: serverPort, username, password } = new URL(behind)
  const folder = await mkdtemp(join(tmpdir(), 'steward-pgbouncer-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  const port = await freePort()
  const lines = [
    ...['[databases]', `* = host=${hostname} port=${serverPort}`],
    ...[
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      `logfile = ${folder}/log`,
    ],
    ...['auth_type = scram-sha-256', `auth_file = ${folder}/users`, 'default_pool_size = 4', 'server_round_robin = 1'],
    // While the server is away, it makes clients wait for two minutes otherwise.
    ...['query_wait_timeout = 3', 'server_login_retry = 1', 'server_connect_timeout = 3'],
    ...settings,
  ]
  await writeFile(join(folder, 'pgbouncer.ini'), lines.join('\n'))
  await writeFile(join(folder, 'users'), `"${username}" "${password}"\n`)
  // It refuses to run as root.
  const isRoot = process.getuid?.() === 0
  const [uid, gid] = isRoot ? idsOfPostgres() : []
  if (uid !== undefined && gid !== undefined) await chown(folder, uid, gid)
  const command = [binary, join(folder, 'pgbouncer.ini')]
  const url = `postgres://${username}:${password}@127.0.0.1:${port}/postgres`
  const server = await ownServer(t, {
    binary: isRoot ? 'setpriv' : binary,
    args: isRoot ? [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', ...command] : command.slice(1),
    answers: async () => {
      const sql = postgres(url, { max: 1, prepare: false, fetch_types: false, connect_timeout: 2 })
      try {
        return (await sql.unsafe('select 1')).length === 1
      } catch {
        return false
      } finally {
        await sql.end({ timeout: 0 })
      }
    },
  })
  return Object.assign(server, { url })
}

const idsOfPostgres = (): number[] =>
  ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' })))
