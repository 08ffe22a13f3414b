import { sql } from 'drizzle-orm'
import type { Tx } from '../../db/client.ts'
import type { Statement } from '../../failures/statement.ts'
import { namesTold, raiseStandingAlert, type StandingAlertOptions } from '../standing-alert.ts'
import { statements } from '../statements.ts'

const isHeld = sql`held_among is not null`

/** Raises an alert about entries that one change would remove from a further directory, and that are too many. */
export const tellHeldRemovals = (options: StandingAlertOptions): Promise<void> =>
  raiseStandingAlert(options, {
    rule: 'removalsHeld',
    cause: {},
    where: isHeld,
    toldAt: sql`held_told_at`,
    describe,
    message: 'a change would remove more entries from a directory than the settings allow: they stay',
  })

/** Groups before people, and for each directory the setting with which they are removed. */
const describe = async (tx: Tx): Promise<{ total: number; names: string[]; settings: Statement[] }> => {
  const rows = await tx.execute<{ total: string; name: string }>(sql`
    select count(*) over () as total, coalesce(u.username, g.group_name) as name
    from directory_entries e
    left join users u on e.kind = 'user' and u.id = e.record_id
    left join groups g on e.kind = 'group' and g.id = e.record_id
    where ${isHeld} order by e.kind, e.record_id, e.directory limit ${namesTold}`)
  const limits = await tx.execute<{ directory: number; count: number }>(sql`
    select directory, max(held_among) as count from directory_entries where ${isHeld} group by directory order by directory`)
  return {
    total: Number(rows[0]?.total ?? 0),
    names: rows.map(({ name }) => name),
    settings: limits.map(({ directory, count }) => statements.removals_allowed({ directory, count })),
  }
}
