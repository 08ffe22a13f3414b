// The room ldap-server.
// The embedded directory: a small LDAP server with a journal, for installations without a directory server.
// It never decides more than whether the password is right: `throttleBind` decides whether an account may sign in.

import { parseDn } from '../ldap/dn.ts'
import type { Logger } from '../runtime/log.ts'
import { stewardVersion } from '../runtime/version.ts'
import type { BindThrottle } from './authentication/bind-throttle.ts'
import { boundSessions } from './authentication/bound-sessions.ts'
import type { ChangePassword } from './authentication/change-password.ts'
import { unmatchedArgon2, type VerifyPassword, verifyPassword } from './authentication/password.ts'
import type { PersonBound } from './authentication/person-bound.ts'
import { isLoopback, loopback, openListeners } from './connections/listeners.ts'
import { directoryService } from './directory.ts'
import { dnKeyOf } from './entries/locate.ts'
import { DirectoryTree } from './entries/tree.ts'
import { entryViews, rootDse, subschemaEntry } from './entries/view.ts'
import { defaultLimits, type Limits } from './limits.ts'
import { whoAmIOid } from './operations/extended.ts'
import { passwordModifyOid } from './operations/password-modify.ts'
import { startTlsOid } from './operations/start-tls.ts'
import { controlOid } from './protocol/control.ts'
import { type HiddenFromPeople, type Layout, openRights } from './rights.ts'
import { fairQueue } from './scheduling/fair-queue.ts'
import { openTurns } from './scheduling/turns.ts'
import { openStorage, type Storage } from './storage/storage.ts'
import { openServerTls, type TlsSettings } from './tls/server-tls.ts'

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

/**
 * Starts a small LDAPv3 server with one writer, for installations without a directory server. Its schema, codes and
 * responses are those of OpenLDAP's slapd wherever it has the same feature. Beyond this machine it takes passwords under
 * TLS only.
 */
export const openEmbeddedDirectory = async (options: EmbeddedDirectoryOptions): Promise<EmbeddedDirectory> => {
  const { folder, baseDn, host = loopback, port, ldapsPort = null, log } = options
  const limits = { ...defaultLimits, ...options.limits }
  if (!options.tls && !isLoopback(host)) throw new Error(`without TLS the directory may not listen on ${host}`)
  const tls = options.tls ? openServerTls({ ...options.tls, host }, log) : null
  const tree = new DirectoryTree(dnKeyOf(baseDn))
  const storage = await openStorage(folder, tree, log)
  if (!tree.get(tree.suffix)) await createBase(storage, baseDn)

  const directory = serviceOf(options, limits, tree, storage)
  const listeners = openListeners({ folder, host, port, ldapsPort, tls, directory, limits, log })
  const close = async (): Promise<void> => {
    tls?.close()
    await listeners.close()
    await storage.close()
  }
  try {
    await listeners.listen()
  } catch (error) {
    await close()
    throw error
  }
  const urls = listeners.urls()
  return {
    url: urls.ldap,
    port: Number(new URL(urls.ldap).port),
    ldapsUrl: urls.ldaps,
    privateUrl: urls.ldapi,
    close,
  }
}
