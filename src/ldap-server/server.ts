// The room ldap-server.
// The embedded directory: a small LDAP server with a journal, for installations without a directory server.
// It checks only passwords: `throttleBind` decides whether an account may sign in.

import { once } from 'node:events'
import { chmodSync, rmSync } from 'node:fs'
import { createServer, type ListenOptions, type Server, type Socket } from 'node:net'
import { privateSocket } from '../db/embedded/private-socket.ts'
import { parseDn } from '../ldap/dn.ts'
import type { Logger } from '../log.ts'
import type { BindThrottle } from './bind-throttle.ts'
import { boundSessions } from './bound-sessions.ts'
import { byteBudget } from './byte-budget.ts'
import { type Connection, serveConnection } from './connection.ts'
import { controlOid } from './control.ts'
import { directoryService } from './directory.ts'
import { fairQueue } from './fair-queue.ts'
import { defaultLimits, type Limits } from './limits.ts'
import { dnKeyOf } from './locate.ts'
import { pageRegistry } from './open-pages.ts'
import type { Origin } from './operations/bind.ts'
import { whoAmIOid } from './operations/extended.ts'
import { unmatchedArgon2, type VerifyPassword, verifyPassword } from './password.ts'
import { openStorage, type Storage } from './storage.ts'
import { DirectoryTree } from './tree.ts'
import { openTurns } from './turns.ts'
import { entryViews, rootDse, subschemaEntry } from './view.ts'

export interface EmbeddedDirectoryOptions {
  /** The folder of the entries; created with mode 0700. Only one process may have it open. */
  folder: string
  /** On 127.0.0.1; 0 takes any free one. */
  port: number
  /** Named by dc, o or ou. Its entry is created when it is missing. */
  baseDn: string
  /** The one DN that may write and read password hashes; it needs no entry. */
  rootDn: string
  rootPassword: string
  /** Counts binds, except those over the private socket, and those of the root DN with the right password. */
  throttleBind: BindThrottle
  log: Logger
  verify?: VerifyPassword
  /** A hash that no password matches, of the scheme and cost that most passwords have. */
  decoyPassword?: string
  limits?: Partial<Limits>
}

export interface EmbeddedDirectory {
  url: string
  port: number
  /** Only this process's user can connect to it; load on the port does not delay it. */
  privateUrl: string
  /** Ends all connections and waits until all writes are on disk. */
  close(): Promise<void>
}

const loopback = '127.0.0.1'
/** How long close waits for operations in progress, milliseconds. */
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

/** Accepts connections, and closes one when there are too many. */
const openListener = (
  connections: Map<Socket, Connection>,
  most: number,
  serve: (socket: Socket) => Connection,
): Server =>
  createServer({ noDelay: true, keepAlive: true }, (socket) => {
    if (connections.size >= most) {
      const [idle] = [...connections].find(([, { unbound }]) => unbound) ?? []
      if (!idle) return void socket.destroy()
      idle.destroy()
      connections.delete(idle)
    }
    const connection = serve(socket)
    connections.set(socket, connection)
    void connection.ended.finally(() => connections.delete(socket))
  })

const listening = async (server: Server, where: ListenOptions): Promise<void> => {
  server.listen(where)
  await once(server, 'listening')
}

const closeServer = async (server: Server): Promise<void> => {
  if (!server.listening) return
  const closed = once(server, 'close')
  server.close()
  await closed
}

const serviceOf = (options: EmbeddedDirectoryOptions, limits: Limits, tree: DirectoryTree, storage: Storage) => {
  const { baseDn, rootDn, rootPassword, throttleBind } = options
  return directoryService({
    tree,
    storage,
    rootDn,
    rootPassword,
    throttleBind,
    bound: boundSessions(tree, { ofOneName: limits.connectionsOfOne }),
    turns: openTurns(),
    searchWork: limits.searchWork,
    views: entryViews(tree, rootDn),
    subschema: subschemaEntry(),
    rootDse: rootDse({
      objectClass: ['top'],
      namingContexts: [baseDn],
      supportedLDAPVersion: ['3'],
      supportedControl: Object.values(controlOid),
      supportedExtension: [whoAmIOid],
      // All operational attributes (RFC 3673), attributes by object class (RFC 4529), true and false filters (RFC
      // 4526).
      supportedFeatures: ['1.3.6.1.4.1.4203.1.5.1', '1.3.6.1.4.1.4203.1.5.2', '1.3.6.1.4.1.4203.1.5.3'],
      vendorName: ['Steward embedded directory'],
    }),
    verify: options.verify ?? verifyPassword,
    decoyPassword: options.decoyPassword ?? unmatchedArgon2,
    passwordChecks: fairQueue({
      running: limits.passwordChecks,
      runningOfOne: limits.passwordChecksOfOne,
      waitingOfOne: limits.passwordChecksWaiting,
    }),
  })
}

/**
 * Starts a small LDAPv3 server on loopback, for evaluation and tests: no TLS, one writer. Its schema, codes and
 * responses are those of OpenLDAP's slapd wherever it has the same feature.
 */
export const startEmbeddedDirectory = async (options: EmbeddedDirectoryOptions): Promise<EmbeddedDirectory> => {
  const { baseDn, log } = options
  const limits = { ...defaultLimits, ...options.limits }
  const tree = new DirectoryTree(dnKeyOf(baseDn))
  const storage = await openStorage(options.folder, tree, log)
  if (!tree.get(tree.suffix)) await createBase(storage, baseDn)

  const directory = serviceOf(options, limits, tree, storage)
  const pages = pageRegistry(limits)
  const requests = byteBudget(limits.requestsOfOne)
  const serve =
    (originOf: (socket: Socket) => Origin) =>
    (socket: Socket): Connection =>
      serveConnection({ socket, origin: originOf(socket), directory, pages: pages(), requests, limits, log })

  const open = { public: new Map<Socket, Connection>(), private: new Map<Socket, Connection>() }
  const publicServer = openListener(
    open.public,
    limits.connections,
    serve(({ remoteAddress = loopback }) => ({ address: remoteAddress, trusted: false })),
  )
  const privateServer = openListener(
    open.private,
    limits.connections,
    serve(() => ({ address: loopback, trusted: true })),
  )
  const socket = privateSocket(options.folder, 'ldap.socket')
  const closeAll = async (): Promise<void> => {
    await Promise.all([closeServer(publicServer), closeServer(privateServer)])
    socket.remove()
    await storage.close()
  }
  try {
    await listening(publicServer, { port: options.port, host: loopback })
    // A server that was killed leaves its socket; no other process uses the folder.
    rmSync(socket.path, { force: true })
    await listening(privateServer, { path: socket.path })
    chmodSync(socket.path, 0o600)
  } catch (error) {
    await closeAll()
    throw error
  }
  const address = publicServer.address()
  const port = typeof address === 'object' && address ? address.port : options.port

  return {
    url: `ldap://${loopback}:${port}`,
    privateUrl: `ldapi://${encodeURIComponent(socket.path)}`,
    port,
    async close() {
      const connections = [...open.public, ...open.private]
      const closed = Promise.all([closeServer(publicServer), closeServer(privateServer)])
      const impatient = setTimeout(() => {
        for (const [socket] of connections) socket.destroy()
      }, patience)
      await Promise.all(connections.map(([, connection]) => connection.close()))
      await closed
      clearTimeout(impatient)
      await closeAll()
    },
  }
}
