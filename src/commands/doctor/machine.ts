import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import type { Config } from '../../config/config.ts'
import { lockFolder } from '../../db/embedded/lock.ts'
import { isInUse } from '../../db/in-use.ts'
import { type Finding, ok, problem } from './finding.ts'

/** The oldest version of Node.js that Steward runs on. */
const oldestNode: readonly [number, number] = [20, 19]

export const checkNode = (version = process.versions.node): Finding => {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [oldest, least] = oldestNode
  return major > oldest || (major === oldest && minor >= least)
    ? ok(`Node.js ${version}`)
    : problem(`Node.js ${version} is too old`, `Install Node.js ${oldestNode.join('.')} or newer.`)
}

/** Whether a service runs on the data folder; only embedded databases and directories lock it. */
export const isRunning = async ({ dataDir, databaseUrl }: Config): Promise<boolean> => {
  if (databaseUrl !== null || !existsSync(dataDir)) return false
  try {
    await (await lockFolder(dataDir))()
    return false
  } catch (error) {
    if (isInUse(error)) return true
    throw error
  }
}

const tryPort = (host: string, port: number): Promise<string | null> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(null)))
  })

const portAdvice: Readonly<Record<string, string>> = {
  EADDRINUSE: 'Another program uses it: end that program, or choose another port.',
  EACCES: 'Choose a port from 1024 on, or let the system give this user the right (CAP_NET_BIND_SERVICE).',
  EADDRNOTAVAIL: 'Choose an address of this machine.',
  ENOTFOUND: 'Choose an address of this machine.',
}

/**
 * Whether the ports are free.
 * @param running a service runs already, which has them
 */
export const checkPorts = async (config: Config, running: boolean): Promise<Finding[]> => {
  const { host, port, ldap } = config
  const wanted: { setting: string; host: string; port: number }[] = [{ setting: 'PORT', host, port }]
  if (ldap?.kind === 'embedded') {
    wanted.push({ setting: 'EMBEDDED_LDAP_PORT', host: ldap.host, port: ldap.port })
    if (ldap.ldapsPort !== null) wanted.push({ setting: 'EMBEDDED_LDAPS_PORT', host: ldap.host, port: ldap.ldapsPort })
  }
  return Promise.all(
    wanted.map(async (each): Promise<Finding> => {
      const where = `${each.setting}: port ${each.port} of ${each.host}`
      if (each.port === 0) return ok(`${each.setting}: any free port`)
      const refused = await tryPort(each.host, each.port)
      if (refused === null) return ok(`${where} is free`)
      if (running && refused === 'EADDRINUSE') return ok(`${where} is in use, and a service runs on this DATA_DIR`)
      return problem(`${where} cannot be used (${refused})`, portAdvice[refused] ?? `Set ${each.setting}.`)
    }),
  )
}
