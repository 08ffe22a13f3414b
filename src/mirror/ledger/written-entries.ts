import { sql } from 'drizzle-orm'
import type { Queryable } from '../../db/client.ts'
import { spelled } from '../../ldap/spelling.ts'

/**
 * Which of these entries the service wrote itself. Not among them are entries without a record, and entries that existed
 * before and belong to a person or group that was imported from them, unless that person is disabled and the entry is
 * therefore bare.
 * @param entries with the ids (entryUUID) that the source `slot` knows them by
 */
export const writtenAmong =
  (db: Queryable, slot: string) =>
  async <Entry extends { dn: string; id: string }>(entries: readonly Entry[]): Promise<ReadonlySet<Entry>> => {
    if (entries.length === 0) return new Set()
    const places = entries.map(({ dn, id }, index) => ({ index, dn: spelled(dn), id }))
    const rows = await db.execute<{ index: number }>(sql`
      with places as (
        select * from jsonb_to_recordset(${JSON.stringify(places)}::jsonb) as p(index int, dn text, id text)
      ), found as (
        select p.index, p.id, e.kind, e.record_id from places p join directory_entries e on lower(e.dn) = lower(p.dn)
        union all
        select p.index, p.id, e.kind, e.record_id from places p
          join directory_entries e on lower(e.target_dn) = lower(p.dn)
      )
      select distinct f.index from found f
        left join users u on f.kind = 'user' and u.id = f.record_id
        left join groups g on f.kind = 'group' and g.id = f.record_id
      where (u.source = ${slot} and u.source_user_id = f.id and u.status = 1) is not true
        and (g.source = ${slot} and g.source_dept_id = f.id) is not true`)
    return new Set(rows.flatMap(({ index }) => entries[index] ?? []))
  }
