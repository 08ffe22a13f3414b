import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { parseDn } from '../ldap/dn.ts'
import type { Logger } from '../log.ts'
import { bindAttempts } from './bind-attempts.ts'
import { type Connection, serveConnection } from './connection.ts'
import { controlOid } from './control.ts'
import { directoryService } from './directory.ts'
import { defaultLimits, type Limits } from './limits.ts'
import { dnKeyOf } from './locate.ts'
import { whoAmIOid } from './operations/extended.ts'
import { atMost, type VerifyPassword, verifyPassword } from './password.ts'
import { openStorage, type Storage } from './storage.ts'
import { DirectoryTree } from './tree.ts'
import { entryViews, rootDse } from './view.ts'

export interface EmbeddedDirectoryOptions {
  /** Where the entries are kept; made with mode 0700. Only one process may have it open. */
  folder: string
  /** On 127.0.0.1; 0 takes any free one. */
  port: number
  /** Named by dc, o or ou. Its entry is made when missing. */
  baseDn: string
  /** The one DN that may write and read password hashes; it needs no entry. */
  rootDn: string
  rootPassword: string
  log: Logger
  verify?: VerifyPassword
  limits?: Partial<Limits>
}

export interface EmbeddedDirectory {
  url: string
  port: number
  /** Ends all connections and waits until everything is on disk. */
  close(): Promise<void>
}

const loopback = '127.0.0.1'
/** How long close waits for operations under way, milliseconds. */
const patience = 2_000

const baseClasses: Readonly<Record<string, readonly string[]>> = {
  dc: ['dcObject', 'organization'],
  o: ['organization'],
  ou: ['organizationalUnit'],
}

const createBase = async (storage: Storage, baseDn: string): Promise<void> => {
  const naming = parseDn(baseDn)[0]?.[0]
  const classes = baseClasses[naming?.type.toLowerCase() ?? '']
  if (!naming || !classes)
    throw new Error(`The base DN of the embedded directory must begin with dc, o or ou: ${baseDn}`)
  const organization = classes.includes('organization') ? [{ name: 'o', values: [naming.value] }] : []
  await storage.write({
    kind: 'add',
    dn: baseDn,
    attributes: [{ name: 'objectClass', values: classes }, ...organization],
  })
}

/**
 * Starts a small LDAPv3 server on loopback, for trying out and for tests: no TLS, no schema, one writer. Its codes and
 * answers are those of OpenLDAP's slapd wherever it can do the same.
 */
export const startEmbeddedDirectory = async (options: EmbeddedDirectoryOptions): Promise<EmbeddedDirectory> => {
  const { baseDn, rootDn, rootPassword, log } = options
  const limits = { ...defaultLimits, ...options.limits }
  const tree = new DirectoryTree(dnKeyOf(baseDn))
  const storage = await openStorage(options.folder, tree, log)
  if (!tree.get(tree.suffix)) await createBase(storage, baseDn)

  const serve = directoryService({
    tree,
    storage,
    rootDn,
    rootPassword,
    views: entryViews(tree, rootDn),
    rootDse: rootDse({
      objectClass: ['top'],
      namingContexts: [baseDn],
      supportedLDAPVersion: ['3'],
      supportedControl: Object.values(controlOid),
      supportedExtension: [whoAmIOid],
      // All operational attributes (RFC 3673), and the filters for true and false (RFC 4526).
      supportedFeatures: ['1.3.6.1.4.1.4203.1.5.1', '1.3.6.1.4.1.4203.1.5.3'],
      vendorName: ['Steward embedded directory'],
    }),
    verify: atMost(limits.passwordChecks, options.verify ?? verifyPassword),
    attempts: bindAttempts(),
  })

  const connections = new Map<Socket, Connection>()
  const server = createServer({ noDelay: true, keepAlive: true }, (socket) => {
    const connection = serveConnection(socket, serve, limits, log)
    connections.set(socket, connection)
    void connection.ended.finally(() => connections.delete(socket))
  })
  server.maxConnections = limits.connections
  server.listen(options.port, loopback)
  try {
    await once(server, 'listening')
  } catch (error) {
    await storage.close()
    throw error
  }
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : options.port

  return {
    url: `ldap://${loopback}:${port}`,
    port,
    async close() {
      const closed = once(server, 'close')
      server.close()
      const impatient = setTimeout(() => {
        for (const socket of connections.keys()) socket.destroy()
      }, patience)
      await Promise.all([...connections.values()].map((connection) => connection.close()))
      await closed
      clearTimeout(impatient)
      await storage.close()
    },
  }
}
