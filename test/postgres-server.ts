import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import postgres from 'postgres'
import type { CertificateFiles } from './certificate.ts'
import { eventually } from './eventually.ts'
import { freePort } from './free-port.ts'

export interface PostgresServer {
  /** postgres://…/postgres, the same over restarts. */
  url: string
  /** `fast` ends sessions in good order, `immediate` is a crash. */
  stop(mode?: StopMode): Promise<void>
  start(): Promise<void>
  restart(mode?: StopMode): Promise<void>
  /** Starts a copy of it that follows it and has everything that it confirms from now on. */
  standby(): Promise<PostgresServer>
  /** Makes a standby a server of its own that accepts changes. */
  promote(): Promise<void>
  /** Stops answering, with all connections open (SIGSTOP), until `thaw`. */
  freeze(): void
  thaw(): void
  /** Stops it for good and removes its files. */
  dispose(): Promise<void>
}

type StopMode = 'fast' | 'immediate'

const findBinaries = (): string | undefined => {
  const root = '/usr/lib/postgresql'
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : []
  const folders = [...versions.map((version) => join(root, version, 'bin')), ...(process.env.PATH ?? '').split(':')]
  return folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')))
}

export const binaries = findBinaries()

/** The reason to skip a test that needs PostgreSQL; false when it is installed, or when REQUIRE_SERVERS wants a failure. */
export const postgresMissing: string | false =
  binaries || process.env.REQUIRE_SERVERS === '1' ? false : 'PostgreSQL is not installed here'

/**
 * Starts a PostgreSQL of its own in a temporary folder, on 127.0.0.1 and a free port. It ends with this
 * process however that ends: a shell waits for the end of its input, which the kernel closes, and then stops it.
 * @param how `password`: asked for at sign-in; without one every client is trusted. `durable`: it syncs every commit to the
 *   disk. Default: false
 */
