import { type SQL, sql } from 'drizzle-orm'
import { type AlertParameters, alertOf, type CauseParameters, type ClosingRuleName, causeOf } from '../alerts/alert.ts'
import type { Outbox } from '../alerts/notifications/outbox.ts'
import { closeAlert, raiseAlerts } from '../alerts/raise-alerts.ts'
import type { Db, Tx } from '../db/client.ts'
import type { Logger } from '../log.ts'

export interface StandingAlertOptions {
  db: Db
  outbox: Outbox
  log: Logger
}

/** Names that the text of an alert has room for. */
export const namesTold = 10

/** A state that entries are in until something is done about it. */
interface Standing<Name extends ClosingRuleName> {
  rule: Name
  /** What tells the alert of this state from others of the rule. */
  cause: CauseParameters<Name>
  /** Which rows of `directory_entries` are in it. */
  where: SQL
  /** The column that says when an alert told of a row. */
  toldAt: SQL
  /** What the alert says of all that are in it; it is logged, too, with `message`. */
  describe: (tx: Tx) => Promise<AlertParameters<Name> & object>
  message: string
}

/**
 * Raises an alert when entries have come into a state, and closes it when none is left in it. That an entry was told of
 * is written together with the alert, so that it is told once, whatever the number of instances, and after a restart as
 * soon as the service looks.
 */
export const tellStanding = async <Name extends ClosingRuleName>(
  { db, outbox, log }: StandingAlertOptions,
  { rule, cause, where, toldAt, describe, message }: Standing<Name>,
): Promise<void> => {
  const [state] = await db.execute<{ untold: boolean; over: boolean }>(sql`
    select exists (select from directory_entries where ${where} and ${toldAt} is null) as untold,
      exists (select from alerts where cause = ${causeOf(rule, cause)} and handled_at is null)
        and not exists (select from directory_entries where ${where}) as over`)
  if (state?.over) await closeAlert(db, rule, cause)
  if (!state?.untold) return
  const told = await db.transaction(async (tx) => {
    const rows = await tx.execute(sql`
      with untold as (
        select kind, record_id from directory_entries where ${where} and ${toldAt} is null
        order by kind desc, record_id for update)
      update directory_entries e set ${toldAt} = now() from untold u
      where e.kind = u.kind and e.record_id = u.record_id returning e.record_id`)
    if (rows.length === 0) return null
    const described = await describe(tx)
    await raiseAlerts(tx, outbox, [alertOf(rule, described)])
    return described
  })
  if (told !== null) log.warn(told, message)
}
