import { type SQL, sql } from 'drizzle-orm'
import { type AlertParameters, alertOf, type CauseParameters, type ClosingRuleName, causeOf } from '../alerts/alert.ts'
import type { Outbox } from '../alerts/notifications/outbox.ts'
import { closeAlert, raiseAlerts } from '../alerts/raise-alerts.ts'
import type { Db, Tx } from '../db/client.ts'
import { plainValues } from '../failures/statement.ts'
import type { Logger } from '../runtime/log.ts'

export interface StandingAlertOptions {
  db: Db
  outbox: Outbox
  log: Logger
}

/** The number of names in the text of an alert. */
export const namesTold = 10

/** A state of entries that lasts until it is resolved. */
interface Standing<Name extends ClosingRuleName> {
  rule: Name
  /** Distinguishes the alert of this state from others of the rule. */
  cause: CauseParameters<Name>
  /** Which rows of `directory_entries` are in it. */
  where: SQL
  /** The column with the time when an alert reported a row. */
  toldAt: SQL
  /** The text of the alert for all rows in it; it is also logged, with `message`. */
  describe: (tx: Tx) => Promise<AlertParameters<Name> & object>
  message: string
}

/**
 * Raises an alert when entries have come into a state, and closes it when the state has no entries left. The alert and
 * the record that an entry was reported are written together, so that it is reported once, even with several instances,
 * and after a restart at the first check.
 */
export const raiseStandingAlert = async <Name extends ClosingRuleName>(
  { db, outbox, log }: StandingAlertOptions,
  { rule, cause, where, toldAt, describe, message }: Standing<Name>,
): Promise<void> => {
  const [state] = await db.execute<{ untold: boolean; over: boolean }>(sql`
    select exists (select from directory_entries where ${where} and ${toldAt} is null) as untold,
      exists (select from alerts where cause = ${causeOf(rule, cause)} and handled_at is null)
        and not exists (select from directory_entries where ${where}) as over`)
  if (state?.over) await closeAlert(db, rule, cause)
  if (!state?.untold) return
  const raised = await db.transaction(async (tx) => {
    const rows = await tx.execute(sql`
      with untold as (
        select directory, kind, record_id from directory_entries where ${where} and ${toldAt} is null
        order by kind desc, record_id, directory for update)
      update directory_entries e set ${toldAt} = now() from untold u
      where e.directory = u.directory and e.kind = u.kind and e.record_id = u.record_id returning e.record_id`)
    if (rows.length === 0) return null
    const described = await describe(tx)
    await raiseAlerts(tx, outbox, [alertOf(rule, described)])
    return described
  })
  if (raised !== null) log.warn(plainValues(raised), message)
}
