import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import type { Test } from 'tap'
import { eventually } from './eventually.ts'
import { freePort } from './free-port.ts'
import { ownServer } from './own-server.ts'
import { binaries, childrenOf, postgresMissing } from './postgres-server.ts'

const programs = ['/usr/bin/patroni', '/usr/bin/etcd']

/** The reason to skip a test; with REQUIRE_SERVERS=1 nothing is skipped. */
export const patroniMissing: string | false =
  postgresMissing ||
  (programs.every((program) => existsSync(program)) || process.env.REQUIRE_SERVERS === '1'
    ? false
    : 'Patroni and etcd are not installed here')

export interface PatroniNode {
  /** postgres://…/postgres */
  url: string
  /** Whether it accepts changes; false also where it does not answer. */
  isPrimary(): Promise<boolean>
  /** Whether Patroni waits for it at every commit. */
  isSynchronous(): Promise<boolean>
  /** As when the machine loses its power: Patroni and PostgreSQL end at once. */
  kill(): void
}

/** The password of the database on all nodes. */
const password = 'keep-this-one-out-of-the-log'

/** Three nodes of Patroni with an etcd, which wait for one standby at every commit; all are gone after the test. */
export const testPatroni = async (t: Test): Promise<PatroniNode[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'steward-patroni-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const etcd = await startEtcd(t, join(folder, 'etcd'))
  const nodes = [await startNode(t, folder, etcd, 'one')]
  // Otherwise another one might be the first, and make the cluster while this one does too.
  await eventually(() => nodes[0]?.isPrimary(), 'the first node is the primary')
  for (const name of ['two', 'three']) nodes.push(await startNode(t, folder, etcd, name))
  await eventually(async () => {
    const synchronous = await Promise.all(nodes.map((node) => node.isSynchronous()))
    return synchronous.filter(Boolean).length === 1
  }, 'a standby is waited for')
  return nodes
}

const startEtcd = async (t: Test, folder: string): Promise<string> => {
  const [clients, peers] = [await freePort(), await freePort()]
  const [url, peer] = [`http://127.0.0.1:${clients}`, `http://127.0.0.1:${peers}`]
  await ownServer(t, {
    binary: 'etcd',
    args: [
      ...['--name', 'one', '--data-dir', folder, '--unsafe-no-fsync'],
      ...['--listen-client-urls', url, '--advertise-client-urls', url],
      ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer, '--initial-cluster', `one=${peer}`],
    ],
    answers: () => answersOk(`${url}/health`),
  })
  return `127.0.0.1:${clients}`
}

const answersOk = (url: string): Promise<boolean> =>
  fetch(url, { signal: AbortSignal.timeout(2000) }).then(
    ({ ok }) => ok,
    () => false,
  )

const startNode = async (t: Test, parent: string, etcd: string, name: string): Promise<PatroniNode> => {
  const folder = join(parent, name)
  mkdirSync(folder)
  const [port, api] = [await freePort(), await freePort()]
  writeFileSync(join(folder, 'patroni.json'), JSON.stringify(settingsOf({ name, folder, port, api, etcd }), null, 2))
  // PostgreSQL refuses to run as root.
  const owner = process.getuid?.() === 0 ? idsOfPostgres() : undefined
  if (owner) {
    chownSync(parent, owner.uid, owner.gid)
    chownSync(folder, owner.uid, owner.gid)
  }
  const keeper: ChildProcess = spawn('sh', ['-c', keep, 'keep', folder], {
    ...owner,
    cwd: folder,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  keeper.unref()
  ;(keeper.stdin as unknown as { unref(): void }).unref()
  const pidIn = (file: string): number[] => {
    const path = join(folder, file)
    return existsSync(path) ? [Number.parseInt(readFileSync(path, 'utf8'), 10)] : []
  }
  const kill = (): void => {
    const servers = pidIn('data/postmaster.pid')
    const children = servers.flatMap((pid) => (existsSync(`/proc/${pid}`) ? childrenOf(pid) : []))
    for (const pid of [...pidIn('pid'), ...servers, ...children]) {
      if (existsSync(`/proc/${pid}`)) process.kill(pid, 'SIGKILL')
    }
  }
  t.teardown(async () => {
    kill()
    keeper.stdin?.end()
  })
  const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`
  await eventually(() => answersOk(`http://127.0.0.1:${api}/health`), `node ${name} runs`)
  return {
    url,
    kill,
    isPrimary: () => acceptsChanges(url),
    isSynchronous: () => answersOk(`http://127.0.0.1:${api}/synchronous`),
  }
}

const acceptsChanges = async (url: string): Promise<boolean> => {
  const client = postgres(url, { max: 1, connect_timeout: 2, fetch_types: false, onnotice: () => {} })
  try {
    const [row] = await client`select pg_is_in_recovery() as standby`
    return row?.standby === false
  } catch {
    return false
  } finally {
    await client.end({ timeout: 0 })
  }
}

interface NodeOptions {
  name: string
  folder: string
  port: number
  api: number
  etcd: string
}

/** JSON is YAML. The shortest times that Patroni recommends are longer: a machine that is busy must not lose its lock. */
const settingsOf = ({ name, folder, port, api, etcd }: NodeOptions): object => ({
  scope: 'steward',
  name,
  restapi: { listen: `127.0.0.1:${api}`, connect_address: `127.0.0.1:${api}` },
  etcd3: { host: etcd },
  bootstrap: {
    dcs: {
      ...{ ttl: 20, loop_wait: 1, retry_timeout: 5, synchronous_mode: true, maximum_lag_on_failover: 1_048_576 },
      postgresql: { parameters: { max_connections: 60, fsync: 'off' } },
    },
    initdb: [{ encoding: 'UTF8' }, { 'auth-host': 'scram-sha-256' }, { 'auth-local': 'trust' }],
  },
  postgresql: {
    ...{ listen: `127.0.0.1:${port}`, connect_address: `127.0.0.1:${port}`, bin_dir: binaries },
    ...{ data_dir: join(folder, 'data'), pgpass: join(folder, 'pgpass') },
    authentication: {
      superuser: { username: 'postgres', password },
      replication: { username: 'replicator', password },
    },
    pg_hba: ['host all all 127.0.0.1/32 scram-sha-256', 'host replication replicator 127.0.0.1/32 scram-sha-256'],
    parameters: { unix_socket_directories: '' },
  },
})

/** Runs Patroni in the folder; when standard input ends first, ends it and its PostgreSQL. */
const keep = `
exec 3<&0
/usr/bin/patroni "$1/patroni.json" </dev/null >"$1/log" 2>&1 3<&- &
server=$!
echo $server >"$1/pid"
read -r _ <&3
kill -KILL $server 2>/dev/null
[ -f "$1/data/postmaster.pid" ] && kill -QUIT "$(head -1 "$1/data/postmaster.pid")" 2>/dev/null
`

const idsOfPostgres = (): { uid: number; gid: number } => {
  const [uid, gid] = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' })))
  return { uid: uid ?? 0, gid: gid ?? 0 }
}
