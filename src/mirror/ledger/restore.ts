import { type SQL, sql } from 'drizzle-orm'
import type { Tx } from '../../db/client.ts'

/** Tables of a backup that are read and not restored. */
export const rememberedTables = ['directories', 'directory_entries', 'facts', 'posix_numbers'] as const
export type RememberedTable = (typeof rememberedTables)[number]

/** The destination of their rows: a temporary table with the same columns. */
export const rememberedAs = (table: RememberedTable): SQL => sql`${sql.identifier(`${table} of the backup`)}`

/**
 * A restore does not change the directory, so the ledger stays. But if the ledger does not know the entry of a record
 * (the database is new), the row of the backup is used: which entry it is, and its foreign attributes. Otherwise no
 * earlier entry would be recognized. DNs are valid only in the same directory, entryUUIDs in every directory.
 */
export const rememberEntries = async (tx: Tx): Promise<void> => {
  // The accounts of the backup may have the versions of others that came after them.
  await tx.execute(sql`update service_entries set synced_version = 0, attempts = 0, next_at = null`)
  const [entries, facts] = [rememberedAs('directory_entries'), rememberedAs('facts')]
  const directories = rememberedAs('directories')
  // Where the database is another one than that of the backup, such as a new one, it may have given the same numbers to
  // others, and other ones to the same. Files carry those of the backup. Those of here belong to no record from now on.
  await tx.execute(sql`
    delete from posix_numbers p using ${rememberedAs('posix_numbers')} b
    where p.number = b.number and (p.kind <> b.kind or p.record_id <> b.record_id)`)
  await tx.execute(sql`
    update posix_numbers p set record_id = -p.number from ${rememberedAs('posix_numbers')} b
    where p.kind = b.kind and p.record_id = b.record_id and p.number <> b.number`)
  await tx.execute(sql`
    insert into posix_numbers (number, kind, record_id, imported, created_at)
    select number, kind, record_id, imported, created_at from ${rememberedAs('posix_numbers')} order by number
    on conflict do nothing`)
  // Backups of older schemas have it among the facts.
  await tx.execute(sql`
    insert into ${directories} (number, place) select 1, value from ${facts}
    where name = 'directory' and not exists (select from ${directories})`)
  // If no directory is stored yet, it is assumed to be the same one; the next start checks it (see identity.ts).
  await tx.execute(sql`
    insert into directories as d (number, place) select number, place from ${directories}
    on conflict (number) do update set place = excluded.place where d.place is null`)
  await tx.execute(sql`
    insert into directory_entries as e (directory, kind, record_id, dn, entry_uuid, kept)
    select b.directory, b.kind, b.record_id,
      case when d.place = r.place and not exists (
        select from directory_entries h where h.directory = b.directory and lower(h.dn) = lower(b.dn)) then b.dn end,
      b.entry_uuid, b.kept
    from ${entries} b join directories d on d.number = b.directory
    left join ${directories} r on r.number = b.directory
    where not b.deleted order by b.kind desc, b.record_id, b.directory
    on conflict (directory, kind, record_id) do update
    set dn = excluded.dn, entry_uuid = excluded.entry_uuid, kept = coalesce(e.kept, excluded.kept)
    where e.dn is null and e.target_dn is null and not e.deleted`)
}
