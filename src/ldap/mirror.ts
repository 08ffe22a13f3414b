import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { Database } from '../db/client.ts'
import { lockFolder } from '../db/embedded/lock.ts'
import { startEmbeddedDirectory } from '../ldapd/server.ts'
import { listenProblem } from '../listen-problem.ts'
import type { Logger } from '../log.ts'
import { type DirectoryOptions, openDirectory } from './directory.ts'
import { adoptDirectory, releaseLeases } from './identity.ts'
import { noDirectory } from './no-directory.ts'
import { probePasswordScheme } from './password-scheme.ts'
import { openReconciler, type Reconciler } from './reconciler.ts'

/** The directory that people and groups are mirrored into, and what keeps it equal to SQL. */
export interface Mirror {
  reconciler: Reconciler
  /** How an application would reach the directory; null: there is none. */
  address: { url: string; baseDn: string; bindDn: string; embedded: boolean } | null
  /**
   * Call it when stopping begins: a directory that hangs has 3 s left. What it has not answered then is cut off, so that
   * whoever waits for it can come to an end; it follows at the next start.
   */
  hurry(): void
  close(): Promise<void>
}

export interface MirrorOptions {
  config: Pick<Config, 'ldap' | 'dataDir' | 'groupClass' | 'passwordScheme'>
  database: Pick<Database, 'db' | 'kind'>
  /** Of the embedded directory's administrator. */
  rootPassword: string
  log: Logger
}

/** Milliseconds; a request waits for the directory for two seconds at most (see reconciler.ts). */
const patienceAtEnd = 3000

/** Opens the directory the configuration names; nothing is written before `reconciler.start()`. */
export const openMirror = async ({ config, database, rootPassword, log }: MirrorOptions): Promise<Mirror> => {
  const { ldap, groupClass, passwordScheme } = config
  const { db } = database
  if (ldap === null) return { reconciler: noDirectory(db), address: null, hurry: () => {}, close: async () => {} }

  const place =
    ldap.kind === 'external'
      ? { ...ldap, server: ldap.url, close: async () => {} }
      : await embedded({ ldap, folder: join(config.dataDir, 'directory'), rootPassword, log })
  await adoptDirectory(db, { server: place.server, baseDn: place.baseDn, groupClass })
  if (database.kind === 'embedded') await releaseLeases(db)

  const options: DirectoryOptions = { ...place, log }
  const directory = openDirectory(options)
  const greet = async (): Promise<{ passwordReadable: boolean }> => {
    const probe = await probePasswordScheme(options, passwordScheme)
    if (!probe.ok) log.error(`people cannot sign in to the directory: ${probe.reason}`)
    return { passwordReadable: probe.readable }
  }
  const reconciler = openReconciler({ db, directory, groupClass, greet, log })
  return {
    reconciler,
    address: { url: place.url, baseDn: place.baseDn, bindDn: place.bindDn, embedded: ldap.kind === 'embedded' },
    hurry: () => void setTimeout(() => void directory.close(), patienceAtEnd).unref(),
    close: async () => {
      await reconciler.stop()
      await directory.close()
      await place.close()
    },
  }
}

interface EmbeddedOptions {
  ldap: { port: number; baseDn: string }
  folder: string
  rootPassword: string
  log: Logger
}

const embedded = async ({ ldap: { port, baseDn }, folder, rootPassword, log }: EmbeddedOptions) => {
  const bindDn = `cn=admin,${baseDn}`
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const release = await lockFolder(folder)
  const server = await startEmbeddedDirectory({ folder, port, baseDn, rootDn: bindDn, rootPassword, log }).catch(
    async (error: unknown) => {
      await release()
      throw listenProblem(error, { host: '127.0.0.1', port, settings: { host: null, port: 'EMBEDDED_LDAP_PORT' } })
    },
  )
  return {
    url: server.url,
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
