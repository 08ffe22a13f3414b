import { sql } from 'drizzle-orm'
import { causeOf } from '../alerts/alert.ts'
import { closeAlert } from '../alerts/raise-alerts.ts'
import type { Tx } from '../db/client.ts'

/**
 * Closes the alert of a held run of this source and kind, unless the run that it names is held still. A run that replaced a
 * plan calls it when it ends: one that is held in its turn renews the alert instead.
 */
export const closeDecidedAlert = async (tx: Tx, { source, kind }: { source: string; kind: string }): Promise<void> => {
  const cause = causeOf('runHeld', { source, kind })
  const [alert] = await tx.execute<{ run: string | null }>(sql`
    select params ->> 'id' as run from alerts where cause = ${cause} and handled_at is null for update`)
  if (alert === undefined) return
  // A statement of its own: one that waited for another run to renew the alert does not see that this run is held.
  const held = await tx.execute(sql`select from runs where id = ${alert.run}::bigint and state = 'held'`)
  if (held.length === 0) await closeAlert(tx, 'runHeld', { source, kind })
}
