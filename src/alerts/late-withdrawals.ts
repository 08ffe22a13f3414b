import { sql } from 'drizzle-orm'
import type { Db, Tx } from '../db/client.ts'
import type { Logger } from '../log.ts'
import type { Outbox } from './notifications/outbox.ts'
import { clearAlerts, raiseAlerts } from './raise-alerts.ts'

export interface LateWithdrawalsOptions {
  db: Db
  outbox: Outbox
  log: Logger
}

/** Within which the directory is to follow what takes something away: a person, a sign-in, a membership. */
export const withdrawnWithin = { seconds: 60 }

export const isLate = sql`withdraws_at <= now() - make_interval(secs => ${withdrawnWithin.seconds})`

const cause = 'directory withdrawals late'
const namesTold = 10

/**
 * Raises a danger alert for who was disabled or deleted, or has lost a password or a membership, and can still use it,
 * because the directory has not followed; handles it when it has. What is told of is written together with the alert, so
 * that it is told once, whatever the number of instances, and after a restart as soon as somebody looks.
 */
export const tellLateWithdrawals = async ({ db, outbox, log }: LateWithdrawalsOptions): Promise<void> => {
  const [state] = await db.execute<{ untold: boolean; over: boolean }>(sql`
    select exists (select from directory_entries where ${isLate} and late_told_at is null) as untold,
      exists (select from alerts where cause = ${cause} and handled_at is null)
        and not exists (select from directory_entries where ${isLate}) as over`)
  if (state?.over) await db.transaction((tx) => clearAlerts(tx, [cause]))
  if (!state?.untold) return
  const told = await db.transaction(async (tx) => {
    const rows = await tx.execute(sql`
      with late as (
        select kind, record_id from directory_entries where ${isLate} and late_told_at is null
        order by kind desc, record_id for update)
      update directory_entries e set late_told_at = now() from late l
      where e.kind = l.kind and e.record_id = l.record_id returning e.record_id`)
    if (rows.length === 0) return null
    const { total, named, reason } = await describeLate(tx)
    const more = total > named.length ? ` and ${total - named.length} more` : ''
    const what = `${named.join(', ')}${more}`
    const description = `For over a minute the directory has not followed what was taken away: ${what}. Until it does, applications that ask the directory still accept it. ${reason}`
    await raiseAlerts(tx, outbox, [
      { cause, title: 'Withdrawn, and still in the directory', description, level: 'danger' },
    ])
    return { records: total, what, reason }
  })
  if (told !== null) log.warn(told, 'what was withdrawn is still in the directory after a minute')
}

/** The ones that wait for longest, by name, and why the first of them does. */
const describeLate = async (tx: Tx): Promise<{ total: number; named: string[]; reason: string }> => {
  const rows = await tx.execute<{ total: string; name: string; what: string; error: string }>(sql`
    select count(*) over () as total, e.error,
      coalesce(u.username, g.group_name, split_part(split_part(coalesce(e.dn, e.target_dn), ',', 1), '=', 2)) as name,
      case when e.kind = 'group' then case when g.id is null then 'group, deleted' else 'members of the group' end
        when u.id is null then 'deleted' when u.status = 2 then 'disabled' else 'password' end as what
    from directory_entries e
    left join users u on e.kind = 'user' and u.id = e.record_id and not e.deleted
    left join groups g on e.kind = 'group' and g.id = e.record_id and not e.deleted
    where ${isLate} order by e.kind desc, e.withdraws_at, e.record_id limit ${namesTold}`)
  return {
    total: Number(rows[0]?.total ?? 0),
    named: rows.map(({ name, what }) => `${name} (${what})`),
    reason: rows.find(({ error }) => error !== '')?.error ?? '',
  }
}
