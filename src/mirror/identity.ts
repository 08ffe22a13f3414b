import { sql } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { assigned, released } from '../db/lease.ts'
import type { NestedGroups } from './directory-settings.ts'
import { type GroupClass, shapeVersion } from './entry-shape.ts'
import type { PosixSettings } from './posix.ts'

export interface DirectoryIdentity {
  /** The first URL of LDAP_URL, or `embedded`. */
  server: string
  otherServers?: readonly string[]
  baseDn: string
  groupClass: GroupClass
  posix?: PosixSettings | null
  nestedGroups: NestedGroups
}

/**
 * Stores which directory the ledger describes. For another directory the ledger is of no use: all entries are written
 * again, and the entries of deleted records stay in the old directory. If it is the same directory under another
 * address, its entries are recognized by their entryUUIDs. If only the shape of entries has changed, all entries are
 * compared again. Several instances may start at once; they agree or wait for each other.
 */
export const adoptDirectory = async (
  db: Db,
  { server, otherServers = [], baseDn, groupClass, posix, nestedGroups }: DirectoryIdentity,
): Promise<void> => {
  // Absent while they are off: a release that does not know them stored the same shape.
  const optional = { ...(posix && { posix }), ...(nestedGroups !== 'off' && { nestedGroups }) }
  const shape = JSON.stringify({ version: shapeVersion, groupClass, ...optional })
  await db.transaction(async (tx) => {
    const changed = async (name: string, value: string): Promise<boolean> => {
      const rows = await tx.execute(sql`
        insert into facts as f (name, value) values (${name}, ${value}::jsonb)
        on conflict (name) do update set value = excluded.value, updated_at = now() where f.value <> excluded.value
        returning name`)
      return rows.length > 0
    }
    const [stored] = await tx.execute<{ value: { server: string; baseDn: string } }>(
      sql`select value from facts where name = 'directory' for update`,
    )
    // The same servers in another order, or one more of them, are the same directory.
    const same =
      stored !== undefined && stored.value.baseDn === baseDn && [server, ...otherServers].includes(stored.value.server)
    const elsewhere = !same && (await changed('directory', JSON.stringify({ server, baseDn })))
    const reshaped = await changed('directory_shape', shape)
    if (elsewhere) {
      await tx.execute(sql`delete from directory_entries where deleted`)
      await tx.execute(sql`
        update directory_entries set synced_version = 0, dn = null, target_dn = null, entry_csn = null,
          add_digest = null, error = '',
          withdraws_at = null, late_told_at = null, password_digest = null,
          foreign_password_at = null, foreign_told_at = null, repair_digest = null, repairs = 0,
          attempts = 0, next_at = now(), ${assigned(released)}`)
    } else if (reshaped) {
      // A transaction that marked groups by the former shape commits before, and one that begins to mark them sees this
      // one. The new versions also hold for batches that other instances read by the former shape and have not written.
      await tx.execute(sql`lock table directory_entries in share row exclusive mode`)
      await tx.execute(sql`update directory_entries set entry_csn = null`)
      await tx.execute(sql`
        update directory_entries set version = version + 1, attempts = 0, next_at = now() where kind = 'group'`)
    }
  })
}

/** Releases the leases of a killed process, if no other process can be running. */
export const releaseLeases = async (db: Db): Promise<void> => {
  await db.execute(sql`update directory_entries set ${assigned(released)} where lease_owner is not null`)
}
