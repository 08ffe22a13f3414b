import { sql } from 'drizzle-orm'
import type { Db, Tx } from '../../db/client.ts'
import { declaredAttributes, groups, users } from '../../db/schema.ts'

const tables = { user: users, group: groups } as const

/**
 * Deletes what remains of removed attributes, once no record with one waits for the directory: its entries have lost
 * what Steward wrote, and other tools may use the attribute.
 */
export const forgetRemovedAttributes = (db: Db): Promise<void> =>
  db.transaction(async (tx) => {
    for (const kind of ['user', 'group'] as const) await forget(tx, kind)
  })

const forget = async (tx: Tx, kind: 'user' | 'group'): Promise<void> => {
  const table = tables[kind]
  const rows = await tx.execute<{ id: string; name: string }>(sql`
    select d.id, d.name from ${declaredAttributes} d
    where d.kind = ${kind} and d.removed_at is not null and not exists (
      select from ${table} r join directory_entries e on e.kind = ${kind} and e.record_id = r.id
      where e.version <> e.synced_version and r.attributes ? d.name)
    order by d.id for update`)
  if (rows.length === 0) return
  const names = JSON.stringify(rows.map(({ name }) => name))
  const listed = sql`array(select jsonb_array_elements_text(${names}::jsonb))`
  await tx.execute(sql`
    with held as materialized (
      select ${table.id} as id from ${table} where ${table.attributes} ?| ${listed} order by ${table.id} for no key update
    )
    update ${table} set attributes = ${table.attributes} - ${listed} from held where ${table.id} = held.id`)
  await tx.execute(sql`delete from ${declaredAttributes} where kind = ${kind} and name = any (${listed})`)
}
