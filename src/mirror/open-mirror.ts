// The room mirror.
// SQL to LDAP: the shape of entries, the ledger of what was written, the reconciler, drift, orphan entries.
// It never changes an entry that Steward does not manage, and never decides what a record contains.

import { join } from 'node:path'
import type { Database } from '../db/client.ts'
import { ConfigError } from '../errors.ts'
import type { OrphansHandlers } from '../generated/operations.ts'
import { inTime } from '../in-time.ts'
import { type Directory, DirectoryError, type DirectoryOptions, openDirectory } from '../ldap/directory.ts'
import type { DirectoryPool } from '../ldap/session.ts'
import type { BindThrottle } from '../ldap-server/bind-throttle.ts'
import type { ChangePassword } from '../ldap-server/change-password.ts'
import type { PersonBound } from '../ldap-server/operations/bind.ts'
import { type Logger, noLog, withDetails } from '../log.ts'
import type { Secrets } from '../secrets.ts'
import { misfitOf } from './active-directory-fit.ts'
import { claimDirectory } from './directory-claims.ts'
import { readSchema } from './directory-schema.ts'
import type { DirectoryProfile, DirectorySettings, ExternalDirectory, FurtherDirectory } from './directory-settings.ts'
import { openEmbeddedPlace, type Place } from './embedded-place.ts'
import { entryForm } from './entry-form.ts'
import type { FreshPasswords } from './fresh-passwords.ts'
import { type DirectoryFacts, type DirectorySet, directoryFacts, groupLayoutIn } from './group-layout.ts'
import { openHiddenAttributes } from './hidden-attributes.ts'
import { adoptDirectory, forgetOtherDirectories, releaseLeases } from './identity.ts'
import { type LayoutChange, openLayoutChange } from './layout-change.ts'
import { memberOfIn, memberOfLacking } from './member-of.ts'
import { noDirectory } from './no-directory.ts'
import { lacksNtHash, ntHashLacking } from './nt-hash.ts'
import type { Orphans } from './orphan.ts'
import { orphansHandlers } from './orphan-handlers.ts'
import { noOrphans, openOrphans } from './orphans.ts'
import { dropHashes, type OtherHashes } from './other-hashes.ts'
import { openSchemeProofs, schemeNames } from './password-scheme.ts'
import { posixGroupStructural } from './posix.ts'
import { acceptsWrites } from './probe-entry.ts'
import { type AdoptPassword, openReconciler, type Reconciler } from './reconciler.ts'
import { missingGroups } from './scope.ts'
import { openServiceUses } from './service-uses.ts'
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
  hurry(): void
  close(): Promise<void>
}

export interface MirrorOptions {
  config: DirectorySettings
  database: Pick<Database, 'db' | 'kind' | 'hasReplica'>
  secrets: Pick<Secrets, 'directoryPassword' | 'directoryDigestKey'>
  /** Counts binds to the embedded directory. */
  throttleBind: BindThrottle
  /** Changes a person's password on request of the embedded directory; null: another process does it. */
  changePassword: ChangePassword | null
  /** Adopts a password that was changed in the directory; null: another process does it. */
  adoptPassword: AdoptPassword | null
  /** Passwords in clear text, for directories that take no hashes. Default: none. */
  fresh?: FreshPasswords | null
  otherHashes: Pick<OtherHashes, 'open' | 'wanted'>
  /** Called when a person has bound to the embedded directory; null: another process does what follows. */
  personBound: PersonBound | null
  log: Logger
}

/** Milliseconds; a request waits for the directory for two seconds at most (see reconciler.ts). */
const patienceAtEnd = 3000

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
      hurry: () => {},
      close: async () => {},
    }
  }
  const others: Opened[] = []
  try {
    for (const profile of further) {
      others.push(await openDirectoryOf(profile, await openExternal(profile.number, profile.ldap, options), options))
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
    hurry: () => {
      for (const each of all) each.hurry()
    },
    close: async () => {
      await Promise.all(all.map((each) => each.close()))
    },
  }
}

