import { eq } from 'drizzle-orm'
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

/** Calls for help. Each is an alert of its own: nobody who calls is told that somebody else has. */
export const emergenciesHandlers = ({ db, outbox, timeZone }: EmergenciesOptions): EmergenciesHandlers => ({
  callForHelp: ({ body: { type, description }, user, request }) =>
    db.transaction(async (tx) => {
      const [call] = await tx
        .insert(emergencies)
        .values({ type, description, creator: user.username })
        .returning({ id: emergencies.id, createdAt: emergencies.createdAt })
      if (call === undefined) throw new Error('A call for help was not kept')
      const cause = `emergency ${call.id}`
      const raised = await raiseAlerts(tx, outbox, [
        {
          cause,
          title: `Emergency: ${type}`,
          description: `${user.username} calls for help: ${description}`,
          level: 'danger',
          location: request.address,
        },
      ])
      const { alertId, notified } = raised.get(cause) ?? missing(cause)
      await tx.update(emergencies).set({ alertId }).where(eq(emergencies.id, call.id))
      return { id: call.id, alertId, time: displayTime(call.createdAt, timeZone), notified }
    }),
})

const missing = (cause: string): never => {
  throw new Error(`There is no alert of ${cause}`)
}
