import { randomBytes } from 'node:crypto'
import { dirname } from 'node:path'
import type { Db } from '../../db/client.ts'
import { lockFolder } from '../../db/embedded/lock.ts'
import { dataFolderProblem } from '../../files/data-folder.ts'
import { makeFolder } from '../../files/make-folder.ts'
import type { DirectoryOptions } from '../../ldap/directory.ts'
import type { BindThrottle } from '../../ldap-server/authentication/bind-throttle.ts'
import type { ChangePassword } from '../../ldap-server/authentication/change-password.ts'
import { unmatchedArgon2 } from '../../ldap-server/authentication/password.ts'
import type { PersonBound } from '../../ldap-server/authentication/person-bound.ts'
import type { HiddenFromPeople } from '../../ldap-server/rights.ts'
import { openEmbeddedDirectory } from '../../ldap-server/server.ts'
import { listenProblem } from '../../network/listen-problem.ts'
import type { Logger } from '../../runtime/log.ts'
import type { EmbeddedPlace, PasswordScheme } from '../entry/directory-settings.ts'
import { disabledDn, groupsDn, peopleDn, serviceAccountsDn } from '../entry/places.ts'
import { directoryPassword } from '../passwords/password-scheme.ts'
import { mainDirectory } from '../touch.ts'
import { claimDirectory, embeddedServer } from './directory-claims.ts'

/** Where a directory is, and what ends with it. */
export interface Place extends Omit<DirectoryOptions, 'log' | 'isUsable'> {
  otherUrls: readonly string[]
  /** In the ledger; see identity.ts. */
  server: string
  publicUrl: string
  ldapsUrl: string | null
  close: () => Promise<void>
}

interface EmbeddedOptions {
  ldap: EmbeddedPlace
  folder: string
  /** The database that other instances may use too; null: they cannot. */
  shared: Db | null
  certificateFolder: string
  rootPassword: string
  passwordScheme: PasswordScheme
  throttleBind: BindThrottle
  changePassword: ChangePassword | null
  serviceBound: (dn: string, stored: string) => void
  personBound: PersonBound | null
  hiddenFromPeople: HiddenFromPeople
  log: Logger
}

/** A hash that no password matches, of the scheme that people's passwords have: checking it takes as long. */
const decoy = (scheme: PasswordScheme): Promise<string> =>
  directoryPassword(scheme, randomBytes(18).toString('base64'), unmatchedArgon2.slice('{ARGON2}'.length))

/** Locks the folder, and makes it the only directory on the database. @returns what releases both */
const own = async ({ folder, shared, ldap, log }: Pick<EmbeddedOptions, 'folder' | 'shared' | 'ldap' | 'log'>) => {
  const unlock = await lockFolder(folder)
  if (shared === null) return unlock
  try {
    const servers = [embeddedServer(folder)]
    const claim = { directory: mainDirectory, servers, baseDn: ldap.baseDn }
    const release = await claimDirectory(claim, { db: shared, folder, log })
    return async () => {
      await release()
      await unlock()
    }
  } catch (error) {
    await unlock()
    throw error
  }
}

/** Opens the embedded directory. @returns where it is, and how Steward binds to it */
export const openEmbeddedPlace = async (options: EmbeddedOptions): Promise<Place> => {
  const { folder, certificateFolder, rootPassword, throttleBind, changePassword, log } = options
  const { serviceBound, personBound, hiddenFromPeople } = options
  const { host, port, ldapsPort, tls, sizeLimit, baseDn } = options.ldap
  const bindDn = `cn=admin,${baseDn}`
  await makeFolder(folder).catch((error: unknown) => {
    throw dataFolderProblem(folder, error)
  })
  const release = await own(options)
  const decoyPassword = await decoy(options.passwordScheme)
  const identity = { baseDn, rootDn: bindDn, rootPassword }
  const server = await openEmbeddedDirectory({
    ...{ ...identity, folder, host, port, ldapsPort, throttleBind, changePassword, decoyPassword, log },
    ...{ serviceBound, personBound, hiddenFromPeople },
    layout: {
      people: peopleDn(baseDn),
      disabled: disabledDn(baseDn),
      groups: groupsDn(baseDn),
      serviceAccounts: serviceAccountsDn(baseDn),
    },
    tls: tls && { ...tls, folder: certificateFolder },
    limits: { entries: sizeLimit },
  }).catch(async (error: unknown) => {
    await release()
    const failed = error instanceof Error ? Reflect.get(error, 'port') : undefined
    const isLdaps = failed === ldapsPort && failed !== port
    const problem = listenProblem(error, {
      host,
      port: isLdaps ? (ldapsPort ?? 0) : port,
      settings: { host: 'EMBEDDED_LDAP_HOST', port: isLdaps ? 'EMBEDDED_LDAPS_PORT' : 'EMBEDDED_LDAP_PORT' },
    })
    throw dataFolderProblem(dirname(folder), problem)
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
