// The room ldap-server.
// The embedded directory: a small LDAP server with a journal, for installations without a directory server.
// It never decides more than whether the password is right: `throttleBind` decides whether an account may sign in.

import { once } from 'node:events'
import { chmodSync, rmSync } from 'node:fs'
import { createServer, isIP, type ListenOptions, type Server, type Socket } from 'node:net'
import { privateSocket } from '../db/embedded/private-socket.ts'
import { parseDn } from '../ldap/dn.ts'
import { leastMissed } from '../least-missed.ts'
import type { Logger } from '../log.ts'
import { stewardVersion } from '../version.ts'
import type { BindThrottle } from './bind-throttle.ts'
import { boundSessions } from './bound-sessions.ts'
import { byteBudget } from './byte-budget.ts'
import type { ChangePassword } from './change-password.ts'
import { type Connection, serveConnection } from './connection.ts'
import { controlOid } from './control.ts'
import { type DirectoryService, directoryService } from './directory.ts'
import { fairQueue } from './fair-queue.ts'
import { defaultLimits, type Limits } from './limits.ts'
import { dnKeyOf } from './locate.ts'
import { pageRegistry } from './open-pages.ts'
import type { PersonBound } from './operations/bind.ts'
import { passwordModifyOid, startTlsOid, whoAmIOid } from './operations/extended.ts'
import { unmatchedArgon2, type VerifyPassword, verifyPassword } from './password.ts'
import { type HiddenFromPeople, type Layout, openRights } from './rights.ts'
import { openStorage, type Storage } from './storage.ts'
import { openServerTls, type ServerTls, type TlsSettings } from './tls/server-tls.ts'
import { DirectoryTree } from './tree.ts'
import { openTurns } from './turns.ts'
import { entryViews, rootDse, subschemaEntry } from './view.ts'

export interface EmbeddedDirectoryOptions {
  /** The folder of the entries; created with mode 0700. Only one process may have it open. */
  folder: string
  /** The address it listens on; 127.0.0.1 by default. */
  host?: string
  /** 0 takes any free one. */
  port: number
  /** For connections that are encrypted from the start; 0 takes any free one, null: there is no such port. */
  ldapsPort?: number | null
  /** null: no TLS. Then it may listen on loopback only. */
  tls?: Omit<TlsSettings, 'host'> | null
  /** Named by dc, o or ou. Its entry is created when it is missing. */
  baseDn: string
  /** The one DN that may write and read password hashes; it needs no entry. */
  rootDn: string
  rootPassword: string
  /** Counts binds, except those over the private socket, and those of the root DN with the right password. */
  throttleBind: BindThrottle
  /** null: passwords are not changed here. */
  changePassword?: ChangePassword | null
  /** null: no entry is a service account, and who has bound reads everything. */
  layout?: Layout | null
  /** Asked at each search and comparison of a person. Default: nothing is hidden. */
  hiddenFromPeople?: HiddenFromPeople
  /** Called when a service account has bound, with the value of its password that matched. */
  serviceBound?: (dn: string, stored: string) => void
  /** Called when a person has bound over the network, with the password. Default: none is passed on. */
  personBound?: PersonBound | null
  log: Logger
  verify?: VerifyPassword
  /** A hash that no password matches, of the scheme and cost that most passwords have. */
  decoyPassword?: string
  limits?: Partial<Limits>
}

