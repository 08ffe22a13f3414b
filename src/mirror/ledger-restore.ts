import { type SQL, sql } from 'drizzle-orm'
import type { Tx } from '../db/client.ts'

/** Tables of a backup that are not restored, but looked into. */
export const rememberedTables = ['directory_entries', 'facts'] as const
export type RememberedTable = (typeof rememberedTables)[number]

/** Where the rows of such a table are put for that: a temporary table of its shape. */
export const rememberedAs = (table: RememberedTable): SQL => sql`${sql.identifier(`${table} of the backup`)}`

/**
 * What the directory holds does not change by a restore, so the ledger stays. But a ledger that knows of no entry of a
 * record (it is a new database) takes over what the backup's knew: which entry it is, and what other tools put on it.
 * Otherwise all entries of before would be somebody else's. Places count in the same directory only, the names that a
 * server gave its entries everywhere.
 */
export const rememberEntries = async (tx: Tx): Promise<void> => {
  const [entries, facts] = [rememberedAs('directory_entries'), rememberedAs('facts')]
  // Where no directory is known yet, it is taken for the same one until the start that looks (see identity.ts).
  await tx.execute(sql`
    insert into facts (name, value) select name, value from ${facts} where name = 'directory' on conflict do nothing`)
  await tx.execute(sql`
    insert into directory_entries as e (kind, record_id, dn, entry_uuid, kept)
    select b.kind, b.record_id,
      case when (select value from facts where name = 'directory') = (select value from ${facts} where name = 'directory')
        and not exists (select from directory_entries h where lower(h.dn) = lower(b.dn)) then b.dn end,
      b.entry_uuid, b.kept
    from ${entries} b where not b.deleted order by b.kind desc, b.record_id
    on conflict (kind, record_id) do update
    set dn = excluded.dn, entry_uuid = excluded.entry_uuid, kept = coalesce(e.kept, excluded.kept)
    where e.dn is null and e.target_dn is null and not e.deleted`)
}
