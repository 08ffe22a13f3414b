import { sql } from 'drizzle-orm'
import type { Tx } from '../db/client.ts'
import { namesTold, type StandingAlertOptions, tellStanding } from './standing-alert.ts'

/** The time within which a withdrawal has to be in the directory. */
export const withdrawnWithin = { seconds: 60 }

export const isLate = sql`withdraws_at <= now() - make_interval(secs => ${withdrawnWithin.seconds})`

/**
 * Raises alerts about withdrawals that are not in the directory in time: a user was disabled or deleted, or lost a
 * password or a membership, and can still use it.
 */
export const tellLateWithdrawals = (options: StandingAlertOptions): Promise<void> =>
  tellStanding(options, {
    rule: 'lateWithdrawals',
    cause: {},
    where: isLate,
    toldAt: sql`late_told_at`,
    describe,
    message: 'what was withdrawn is still in the directory after a minute',
  })

/** The names of the records that wait longest, and the reason of the first. */
const describe = async (tx: Tx): Promise<{ total: number; names: string[]; reason: string }> => {
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
    names: rows.map(({ name, what }) => `${name} (${what})`),
    reason: rows.find(({ error }) => error !== '')?.error ?? '',
  }
}