/** One of the directories. */
interface Opened extends Pick<Mirror, 'reconciler' | 'hurry' | 'close'>, DirectorySet {
  orphans: Orphans
  layoutChange: LayoutChange
  servers: () => { preferred: string; current: string }
  pool: () => DirectoryPool
}

const directoryFolder = (dataDir: string): string => join(dataDir, 'directory')

const openExternal = async (
  directory: number,
  ldap: ExternalDirectory,
  { config, database: { db, kind }, log }: Pick<MirrorOptions, 'config' | 'database' | 'log'>,
): Promise<Place> => {
  const claim = { directory, servers: [ldap.url, ...ldap.otherUrls], baseDn: ldap.baseDn }
  const release =
    kind === 'postgres'
      ? await claimDirectory(claim, { db, folder: directoryFolder(config.dataDir), log })
      : async () => {}
  return { ...ldap, server: ldap.url, publicUrl: ldap.url, ldapsUrl: null, close: release }
}

const openMain = async (profile: DirectoryProfile & { dataDir: string }, options: MirrorOptions) => {
  const { ldap, dataDir, passwordScheme } = profile
  const { secrets, throttleBind, changePassword, personBound, database, log } = options
  const uses = openServiceUses({ db: database.db, log })
  const place =
    ldap.kind === 'external'
      ? await openExternal(mainDirectory, ldap, options)
      : await openEmbeddedPlace({
          ldap,
          folder: directoryFolder(dataDir),
          shared: database.kind === 'postgres' ? database.db : null,
          certificateFolder: join(dataDir, 'directory-certificate'),
          rootPassword: secrets.directoryPassword,
          passwordScheme,
          throttleBind,
          changePassword,
          serviceBound: uses.note,
          personBound,
          hiddenFromPeople: openHiddenAttributes(database.db),
          log,
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

type NumberedProfile = Omit<DirectoryProfile, 'ldap'> &
  Pick<FurtherDirectory, 'number'> &
  Partial<Pick<FurtherDirectory, 'groups' | 'maxRemovals' | 'ownScheme'>>

/** Opens the directory at the place; if that fails, closes the place. */
const openDirectoryOf = async (profile: NumberedProfile, place: Place, options: MirrorOptions): Promise<Opened> => {
  try {
    return await openAt(place, profile, options)
  } catch (error) {
    await place.close()
    throw error
  }
}

const openAt = async (
  place: Place,
  profile: NumberedProfile,
  { config, database, secrets, adoptPassword, fresh = null, otherHashes, log: allLog }: MirrorOptions,
): Promise<Opened> => {
  const { db, hasReplica } = database
  const { number, groupClass, activeDirectory, nestedGroups, memberOf, ntHash, groupLayout, passwordScheme, posix } =
    profile
  const { attributes, ownScheme = false } = profile
  const { server, otherUrls: otherServers, baseDn } = place
  const log = number === mainDirectory ? allLog : withDetails(allLog, { directory: number })
  const hashed = { ntHash, ownScheme: ownScheme ? passwordScheme : null }
  const shape = { groupClass, activeDirectory, posix, nestedGroups, memberOf, attributes, ...hashed }
  const { groups = null, maxRemovals = 0 } = profile
  const scope = { groups, maxRemovals }
  await adoptDirectory(db, { directory: number, server, otherServers, baseDn, groupLayout, ...shape, ...scope })
  const missing = await missingGroups(db, Array.isArray(groups) ? groups : [])
  if (missing.length > 0) log.warn({ groups: missing }, `LDAP_${number}_GROUPS names groups that do not exist`)
  const inEffect = await groupLayoutIn({ db, directory: number })
  if (inEffect !== groupLayout) {
    log.warn(
      `the layout of groups is still ${inEffect}; POST /api/v1/operations/directories/${number}/layout changes it`,
    )
  }

  const options: DirectoryOptions = {
    ...place,
    isActiveDirectory: activeDirectory !== null,
    isUsable: (url) =>
      acceptsWrites({ ...place, isActiveDirectory: activeDirectory !== null, url, otherUrls: [], log: noLog }),
    log,
  }
  const directory = await openFitting(options, number, { memberOf, ntHash, posixGroups: posix?.everyGroup === true })
  const greet = async () => openSchemeProofs({ ...options, url: directory.server(), otherUrls: [] }, number)
  const scheme = schemeNames[passwordScheme]
  const adopts = number === mainDirectory
  const schemes = { scheme, ownScheme: ownScheme ? scheme : null }
  const passwords = { key: secrets.directoryDigestKey, ...schemes, adopts, adopt: adoptPassword, fresh, otherHashes }
  const patience = config.directoryWait
  const shared = {
    db,
    hasReplica,
    number,
    directory,
    groupClass,
    activeDirectory,
    attributes,
    posix,
    greet,
    passwords,
    patience,
    log,
  }
  const reconciler = openReconciler({ ...shared, embedded: place.server === 'embedded' })
  return {
    reconciler,
    orphans: openOrphans({ db, number, directory, form: entryForm(baseDn, groupClass, activeDirectory, attributes) }),
    ...{ directory: number, baseDn, wanted: groupLayout },
    layoutChange: openLayoutChange({ db, number, directory, wanted: groupLayout }),
    servers: () => ({ preferred: options.url, current: directory.server() }),
    pool: directory.pool,
    hurry: () => void setTimeout(() => void directory.close(), patienceAtEnd).unref(),
    close: async () => {
      await reconciler.stop()
      await directory.close()
      await place.close()
    },
  }
}

/** @throws ConfigError if the server can be asked, and does not fit the settings; then it is closed */
const openFitting = async (
  options: DirectoryOptions,
  number: number,
  wanted: Parameters<typeof requireOfSchema>[2],
): Promise<Directory> => {
  const directory = openDirectory(options)
  const prefix = number === mainDirectory ? 'LDAP' : `LDAP_${number}`
  try {
    await requireFit(directory, prefix)
    await requireOfSchema(directory, prefix, wanted)
    return directory
  } catch (error) {
    await directory.close()
    throw error
  }
}

/** Milliseconds that the start waits for a server to be asked what it can do; one that is away is asked later. */
const patienceAtStart = 3000

/** @throws ConfigError if the server can be asked, and is not what the settings say */
const requireFit = async (directory: Directory, prefix: string): Promise<void> => {
  const asked = misfitOf(directory).catch((error: unknown) => {
    if (error instanceof DirectoryError) return null
    throw error
  })
  const misfit = await inTime(patienceAtStart, asked, () => null)
  if (misfit !== null) throw new ConfigError([misfit.replace(/^LDAP/, prefix)])
}

/** @throws ConfigError if the server can be asked, and its schema rules out what the settings want */
const requireOfSchema = async (
  directory: Directory,
  prefix: string,
  wanted: { memberOf: boolean; ntHash: boolean; posixGroups: boolean },
): Promise<void> => {
  if (!Object.values(wanted).includes(true)) return
  const asked = readSchema(directory).then(
    (schema) => [
      ...(wanted.memberOf && memberOfIn(schema) === 'lacking' ? [`${prefix}_MEMBER_OF: ${memberOfLacking}`] : []),
      ...(wanted.ntHash && lacksNtHash(schema) ? [`${prefix}_NT_HASH: ${ntHashLacking}`] : []),
      ...(wanted.posixGroups && schema?.objectClass('posixGroup')?.auxiliary === false
        ? [`${prefix}_GROUP_CLASS: ${posixGroupStructural}`]
        : []),
    ],
    (error: unknown) => {
      if (error instanceof DirectoryError) return []
      throw error
    },
  )
  const problems = await inTime(patienceAtStart, asked, () => [])
  if (problems.length > 0) throw new ConfigError(problems)
}
