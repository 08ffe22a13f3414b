import { existsSync } from 'node:fs'
import { Server } from 'node:net'
import type { Config } from '../../config/config.ts'
import { FolderInUseError } from '../../db/embedded/folder-in-use.ts'
import { lockFolder } from '../../db/embedded/lock.ts'
import { maxClients } from '../../main/bounded-clients.ts'
import { takePort } from '../../network/take-port.ts'
import { openFileLimit } from '../../runtime/open-file-limit.ts'
import { type Finding, note, ok, problem } from './finding.ts'

/** The oldest version of Node.js that Steward runs on. */
const oldestNode: readonly [number, number] = [20, 19]

export const checkNode = (version = process.versions.node): Finding => {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [oldest, least] = oldestNode
  return major > oldest || (major === oldest && minor >= least)
    ? ok(`Node.js ${version}`)
    : problem(`Node.js ${version} is too old`, `Install Node.js ${oldestNode.join('.')} or newer.`)
}

/** Fewer connections of HTTP than this are reported. */
const fewClients = 1000

/** How many connections of HTTP the limit of open files allows. */
export const checkOpenFiles = (openFiles = openFileLimit()): Finding => {
  const clients = maxClients(openFiles)
  if (openFiles === null || clients >= fewClients) return ok(`${clients} connections of HTTP at one time`)
  return note(
    `${clients} connections of HTTP at one time, for a process may open ${openFiles} files`,
    `Allow it ${16_384} or more: LimitNOFILE of systemd, the option --ulimit of a container, ulimit -n of a shell.`,
  )
}

/** Whether a service runs on the data folder; only embedded databases and directories lock it. */
export const isRunning = async ({ dataDir, databaseUrl }: Config): Promise<boolean> => {
  if (databaseUrl !== null || !existsSync(dataDir)) return false
  try {
    await (await lockFolder(dataDir))()
    return false
  } catch (error) {
    if (error instanceof FolderInUseError) return true
    throw error
  }
}

const portAdvice: Readonly<Record<string, string>> = {
  EADDRINUSE: 'Another program uses it, or another setting: end that program, or choose another port.',
  EACCES: 'Choose a port from 1024 on, or let the system give this user the right (CAP_NET_BIND_SERVICE).',
  EADDRNOTAVAIL: 'Choose an address of this machine.',
  ENOTFOUND: 'Choose an address of this machine.',
}

/** Every port that a start takes. */
const wantedPorts = ({ host, port, ldap, metrics }: Config): { setting: string; host: string; port: number }[] => [
  { setting: 'PORT', host, port },
  ...(ldap?.kind === 'embedded' ? [{ setting: 'EMBEDDED_LDAP_PORT', host: ldap.host, port: ldap.port }] : []),
  ...(ldap?.kind === 'embedded' && ldap.ldapsPort !== null
    ? [{ setting: 'EMBEDDED_LDAPS_PORT', host: ldap.host, port: ldap.ldapsPort }]
    : []),
  ...(metrics === null ? [] : [{ setting: 'METRICS_PORT', host: metrics.host, port: metrics.port }]),
]

/**
 * Whether the ports are free, and the addresses are some of this machine. Each is kept until all are tried, so that two
 * settings with one port are noticed.
 * @param running a service runs already, which has them
 */
export const checkPorts = async (config: Config, running: boolean): Promise<Finding[]> => {
  const taken: Server[] = []
  const findings: Finding[] = []
  for (const { setting, host, port } of wantedPorts(config)) {
    const where = `${setting}: ${port === 0 ? 'any free port' : `port ${port}`} of ${host}`
    const got = await takePort(host, port)
    if (got instanceof Server) {
      taken.push(got)
      findings.push(ok(port === 0 ? where : `${where} is free`))
      continue
    }
    const code = got.code ?? got.message
    findings.push(
      running && code === 'EADDRINUSE'
        ? ok(`${where} is in use, and a service runs on this DATA_DIR`)
        : problem(
            `${where} cannot be used (${code})`,
            portAdvice[code] ?? 'Choose another address, one of this machine.',
          ),
    )
  }
  await Promise.all(taken.map((server) => new Promise((resolve) => server.close(resolve))))
  return findings
}
