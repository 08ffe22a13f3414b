import { and, eq, isNull, sql } from 'drizzle-orm'
import { changeFor } from '../access/committed.ts'
import type { Db } from '../db/client.ts'
import { alerts } from '../db/schema.ts'
import type { AlertsHandlers } from '../generated/security.ts'
import { alertRecords } from './alert-records.ts'
import { reasons } from './reasons.ts'

export interface AlertsOptions {
  db: Db
  timeZone: string
}

/** Alerts: what an administrator has to look at, and who has handled it. */
export const alertsHandlers = ({ db, timeZone }: AlertsOptions): AlertsHandlers => {
  const records = alertRecords(db, timeZone)
  return {
    listAlerts: async ({ query: { handled } }) => ({ alerts: records.all(handled) }),

    async handleAlert({ params: { id }, user }) {
      await changeFor(db, user, (tx) =>
        tx
          .update(alerts)
          .set({ handledAt: sql`now()`, handledBy: user.username })
          .where(and(eq(alerts.id, id), isNull(alerts.handledAt))),
      )
      const alert = await records.handled(id)
      if (alert === null) throw reasons.alert_not_found.at('id', { id })
      return alert
    },
  }
}
