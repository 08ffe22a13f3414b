import { sql } from 'drizzle-orm'
import type { Tx } from '../../db/client.ts'
import type { Statement } from '../../failures/statement.ts'
import { isOutside, scopes } from '../leaving.ts'
import { namesTold, raiseStandingAlert, type StandingAlertOptions } from '../standing-alert.ts'
import { asJson, statements } from '../statements.ts'

/** The time within which a withdrawal has to be in the directory. */
export const withdrawnWithin = { seconds: 60 }

/** What is held waits for a decision, and has an alert of its own. */
export const isLate = sql`withdraws_at <= now() - make_interval(secs => ${withdrawnWithin.seconds}) and held_among is null`

/**
 * Raises alerts about withdrawals that are not in the directory in time: a user was disabled or deleted, or lost a
 * password or a membership, and can still use it.
 */
export const tellLateWithdrawals = (options: StandingAlertOptions): Promise<void> =>
  raiseStandingAlert(options, {
    rule: 'lateWithdrawals',
    cause: {},
    where: isLate,
    toldAt: sql`late_told_at`,
    describe,
    message: 'what was withdrawn is still in the directory after a minute',
  })

type Withdrawn = 'late_outside' | 'late_group' | 'late_members' | 'late_deleted' | 'late_disabled' | 'late_password'

interface LateRow extends Record<string, unknown> {
  total: string
  directory: number
  name: string
  what: Withdrawn
  stated: Statement | null
}

/** The names of the records that wait longest, and the reason of the first. */
const describe = async (tx: Tx): Promise<{ total: number; names: Statement[]; reason: Statement }> => {
  const rows = await tx.execute<LateRow>(sql`
    with recursive ${scopes}
    select count(*) over () as total, e.directory,
      case when e.error <> '' then coalesce(e.stated, ${asJson(statements.refused({ problem: '' }))} || jsonb_build_object(
        'text', e.error, 'params', jsonb_build_object('problem', e.error))) end as stated,
      coalesce(u.username, g.group_name, split_part(split_part(coalesce(e.dn, e.target_dn), ',', 1), '=', 2)) as name,
      case when e.kind = 'group' and g.id is null then 'late_group'
        when e.kind = 'user' and u.id is null then 'late_deleted'
        when u.status = 2 then 'late_disabled'
        when ${isOutside} then 'late_outside'
        when e.kind = 'group' then 'late_members' else 'late_password' end as what
    from directory_entries e
    left join users u on e.kind = 'user' and u.id = e.record_id and not e.deleted
    left join groups g on e.kind = 'group' and g.id = e.record_id and not e.deleted
    where ${isLate} order by e.kind desc, e.withdraws_at, e.record_id limit ${namesTold}`)
  return {
    total: Number(rows[0]?.total ?? 0),
    names: rows.map(({ name, what, directory }) => statements[what]({ name, directory })),
    reason: rows.find(({ stated }) => stated !== null)?.stated ?? statements.on_its_way(),
  }
}
