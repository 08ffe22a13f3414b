import type { Database } from '../db/client.ts'
import type { DirectoryOptions } from '../ldap/directory.ts'
import type { DirectoryPool } from '../ldap/session.ts'
import { type Logger, noLog, withDetails } from '../runtime/log.ts'
import type { Secrets } from '../secrets/secrets.ts'
import { openFitting } from './directory/directory-fit.ts'
import type { Place } from './directory/embedded-place.ts'
import { adoptDirectory } from './directory/identity.ts'
import { type LayoutChange, openLayoutChange } from './directory/layout-change.ts'
import { requireKnownAttributes } from './directory/shown-attributes.ts'
import type { DirectoryProfile, DirectorySettings, FurtherDirectory } from './entry/directory-settings.ts'
import { entryForm } from './entry/entry-form.ts'
import { type DirectorySet, groupLayoutIn } from './entry/group-layout.ts'
import { acceptsWrites } from './entry/probe-entry.ts'
import type { Orphans } from './orphans/orphan.ts'
import { openOrphans } from './orphans/orphans.ts'
import type { FreshPasswords } from './passwords/fresh-passwords.ts'
import type { OtherHashes } from './passwords/other-hashes.ts'
import { openSchemeProofs, schemeNames } from './passwords/password-scheme.ts'
import { type AdoptPassword, openReconciler, type Reconciler } from './reconciler.ts'
import { missingGroups } from './scope.ts'
import { mainDirectory } from './touch.ts'

/** One of the directories, and the parts that keep it equal to SQL. */
export interface OpenedDirectory extends DirectorySet {
  reconciler: Reconciler
  orphans: Orphans
  layoutChange: LayoutChange
  /** The server that changes go to, and the one that they should go to. */
  servers: () => { preferred: string; current: string }
  /** What its connections do now. */
  pool: () => DirectoryPool
  /** Closes its connections in 3 s, with requests that are outstanding then. */
  beginStop(): void
  close(): Promise<void>
}

/** What is the same for all directories. */
export interface DirectoryTerms {
  config: Pick<DirectorySettings, 'directoryWait'>
  database: Pick<Database, 'db' | 'hasReplica'>
  secrets: Pick<Secrets, 'directoryDigestKey'>
  /** Adopts a password that was changed in the directory; null: another process does it. */
  adoptPassword: AdoptPassword | null
  /** Passwords in clear text, for directories that take no hashes. Default: none. */
  fresh?: FreshPasswords | null
  otherHashes: Pick<OtherHashes, 'open'>
  log: Logger
}

/** Milliseconds; a request waits for the directory for two seconds at most (see reconciler.ts). */
const stopTimeout = 3000

type NumberedProfile = Omit<DirectoryProfile, 'ldap'> &
  Pick<FurtherDirectory, 'number'> &
  Partial<Pick<FurtherDirectory, 'groups' | 'maxRemovals' | 'ownScheme'>>

/** Opens the directory at the place; if that fails, closes the place. */
export const openDirectoryOf = async (
  profile: NumberedProfile,
  place: Place,
  options: DirectoryTerms,
): Promise<OpenedDirectory> => {
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
  { config, database, secrets, adoptPassword, fresh = null, otherHashes, log: allLog }: DirectoryTerms,
): Promise<OpenedDirectory> => {
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
  const form = entryForm(baseDn, groupClass, activeDirectory, attributes)
  await requireKnownAttributes({ db, number, form, attributes, log })
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
  const timeout = config.directoryWait
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
    timeout,
    log,
  }
  const reconciler = openReconciler({ ...shared, embedded: place.server === 'embedded' })
  return {
    reconciler,
    orphans: openOrphans({ db, number, directory, form }),
    ...{ directory: number, baseDn, wanted: groupLayout },
    layoutChange: openLayoutChange({ db, number, directory, wanted: groupLayout }),
    servers: () => ({ preferred: options.url, current: directory.server() }),
    pool: directory.pool,
    beginStop: () => void setTimeout(() => void directory.close(), stopTimeout).unref(),
    close: async () => {
      await reconciler.stop()
      await directory.close()
      await place.close()
    },
  }
}
