import { eq } from 'drizzle-orm'
import { changeFor } from '../access/committed.ts'
import { alertOf } from '../alerts/alert.ts'
import type { Outbox } from '../alerts/notifications/outbox.ts'
import { raiseAlerts } from '../alerts/raise-alerts.ts'
import type { Db } from '../db/client.ts'
import { emergencies } from '../db/schema.ts'
import type { EmergenciesHandlers } from '../generated/security.ts'
import { displayTime } from '../text/display.ts'

export interface EmergenciesOptions {
  db: Db
  outbox: Outbox
  timeZone: string
}

/** Calls for help. Each has an alert of its own: a caller does not learn of other calls. */
export const emergenciesHandlers = ({ db, outbox, timeZone }: EmergenciesOptions): EmergenciesHandlers => ({
  callForHelp: ({ body: { type, description }, user, request }) =>
    changeFor(db, user, async (tx) => {
      const [call] = await tx
        .insert(emergencies)
        .values({ type, description, creator: user.username })
        .returning({ id: emergencies.id, createdAt: emergencies.createdAt })
      if (call === undefined) throw new Error('A call for help was not kept')
      const { username } = user
      const alert = alertOf('emergency', { id: call.id, type, username, description, address: request.address })
      const raised = (await raiseAlerts(tx, outbox, [alert])).get(alert.cause)
      if (raised === undefined) throw new Error('A call for help raised no alert')
      const { alertId, notified } = raised
      await tx.update(emergencies).set({ alertId }).where(eq(emergencies.id, call.id))
      return { id: call.id, alertId, time: displayTime(call.createdAt, timeZone), notified }
    }),
})