export interface EmbeddedDirectory {
  url: string
  port: number
  /** null: there is no such port. */
  ldapsUrl: string | null
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

/** Those that are not bound, the oldest first. */
const unbound = function* (connections: Map<Socket, Connection>): Generator<Socket> {
  for (const [socket, connection] of connections) if (connection.unbound) yield socket
}

/** Accepts connections, and closes one when there are too many. */
const openListener = (
  connections: Map<Socket, Connection>,
  most: number,
  serve: (socket: Socket) => Connection | null,
): Server =>
  createServer({ noDelay: true, keepAlive: true }, (socket) => {
    if (connections.size >= most) {
      // One that is not bound loses nothing by connecting again.
      const idle = leastMissed(unbound(connections))
      if (!idle) return void socket.destroy()
      connections.get(idle)?.destroy()
      connections.delete(idle)
    }
    const connection = serve(socket)
    if (connection === null) return void socket.destroy()
    connections.set(socket, connection)
    void connection.ended.finally(() => connections.delete(socket))
  })

const listening = async (server: Server, where: ListenOptions): Promise<void> => {
  server.listen(where)
  await once(server, 'listening')
}

const isLoopback = (address: string): boolean => /^(::1|(::ffff:)?127(\.\d{1,3}){3})$/i.test(address)

const urlOf = (scheme: string, host: string, server: Server): string => {
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return `${scheme}://${isIP(host) === 6 ? `[${host}]` : host}:${port}`
}

const closeServer = async (server: Server): Promise<void> => {
  if (!server.listening) return
  const closed = once(server, 'close')
  server.close()
  await closed
}

const serviceOf = (options: EmbeddedDirectoryOptions, limits: Limits, tree: DirectoryTree, storage: Storage) => {
  const { baseDn, rootDn, rootPassword, throttleBind, changePassword = null, layout = null } = options
  const views = entryViews(tree, rootDn)
  return directoryService({
    tree,
    storage,
    rootDn,
    rootPassword,
    throttleBind,
    serviceBound: options.serviceBound ?? (() => {}),
    personBound: options.personBound ?? null,
    rights: openRights(tree, { layout, hiddenFromPeople: options.hiddenFromPeople ?? (async () => []), views }),
    baseDn,
    changePassword,
    bound: boundSessions(tree, { ofOneName: limits.connectionsOfOne }),
    turns: openTurns(),
    sorts: fairQueue({ running: limits.sorts, runningOfOne: limits.sortsOfOne, waitingOfOne: limits.sortsWaiting }),
    limits,
    views,
    subschema: subschemaEntry(),
    rootDse: rootDse({
      objectClass: ['top'],
      namingContexts: [baseDn],
      supportedLDAPVersion: ['3'],
      supportedControl: Object.values(controlOid),
      supportedExtension: [
        ...(options.tls ? [startTlsOid] : []),
        ...(changePassword ? [passwordModifyOid] : []),
        whoAmIOid,
      ],
      // All operational attributes (RFC 3673), attributes by object class (RFC 4529), true and false filters (RFC
      // 4526).
      supportedFeatures: ['1.3.6.1.4.1.4203.1.5.1', '1.3.6.1.4.1.4203.1.5.2', '1.3.6.1.4.1.4203.1.5.3'],
      vendorName: ['Steward embedded directory'],
      vendorVersion: [stewardVersion],
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

/** The doors of the server: each with its connections. */
const openDoors = (
  options: EmbeddedDirectoryOptions,
  limits: Limits,
  directory: DirectoryService,
  tls: ServerTls | null,
) => {
  const { log, host = loopback, ldapsPort = null } = options
  const pages = pageRegistry(limits)
  const requests = byteBudget(limits.requestsOfOne)
  const open = new Map<Server, Map<Socket, Connection>>()
  const door = (kind: { trusted: boolean; encrypted: boolean; tls: ServerTls | null }): Server => {
    const connections = new Map<Socket, Connection>()
    const server = openListener(connections, limits.connections, (socket) => {
      const address = kind.trusted ? loopback : socket.remoteAddress
      // A client that has reset its connection already has no address: it must not count as one of this machine.
      if (address === undefined) return null
      const origin = { address, trusted: kind.trusted, confidential: isLoopback(address) }
      return serveConnection({ socket, ...kind, origin, directory, pages: pages(), requests, limits, log })
    })
    open.set(server, connections)
    return server
  }
  const plain = door({ trusted: false, encrypted: false, tls })
  const encrypted = tls && ldapsPort !== null ? door({ trusted: false, encrypted: true, tls }) : null
  const own = door({ trusted: true, encrypted: false, tls: null })
  const socket = privateSocket(options.folder, 'ldap.socket')
  return {
    plain,
    encrypted,
    privatePath: socket.path,
    async listen(): Promise<void> {
      await listening(plain, { port: options.port, host })
      if (encrypted && ldapsPort !== null) await listening(encrypted, { port: ldapsPort, host })
      // A server that was killed leaves its socket; no other process uses the folder.
      rmSync(socket.path, { force: true })
      await listening(own, { path: socket.path })
      chmodSync(socket.path, 0o600)
    },
    /** Ends all connections: those that do not end within the time are cut. */
    async close(): Promise<void> {
      const closed = Promise.all([...open.keys()].map(closeServer))
      const connections = [...open.values()].flatMap((each) => [...each.values()])
      const impatient = setTimeout(() => {
        for (const connection of connections) connection.destroy()
      }, patience)
      await Promise.all(connections.map((connection) => connection.close()))
      await closed
      clearTimeout(impatient)
      socket.remove()
    },
  }
}

/**
 * Starts a small LDAPv3 server with one writer, for installations without a directory server. Its schema, codes and
 * responses are those of OpenLDAP's slapd wherever it has the same feature. Beyond this machine it takes passwords under
 * TLS only.
 */
export const openEmbeddedDirectory = async (options: EmbeddedDirectoryOptions): Promise<EmbeddedDirectory> => {
  const { baseDn, host = loopback, log } = options
  const limits = { ...defaultLimits, ...options.limits }
  if (!options.tls && !isLoopback(host)) throw new Error(`without TLS the directory may not listen on ${host}`)
  const tls = options.tls ? openServerTls({ ...options.tls, host }, log) : null
  const tree = new DirectoryTree(dnKeyOf(baseDn))
  const storage = await openStorage(options.folder, tree, log)
  if (!tree.get(tree.suffix)) await createBase(storage, baseDn)

  const doors = openDoors(options, limits, serviceOf(options, limits, tree, storage), tls)
  const close = async (): Promise<void> => {
    tls?.close()
    await doors.close()
    await storage.close()
  }
  try {
    await doors.listen()
  } catch (error) {
    await close()
    throw error
  }
  const url = urlOf('ldap', host, doors.plain)
  return {
    url,
    port: Number(new URL(url).port),
    ldapsUrl: doors.encrypted && urlOf('ldaps', host, doors.encrypted),
    privateUrl: `ldapi://${encodeURIComponent(doors.privatePath)}`,
    close,
  }
}
