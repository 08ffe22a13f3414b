// The room mirror.
// SQL to LDAP: the shape of entries, the ledger of what was written, the reconciler, drift, orphan entries.
// It never changes an entry that Steward does not manage, and never decides what a record contains.

import { randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from '../db/client.ts'
import { lockFolder } from '../db/embedded/lock.ts'
import { type DirectoryOptions, openDirectory } from '../ldap/directory.ts'
import type { BindThrottle } from '../ldap-server/bind-throttle.ts'
import type { ChangePassword } from '../ldap-server/change-password.ts'
import { unmatchedArgon2 } from '../ldap-server/password.ts'
import { startEmbeddedDirectory } from '../ldap-server/server.ts'
import { listenProblem } from '../listen-problem.ts'
import { type Logger, noLog } from '../log.ts'
import type { DirectorySettings, EmbeddedPlace, PasswordScheme } from './directory-settings.ts'
import { adoptDirectory, releaseLeases } from './identity.ts'
import { noDirectory } from './no-directory.ts'
import type { Orphans } from './orphan.ts'
import { noOrphans, openOrphans } from './orphans.ts'
import { directoryPassword, openSchemeProofs, schemeNames } from './password-scheme.ts'
import { acceptsWrites } from './probe-entry.ts'
import { type AdoptPassword, openReconciler, type Reconciler } from './reconciler.ts'

/** The directory that people and groups are mirrored into, and the parts that keep it equal to SQL. */
export interface Mirror {
  reconciler: Reconciler
  /** Orphan entries. */
  orphans: Orphans
  /** The server that changes go to, and the one that they should go to; null: there is no directory. */
  servers: () => { preferred: string; current: string } | null
  /** The address for applications; null: there is no directory. */
  address: {
    url: string
    /** Of the embedded directory, encrypted from the start; null: no such port. */
    ldapsUrl: string | null
    baseDn: string
    bindDn: string
    embedded: boolean
  } | null
  /**
   * Call it when the service begins to stop: a directory that does not respond has 3 s left. Then outstanding requests
   * are cancelled, so that their callers can end; the rest is written after the next start.
   */
  hurry(): void
  close(): Promise<void>
}

export interface MirrorOptions {
  config: DirectorySettings
  database: Pick<Database, 'db' | 'kind'>
  /** The password of the embedded directory's administrator. */
  rootPassword: string
  /** Counts binds to the embedded directory. */
  throttleBind: BindThrottle
  /** Changes a person's password on request of the embedded directory; null: another process does it. */
  changePassword: ChangePassword | null
  /** 32 bytes; for digests of the passwords that were written. */
  passwordKey: Buffer
  /** Adopts a password that was changed in the directory; null: another process does it. */
  adoptPassword: AdoptPassword | null
  log: Logger
}

/** Milliseconds; a request waits for the directory for two seconds at most (see reconciler.ts). */
const patienceAtEnd = 3000

/** Opens the configured directory; nothing is written before `reconciler.start()`. */
export const openMirror = async (mirrorOptions: MirrorOptions): Promise<Mirror> => {
  const { config, database, rootPassword, passwordKey, adoptPassword, throttleBind, changePassword, log } =
    mirrorOptions
  const { ldap, groupClass, nestedGroups, passwordScheme, posix } = config
  const { db } = database
  if (ldap === null) {
    const orphans = noOrphans
    return {
      reconciler: noDirectory(db),
      orphans,
      servers: () => null,
      address: null,
      hurry: () => {},
      close: async () => {},
    }
  }

  const place =
    ldap.kind === 'external'
      ? { ...ldap, server: ldap.url, publicUrl: ldap.url, ldapsUrl: null, close: async () => {} }
      : await embedded({
          ldap,
          folder: join(config.dataDir, 'directory'),
          certificateFolder: join(config.dataDir, 'directory-certificate'),
          rootPassword,
          passwordScheme,
          throttleBind,
          changePassword,
          log,
        })
  const { server, otherUrls: otherServers, baseDn } = place
  await adoptDirectory(db, { server, otherServers, baseDn, groupClass, posix, nestedGroups })
  if (database.kind === 'embedded') await releaseLeases(db)

  const options: DirectoryOptions = {
    ...place,
    isUsable: (url) => acceptsWrites({ ...place, url, otherUrls: [], log: noLog }),
    log,
  }
  const directory = openDirectory(options)
  const greet = async () => openSchemeProofs({ ...options, url: directory.server(), otherUrls: [] })
  const scheme = schemeNames[passwordScheme]
  const passwords = { key: passwordKey, scheme, adopt: adoptPassword }
  const reconciler = openReconciler({ db, directory, groupClass, posix, greet, passwords, log })
  return {
    reconciler,
    orphans: openOrphans({ db, directory, groupClass }),
    servers: () => ({ preferred: options.url, current: directory.server() }),
    address: {
      url: place.publicUrl,
      ldapsUrl: place.ldapsUrl,
      baseDn: place.baseDn,
      bindDn: place.bindDn,
      embedded: ldap.kind === 'embedded',
    },
    hurry: () => void setTimeout(() => void directory.close(), patienceAtEnd).unref(),
    close: async () => {
      await reconciler.stop()
      await directory.close()
      await place.close()
    },
  }
}

interface EmbeddedOptions {
  ldap: EmbeddedPlace
  folder: string
  certificateFolder: string
  rootPassword: string
  passwordScheme: PasswordScheme
  throttleBind: BindThrottle
  changePassword: ChangePassword | null
  log: Logger
}

/** A hash that no password matches, of the scheme that people's passwords have: checking it takes as long. */
const decoy = (scheme: PasswordScheme): Promise<string> =>
  directoryPassword(scheme, randomBytes(18).toString('base64'), unmatchedArgon2.slice('{ARGON2}'.length))

const embedded = async (options: EmbeddedOptions) => {
  const { folder, certificateFolder, rootPassword, throttleBind, changePassword, log } = options
  const { host, port, ldapsPort, tls, sizeLimit, baseDn } = options.ldap
  const bindDn = `cn=admin,${baseDn}`
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const release = await lockFolder(folder)
  const decoyPassword = await decoy(options.passwordScheme)
  const identity = { baseDn, rootDn: bindDn, rootPassword }
  const server = await startEmbeddedDirectory({
    ...{ ...identity, folder, host, port, ldapsPort, throttleBind, changePassword, decoyPassword, log },
    tls: tls && { ...tls, folder: certificateFolder },
    limits: { entries: sizeLimit },
  }).catch(async (error: unknown) => {
    await release()
    const failed = error instanceof Error ? Reflect.get(error, 'port') : undefined
    const isLdaps = failed === ldapsPort && failed !== port
    throw listenProblem(error, {
      host,
      port: isLdaps ? (ldapsPort ?? 0) : port,
      settings: { host: 'EMBEDDED_LDAP_HOST', port: isLdaps ? 'EMBEDDED_LDAPS_PORT' : 'EMBEDDED_LDAP_PORT' },
    })
  })
  return {
    // Load on the port must not delay Steward's own writes.
    url: server.privateUrl,
    otherUrls: [],
    publicUrl: server.url,
    ldapsUrl: server.ldapsUrl,
    server: 'embedded',
    baseDn,
    bindDn,
    bindPassword: rootPassword,
    ca: null,
    startTls: false,
    timeout: 15_000,
    close: async () => {
      await server.close()
      await release()
    },
  }
}