export const startPostgres = async ({
  password,
  durable = false,
  standbyOf,
  parent = tmpdir(),
  tls,
}: {
  password?: string
  durable?: boolean
  /** Where its folder is made. */
  parent?: string
  /** The URL of a server whose standby it becomes. */
  standbyOf?: string
  /** Its certificate, and the authority of those that clients may show. */
  tls?: CertificateFiles
} = {}): Promise<PostgresServer> => {
  if (!binaries) throw new Error('PostgreSQL is not installed here and REQUIRE_SERVERS=1')
  const owner: Account | undefined = process.getuid?.() === 0 ? accountOf('postgres') : undefined
  const folder = mkdtempSync(join(parent, 'steward-postgres-'))
  const data = join(folder, 'data')
  const passwordFile = join(folder, 'password')
  writeFileSync(passwordFile, password ?? 'none', { mode: 0o600 })
  if (owner) for (const path of [folder, passwordFile]) chownSync(path, owner.uid, owner.gid)
  const asOwner = { ...owner, stdio: 'pipe', cwd: folder } as const
  const initialize = (): void => {
    const access = ['-A', password ? 'scram-sha-256' : 'trust', `--pwfile=${passwordFile}`]
    execFileSync(join(binaries, 'initdb'), ['-D', data, '-U', 'postgres', ...access, '-N', '-E', 'UTF8'], asOwner)
  }
  const follow = (leader: string): void => {
    const command = ['-d', leader, '-D', data, '--write-recovery-conf', '--wal-method=stream', '--checkpoint=fast']
    execFileSync(join(binaries, 'pg_basebackup'), command, asOwner)
  }
  if (standbyOf) follow(standbyOf)
  else if (password) initialize()
  else copyCluster(data, initialize)
  const port = await freePort()
  const url = `postgres://postgres${password ? `:${encodeURIComponent(password)}` : ''}@127.0.0.1:${port}/postgres`
  const settings = [
    'listen_addresses=127.0.0.1',
    `port=${port}`,
    'unix_socket_directories=',
    `fsync=${durable ? 'on' : 'off'}`,
    'max_connections=60',
  ]
  if (tls) {
    for (const [name, file] of Object.entries(tls)) {
      const own = join(data, name)
      copyFileSync(file, own)
      chmodSync(own, 0o600)
      if (owner) chownSync(own, owner.uid, owner.gid)
    }
    settings.push('ssl=on', 'ssl_ca_file=ca', 'ssl_cert_file=certificate', 'ssl_key_file=key')
  }
  let keeper: ChildProcess | undefined

  const start = async (): Promise<void> => {
    const command = [join(binaries, 'postgres'), '-D', data, ...settings.flatMap((setting) => ['-c', setting])]
    keeper = spawn('sh', ['-c', keep, 'keep', folder, ...command], {
      ...owner,
      cwd: folder,
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    keeper.unref()
    ;(keeper.stdin as unknown as { unref(): void }).unref()
    await untilReady(url)
  }
  const postmaster = (): number => Number.parseInt(readFileSync(join(data, 'postmaster.pid'), 'utf8'), 10)
  /** The server and all its processes. */
  const signal = (name: 'SIGSTOP' | 'SIGCONT'): void => {
    const pid = postmaster()
    process.kill(pid, name)
    for (const each of childrenOf(pid)) {
      try {
        process.kill(each, name)
      } catch (error) {
        // It has ended since it was listed, as those that vacuum do at any time.
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
      }
    }
  }
  const stop = async (mode: StopMode = 'fast'): Promise<void> => {
    if (!keeper) return
    const ended = new Promise((resolve) => keeper?.once('exit', resolve))
    keeper.ref()
    signal('SIGCONT')
    process.kill(postmaster(), mode === 'fast' ? 'SIGINT' : 'SIGQUIT')
    await ended
    keeper.stdin?.end()
    keeper = undefined
  }
  const dispose = async (): Promise<void> => {
    await stop('immediate')
    rmSync(folder, { recursive: true, force: true })
  }
  const ask = async (statement: string): Promise<void> => {
    const client = postgres(url, { max: 1, onnotice: () => {} })
    await client.unsafe(statement).finally(() => client.end({ timeout: 1 }))
  }
  const standby = async (): Promise<PostgresServer> => {
    const follower = await startPostgres({ ...(password && { password }), standbyOf: url })
    await ask(`alter system set synchronous_standby_names = '*'`)
    await ask('select pg_reload_conf()')
    return follower
  }
  await start()
  return {
    url,
    start,
    stop,
    standby,
    promote: () => ask('select pg_promote()'),
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    restart: async (mode) => {
      await stop(mode)
      await start()
    },
    dispose,
  }
}

/** One URL with the hosts of all these servers. */
export const hostsOf = (...servers: { url: string }[]): string => {
  const urls = servers.map(({ url }) => new URL(url))
  const { username = '', password = '', pathname = '' } = urls[0] ?? {}
  return `postgres://${username}${password && `:${password}`}@${urls.map(({ host }) => host)}${pathname}`
}

export const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)

/**
 * A new cluster, made once and kept between runs: making one takes ten times as long as copying it.
 * @param initialize makes one in `data`
 */
const copyCluster = (data: string, initialize: () => void): void => {
  const version = createHash('sha256')
    .update(String(binaries))
    .update(execFileSync(join(binaries ?? '', 'initdb'), ['-V']))
  const cache = resolve('node_modules/.cache/steward')
  const kept = join(cache, `cluster-${version.digest('hex').slice(0, 16)}`)
  // As an archive, which keeps the owner.
  const copy = (from: string, to: string) => execFileSync('cp', ['-a', from, to])
  if (existsSync(kept)) return void copy(kept, data)
  initialize()
  mkdirSync(cache, { recursive: true })
  const draft = mkdtempSync(`${kept}-`)
  copy(data, join(draft, 'data'))
  try {
    renameSync(join(draft, 'data'), kept)
  } catch (error) {
    // Another test process was first.
    if (!existsSync(kept)) throw error
  }
  rmSync(draft, { recursive: true, force: true })
}

/** Runs the command after the folder; when standard input ends first, ends the command and removes the folder. */
const keep = `
folder=$1; shift
exec 3<&0
"$@" </dev/null 3<&- &
server=$!
(
  read -r _ <&3
  trap '' TERM
  kill -QUIT $server 2>/dev/null
  while kill -0 $server 2>/dev/null; do sleep 0.1; done
  rm -rf "$folder"
) &
watch=$!
exec 3<&-
wait $server
kill $watch 2>/dev/null
`

interface Account {
  uid: number
  gid: number
}

const accountOf = (user: string): Account => {
  const [, , uid, gid] =
    readFileSync('/etc/passwd', 'utf8').match(new RegExp(`^${user}:([^:]*):(\\d+):(\\d+):`, 'm')) ?? []
  if (!uid || !gid) throw new Error(`PostgreSQL refuses to run as root and user ${user} does not exist`)
  return { uid: Number(uid), gid: Number(gid) }
}

const untilReady = (url: string): Promise<boolean> =>
  eventually(async () => {
    const client = postgres(url, { max: 1, connect_timeout: 2, onnotice: () => {} })
    try {
      return (await client`select 1`).length === 1
    } catch {
      return false
    } finally {
      await client.end({ timeout: 1 })
    }
  }, 'PostgreSQL answers')
