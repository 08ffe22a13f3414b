import { type SQL, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../db/client.ts'
import { assigned, released } from '../../db/lease.ts'
import { ConfigError } from '../../failures/errors.ts'
import type {
  ActiveDirectorySettings,
  NestedGroups,
  PasswordScheme,
  ShownAttributes,
} from '../entry/directory-settings.ts'
import { type GroupClass, shapeVersion } from '../entry/entry-shape.ts'
import type { GroupLayout } from '../entry/places.ts'
import type { PosixSettings } from '../entry/posix.ts'
import { isOutside, scopes } from '../leaving.ts'
import { entriesOutside, isWithin } from '../scope.ts'
import { mainDirectory } from '../touch.ts'
import { beginAgain } from './begin-again.ts'
import { claimedDirectories } from './directory-claims.ts'
import { isSameBase, isSameDirectory } from './same-directory.ts'

export interface DirectoryIdentity {
  /** Its number. Default: 1, the main directory. */
  directory?: number
  /** The first URL of LDAP_URL, or `embedded`. */
  server: string
  otherServers?: readonly string[]
  baseDn: string
  groupClass: GroupClass
  /** Default: null. */
  activeDirectory?: ActiveDirectorySettings | null
  posix?: PosixSettings | null
  nestedGroups: NestedGroups
  /** Default: false. */
  memberOf?: boolean
  /** Default: false. */
  ntHash?: boolean
  /** Default: null. */
  attributes?: ShownAttributes
  /** The scheme of the only hashes that it gets; null, the default: it gets what records hold. */
  ownScheme?: PasswordScheme | null
  /** Default: nested. In effect at once only where there are no entries of groups. */
  groupLayout?: GroupLayout
  /** The groups that it gets; null, the default: all, but not where it got some only until now. */
  groups?: readonly number[] | 'all' | null
  /** How many entries may be removed because `groups` changed, or because one change takes records out of them. */
  maxRemovals?: number
}

/**
 * Stores which directory the ledger describes. For another directory the ledger is of no use: all entries are written
 * again, and the entries of deleted records stay in the old directory. If it is the same directory under another
 * address, its entries are recognized by their entryUUIDs, or by what an interrupted add wrote. If only the shape of entries has changed, all entries are
 * compared again. Several instances may start at once; they agree or wait for each other.
 * @throws ConfigError if too many entries would be removed because the directory gets fewer groups now, or if it may be a
 *   mistake that it gets others
 */
export const adoptDirectory = async (db: Db, identity: DirectoryIdentity): Promise<void> => {
  while ((await adopt(db, identity)) !== 'done');
}

/** @returns whether another instance has added the directory meanwhile: the settings of this one come after it */
const adopt = (db: Db, identity: DirectoryIdentity): Promise<'done' | 'added by another'> =>
  db.transaction(async (tx) => {
    const { directory = mainDirectory, server, otherServers = [], baseDn, groupLayout = 'nested' } = identity
    const { groups = null, maxRemovals = 0 } = identity
    const shape = shapeOf(identity)
    const [stored] = await tx.execute<{
      place: { server: string; baseDn: string } | null
      reshaped: boolean
      rescoped: boolean
      rehashed: boolean
      withheld: boolean
      former: number[] | null
    }>(sql`
      select place, shape is distinct from ${shape}::jsonb as reshaped,
        shape->'groups' is distinct from ${shape}::jsonb->'groups' as rescoped,
        shape->'ntHash' is distinct from ${shape}::jsonb->'ntHash'
          or shape->'ownScheme' is distinct from ${shape}::jsonb->'ownScheme'
          or shape->'attributes' is distinct from ${shape}::jsonb->'attributes' as rehashed,
        shape ? 'attributes' as withheld,
        shape->'groups' as former
      from directories
      where number = ${directory} for update`)
    if (stored === undefined) {
      const isAdded = await addDirectory(tx, directory, { server, baseDn, shape, groupLayout, maxRemovals })
      return isAdded ? 'done' : 'added by another'
    }
    // The same servers in another order, or one more of them, are the same directory.
    const { place, reshaped, rescoped, rehashed, withheld, former } = stored
    const same =
      place !== null &&
      isSameDirectory({ ...place, servers: [place.server] }, { baseDn, servers: [server, ...otherServers] })
    if (rescoped) requireMeant({ directory, groups, former, same, isNew: place === null })
    if (withheld) requireAttributesMeant(directory, identity)
    if (!same || reshaped) {
      await tx.execute(sql`
        update directories set shape = ${shape}::jsonb,
          place = case when ${same} then place else ${JSON.stringify({ server, baseDn })}::jsonb end
        where number = ${directory}`)
    }
    if (!same) await beginAgain(tx, directory, { sameBase: place !== null && isSameBase(place.baseDn, baseDn) })
    else if (reshaped) await compareAgain(tx, directory)
    if (rehashed) await comparePeopleAgain(tx, directory)
    if (rescoped) await followScope(tx, directory, { groups, maxRemovals })
    await allowRemovals(tx, directory, maxRemovals)
    await takeLayout(tx, directory, groupLayout)
    return 'done'
  })

const shapeOf = (identity: DirectoryIdentity): string => {
  const { groupClass, activeDirectory, posix, nestedGroups, memberOf, ntHash, attributes, groups } = identity
  const { ownScheme } = identity
  // Absent while they are off: a release that does not know them stored the same shape.
  const optional = {
    ...(activeDirectory && { activeDirectory }),
    ...(posix && { posix }),
    ...(nestedGroups !== 'off' && { nestedGroups }),
    ...(memberOf === true && { memberOf }),
    ...(ntHash === true && { ntHash }),
    ...(ownScheme && { ownScheme }),
    ...(Array.isArray(attributes) && { attributes }),
    ...(groups !== null && groups !== 'all' && { groups }),
  }
  return JSON.stringify({ version: shapeVersion, groupClass, ...optional })
}

/**
 * From now on the directory follows every change. What was changed before, without a row for it, has one after this.
 * @returns false: another instance has added it at the same time
 */
const addDirectory = async (
  tx: Tx,
  directory: number,
  {
    server,
    baseDn,
    shape,
    groupLayout,
    maxRemovals,
  }: Record<'server' | 'baseDn' | 'shape', string> & { groupLayout: GroupLayout; maxRemovals: number },
): Promise<boolean> => {
  const added = await tx.execute(sql`
    insert into directories (number, place, shape, group_layout, max_removals)
    values (${directory}, ${JSON.stringify({ server, baseDn })}::jsonb, ${shape}::jsonb, ${groupLayout}, ${maxRemovals})
    on conflict do nothing returning number`)
  if (added.length === 0) return false
  // A transaction that marked records without this directory commits before; one that begins to mark them sees it.
  await tx.execute(sql`lock table directory_entries in share row exclusive mode`)
  await tx.execute(sql`
    insert into directory_entries (directory, kind, record_id) ${recordsWithin(directory)} on conflict do nothing`)
  return true
}

/** The rows of the records that it gets. */
const recordsWithin = (directory: number): SQL => sql`
  select ${directory}::smallint, 'user', r.id from users r where ${isWithin(directory, 'user', sql`r.id`)}
  union all select ${directory}::smallint, 'group', r.id from groups r where ${isWithin(directory, 'group', sql`r.id`)}`

interface Rescoped {
  directory: number
  groups: DirectoryIdentity['groups']
  /** The groups that it got until now; null: all. */
  former: number[] | null
  /** Whether it is the same directory as before. */
  same: boolean
  isNew: boolean
}

/** @throws ConfigError */
const requireMeant = ({ directory, groups, former, same, isNew }: Rescoped): void => {
  // A setting that was lost must not give all people to a directory that is meant for some.
  if (groups === null && former !== null) {
    throw new ConfigError([
      `LDAP_${directory}_GROUPS: is not set, and the directory got the groups ${former.join(' ')} until now; set it to them, or to all`,
    ])
  }
  // The entries to remove are known in the former directory alone.
  if (!same && !isNew) {
    throw new ConfigError([
      `LDAP_${directory}_GROUPS: cannot change together with LDAP_${directory}_URL or LDAP_${directory}_BASE_DN; change one, start, and then the other`,
    ])
  }
}

/**
 * A setting that was lost must not give away what the directory is not meant to have.
 * @throws ConfigError
 */
const requireAttributesMeant = (directory: number, { attributes = null }: DirectoryIdentity): void => {
  const name = directory === mainDirectory ? 'LDAP_ATTRIBUTES' : `LDAP_${directory}_ATTRIBUTES`
  if (attributes === null) {
    throw new ConfigError([
      `${name}: is not set, and the directory got some attributes only until now; set it, or to all`,
    ])
  }
}

/** It gets other groups now. */
const followScope = async (
  tx: Tx,
  directory: number,
  { groups, maxRemovals }: { groups: DirectoryIdentity['groups']; maxRemovals: number },
): Promise<void> => {
  const outside = await entriesOutside(tx, directory)
  if (outside > maxRemovals) {
    throw new ConfigError([
      `LDAP_${directory}_GROUPS: with ${Array.isArray(groups) ? groups.join(' ') : groups} ${outside} entries of the directory would be removed; if that is meant, set LDAP_${directory}_MAX_REMOVALS to ${outside} or more`,
    ])
  }
  await tx.execute(sql`lock table directory_entries in share row exclusive mode`)
  await tx.execute(sql`
    with recursive ${scopes}
    update directory_entries e set version = version + 1, attempts = 0, next_at = now(), held_among = null,
      withdraws_at = coalesce(e.withdraws_at, case when ${isOutside} then now() end)
    where directory = ${directory}`)
  await tx.execute(sql`
    insert into directory_entries (directory, kind, record_id) ${recordsWithin(directory)} on conflict do nothing`)
}

/** From now on one change may remove so many entries: removals that were held for fewer are due. */
const allowRemovals = async (tx: Tx, directory: number, maxRemovals: number): Promise<void> => {
  await tx.execute(sql`
    update directories set max_removals = ${maxRemovals} where number = ${directory} and max_removals <> ${maxRemovals}`)
  await tx.execute(sql`
    update directory_entries set version = version + 1, attempts = 0, next_at = now(), held_among = null
    where directory = ${directory} and held_among <= ${maxRemovals}`)
}

/**
 * Directories that are not in the settings any more are not followed. Their entries stay as they are.
 * @param numbers those that are in the settings
 * @returns the others
 */
export const forgetOtherDirectories = (db: Db, numbers: readonly number[]): Promise<number[]> =>
  db.transaction(async (tx) => {
    const kept = JSON.stringify([...numbers, ...(await claimedDirectories(tx))])
    const gone = await tx.execute<{ number: number }>(sql`
      delete from directories where number <> ${mainDirectory}
        and number not in (select value::smallint from jsonb_array_elements_text(${kept}::jsonb))
      returning number`)
    if (gone.length === 0) return []
    await tx.execute(sql`lock table directory_entries in share row exclusive mode`)
    for (const table of ['directory_entries', 'ignored_entries', 'service_entries']) {
      await tx.execute(
        sql`delete from ${sql.identifier(table)} where directory not in (select number from directories)`,
      )
    }
    return gone.map(({ number }) => number)
  })

/** The layout of the settings is in effect where no group has an entry; otherwise a migration brings it about. */
const takeLayout = async (tx: Tx, directory: number, groupLayout: GroupLayout): Promise<void> => {
  await tx.execute(sql`
    update directories d set group_layout = ${groupLayout}
    where d.number = ${directory} and d.group_layout <> ${groupLayout} and not exists (
      select from directory_entries e
      where e.directory = d.number and e.kind = 'group' and (e.dn is not null or e.target_dn is not null))`)
}

/** Makes all groups due, by the shape or the layout that was just stored. */
export const compareGroupsAgain = async (tx: Tx, directory: number): Promise<void> => {
  await tx.execute(sql`
    update directory_entries set version = version + 1, attempts = 0, next_at = now()
    where directory = ${directory} and kind = 'group'`)
}

/** Makes all people due: what is not shown any more, such as NT hashes, goes without waiting for a comparison. */
const comparePeopleAgain = async (tx: Tx, directory: number): Promise<void> => {
  await tx.execute(sql`lock table directory_entries in share row exclusive mode`)
  await tx.execute(sql`
    update directory_entries set version = version + 1, attempts = 0, next_at = now()
    where directory = ${directory} and kind = 'user'`)
}

const compareAgain = async (tx: Tx, directory: number): Promise<void> => {
  // A transaction that marked groups by the former shape commits before, and one that begins to mark them sees this
  // one. The new versions also hold for batches that other instances read by the former shape and have not written.
  await tx.execute(sql`lock table directory_entries in share row exclusive mode`)
  await tx.execute(sql`update directory_entries set entry_csn = null where directory = ${directory}`)
  await compareGroupsAgain(tx, directory)
}

/** Releases the leases of a killed process, if no other process can be running. */
export const releaseLeases = async (db: Db): Promise<void> => {
  for (const table of ['directory_entries', 'service_entries']) {
    await db.execute(sql`update ${sql.identifier(table)} set ${assigned(released)} where lease_owner is not null`)
  }
}
