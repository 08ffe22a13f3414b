// The room mirror.
// SQL to LDAP: the shape of entries, the ledger of what was written, the reconciler, drift, orphan entries.
// It never changes an entry that Steward does not manage, and never decides what a record contains.

import { join } from 'node:path'
import type { Database } from '../db/client.ts'
import type { OrphansHandlers } from '../generated/operations.ts'
import type { DirectoryPool } from '../ldap/session.ts'
import type { BindThrottle } from '../ldap-server/authentication/bind-throttle.ts'
import type { ChangePassword } from '../ldap-server/authentication/change-password.ts'
import type { PersonBound } from '../ldap-server/authentication/person-bound.ts'
import type { Secrets } from '../secrets/secrets.ts'
import { openEmbeddedPlace } from './directory/embedded-place.ts'
import { openExternalPlace } from './directory/external-place.ts'
import { forgetOtherDirectories, releaseLeases } from './directory/identity.ts'
import type { LayoutChange } from './directory/layout-change.ts'
import type { DirectoryProfile, DirectorySettings } from './entry/directory-settings.ts'
import { type DirectoryFacts, directoryFacts } from './entry/group-layout.ts'
import { openHiddenAttributes } from './hidden-attributes.ts'
import { noDirectory } from './no-directory.ts'
import { type DirectoryTerms, type OpenedDirectory, openDirectoryOf } from './opened-directory.ts'
import { orphansHandlers } from './orphans/orphan-handlers.ts'
import { noOrphans } from './orphans/orphans.ts'
import { dropHashes, type OtherHashes } from './passwords/other-hashes.ts'
import type { Reconciler } from './reconciler.ts'
import { openServiceUses } from './services/service-uses.ts'
import { together } from './together.ts'
import { mainDirectory } from './touch.ts'

/** The directories that people and groups are mirrored into, and the parts that keep them equal to SQL. */
export interface Mirror {
  /** Of all directories: see together.ts. */
  reconciler: Reconciler
  /** Orphan entries of the main directory. */
  handlers: { orphans: OrphansHandlers }
  /** All of them, the main one first. */
  directories: () => Promise<DirectoryFacts[]>
  /** Of a directory by its number; null: there is no such directory. */
  layoutOf: (number: number) => LayoutChange | null
  /** The server of the main directory that changes go to, and the one that they should go to; null: there is no directory. */
  servers: () => { preferred: string; current: string } | null
  /** What the connections to each directory do now, by its number. */
  pools: () => (DirectoryPool & { directory: number })[]
  /** The address of the main directory for applications; null: there is no directory. */
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
  beginStop(): void
  close(): Promise<void>
}

export interface MirrorOptions extends DirectoryTerms {
  config: DirectorySettings
  database: Pick<Database, 'db' | 'kind' | 'hasReplica'>
  secrets: Pick<Secrets, 'directoryPassword' | 'directoryDigestKey'>
  /** Counts binds to the embedded directory. */
  throttleBind: BindThrottle
  /** Changes a person's password on request of the embedded directory; null: another process does it. */
  changePassword: ChangePassword | null
  otherHashes: Pick<OtherHashes, 'open' | 'wanted'>
  /** Called when a person has bound to the embedded directory; null: another process does what follows. */
  personBound: PersonBound | null
}

/** Opens the configured directories; nothing is written before `reconciler.start()`. */
export const openMirror = async (options: MirrorOptions): Promise<Mirror> => {
  const { config, database, log } = options
  const { db } = database
  const main = config.ldap === null ? null : await openMain({ ...config, ldap: config.ldap }, options)
  const further = main === null ? [] : config.furtherDirectories
  const gone = await forgetOtherDirectories(
    db,
    further.map(({ number }) => number),
  )
  await dropHashes(db, options.otherHashes.wanted)
  if (gone.length > 0) log.warn({ directories: gone }, 'directories are not in the settings any more: they are left')
  if (main === null) {
    const reconciler = noDirectory(db)
    return {
      reconciler,
      handlers: { orphans: orphansHandlers({ db, orphans: noOrphans, reconciler }) },
      directories: async () => [],
      layoutOf: () => null,
      servers: () => null,
      pools: () => [],
      address: null,
      beginStop: () => {},
      close: async () => {},
    }
  }
  const others: OpenedDirectory[] = []
  try {
    for (const profile of further) {
      const { number, ldap } = profile
      const place = await openExternalPlace({ directory: number, ldap, ...claimTerms(options) })
      others.push(await openDirectoryOf(profile, place, options))
    }
  } catch (error) {
    await Promise.all([main, ...others].map((each) => each.close()))
    throw error
  }
  if (database.kind === 'embedded') await releaseLeases(db)
  const all = [main, ...others]
  const reconciler = together(
    main.reconciler,
    others.map((other) => other.reconciler),
    log,
  )
  return {
    reconciler,
    handlers: { orphans: orphansHandlers({ db, orphans: main.orphans, reconciler }) },
    directories: () => directoryFacts(db, all),
    layoutOf: (number) =>
      (number === mainDirectory ? main : others[further.findIndex((each) => each.number === number)])?.layoutChange ??
      null,
    servers: main.servers,
    pools: () => all.map(({ directory, pool }) => ({ directory, ...pool() })),
    address: main.address,
    beginStop: () => {
      for (const each of all) each.beginStop()
    },
    close: async () => {
      await Promise.all(all.map((each) => each.close()))
    },
  }
}

/** How instances on one database agree on a directory: see directory-claims.ts. */
const claimTerms = ({ config, database: { db, kind }, log }: MirrorOptions) => ({
  folder: join(config.dataDir, 'directory'),
  shared: kind === 'postgres' ? db : null,
  log,
})

const openMain = async (profile: DirectoryProfile, options: MirrorOptions) => {
  const { ldap, passwordScheme } = profile
  const { config, secrets, throttleBind, changePassword, personBound, database, log } = options
  const uses = openServiceUses({ db: database.db, log })
  const place =
    ldap.kind === 'external'
      ? await openExternalPlace({ directory: mainDirectory, ldap, ...claimTerms(options) })
      : await openEmbeddedPlace({
          ldap,
          ...claimTerms(options),
          certificateFolder: join(config.dataDir, 'directory-certificate'),
          rootPassword: secrets.directoryPassword,
          passwordScheme,
          throttleBind,
          changePassword,
          serviceBound: uses.note,
          personBound,
          hiddenFromPeople: openHiddenAttributes(database.db),
        })
  const { publicUrl: url, ldapsUrl, baseDn, bindDn } = place
  const opened = await openDirectoryOf({ ...profile, number: mainDirectory }, place, options)
  return {
    ...opened,
    close: async () => {
      await opened.close()
      await uses.close()
    },
    address: { url, ldapsUrl, baseDn, bindDn, embedded: ldap.kind === 'embedded' },
  }
}
