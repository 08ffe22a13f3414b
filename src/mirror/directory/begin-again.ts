import { sql } from 'drizzle-orm'
import type { Tx } from '../../db/client.ts'
import { assigned, released } from '../../db/lease.ts'
import { wholeOnly } from '../plan/ownership.ts'

/** A digest that no entry has: the entry of such a row is known by its entryUUID alone. */
const noDigest = ''

/**
 * What an interrupted add has left is known by, where other entries may have its DN. That of a person is known by its password,
 * where it is shown. A group may be equal to one of others, such as a unit that has a name alone: it is not removed for that.
 */
const known = sql`
  case when kind = 'user' and add_digest not like ${`%${wholeOnly}`} then add_digest || ${wholeOnly}
    when kind = 'user' or not deleted then add_digest end`

/**
 * The same for accounts of applications. Their entries, also those of deleted accounts, are found by their entryUUIDs; where an
 * add was interrupted, by its DN and the digest of its passwords, where these are shown.
 */
const beginServicesAgain = async (tx: Tx, directory: number, sameBase: boolean): Promise<void> => {
  await tx.execute(sql`
    delete from service_entries
    where directory = ${directory} and not (${sameBase} and coalesce(target_digest, entry_uuid) is not null)`)
  await tx.execute(sql`
    update service_entries set synced_version = 0, dn = null,
      target_digest = case when target_digest like ${`%${wholeOnly}`} then target_digest else target_digest || ${wholeOnly} end,
      attempts = 0, next_at = null, stated = null, ${assigned(released)}
    where directory = ${directory}`)
}

/**
 * Makes all records due, as for a directory that has none of them. It may be the same one under another address. So
 * with the same base, two kinds of rows keep their DNs: those of adds whose outcome was not stored, as their entries
 * have no entryUUID in the ledger; and those of deleted records, as no one would remove their entries otherwise. Their
 * DNs prove nothing by themselves: only the digest or the entryUUID shows that an entry is Steward's (plan/ownership.ts).
 * @param sameBase whether it has the base DN of the former directory
 */
export const beginAgain = async (tx: Tx, directory: number, { sameBase }: { sameBase: boolean }): Promise<void> => {
  await tx.execute(sql`update directories set member_of = null where number = ${directory}`)
  await beginServicesAgain(tx, directory, sameBase)
  await tx.execute(sql`
    delete from directory_entries
    where directory = ${directory} and deleted and not (${sameBase} and coalesce(${known}, entry_uuid) is not null)`)
  const keeps = sql`${sameBase} and (add_digest is not null or deleted)`
  await tx.execute(sql`
    update directory_entries set synced_version = 0, entry_csn = null, error = '', stated = null,
      dn = case when ${keeps} then dn end, target_dn = case when ${keeps} then target_dn end,
      add_digest = case when ${keeps} then coalesce(${known}, ${noDigest}) end,
      withdraws_at = case when ${keeps} then withdraws_at end,
      late_told_at = null, held_among = null, password_digest = null,
      foreign_password_at = null, foreign_told_at = null, repair_digest = null, repairs = 0,
      attempts = 0, next_at = now(), ${assigned(released)}
    where directory = ${directory}`)
}
