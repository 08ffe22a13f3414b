import { sql } from 'drizzle-orm'
import type { Tx } from '../../db/client.ts'
import { isOutside, scopes } from '../../mirror/leaving.ts'
import { isWithdrawn } from '../../mirror/touch.ts'

/**
 * Makes the whole directory follow the present tables: the entry of every record is due, and those of deleted records
 * are to be removed. Like `touch`, for everything at once.
 */
export const touchEverything = async (tx: Tx): Promise<void> => {
  await tx.execute(sql`
    with recursive ${scopes}
    insert into directory_entries as e (directory, kind, record_id)
    select d.number, r.kind, r.id
    from (select 'user' as kind, id from users union all select 'group', id from groups) r cross join directories d
    on conflict (directory, kind, record_id) do update
    set version = e.version + 1, deleted = false, attempts = 0, next_at = now(),
      withdraws_at = coalesce(e.withdraws_at, case when ${isWithdrawn(isOutside)} then now() end)`)
  await tx.execute(sql`
    update directory_entries e set version = version + 1, deleted = true, attempts = 0, next_at = now(),
      withdraws_at = coalesce(e.withdraws_at, case when ${isWithdrawn(sql`true`)} then now() end)
    where not case e.kind when 'user' then exists (select from users where id = e.record_id)
      else exists (select from groups where id = e.record_id) end`)
}
