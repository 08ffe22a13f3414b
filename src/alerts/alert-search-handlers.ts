import { and, eq, gte, isNotNull, isNull, lt, type SQL, sql } from 'drizzle-orm'
import { changeFor } from '../access/committed.ts'
import type { Db } from '../db/client.ts'
import { anyOfIds } from '../db/id-list.ts'
import { instantText, jsonObject } from '../db/json-record.ts'
import { idPage } from '../db/paging.ts'
import { alerts } from '../db/schema.ts'
import type { AlertsHandlers, components } from '../generated/operations.ts'

type Alert = components['schemas']['Alert']

export interface AlertSearchOptions {
  db: Db
}

const record = jsonObject<Alert>({
  id: alerts.id,
  rule: alerts.rule,
  params: alerts.params,
  title: alerts.title,
  description: alerts.description,
  level: alerts.level,
  raisedAt: instantText(alerts.raisedAt),
  lastAt: instantText(alerts.lastAt),
  times: alerts.times,
  handledAt: instantText(alerts.handledAt),
  handledBy: sql`nullif(${alerts.handledBy}, '')`,
  location: alerts.location,
  deviceId: alerts.deviceId,
})

interface Asked {
  handled?: boolean
  level?: Alert['level']
  from?: string
  to?: string
}

const conditionOf = ({ handled, level, from, to }: Asked): SQL | undefined =>
  and(
    handled === undefined ? undefined : handled ? isNotNull(alerts.handledAt) : isNull(alerts.handledAt),
    level === undefined ? undefined : eq(alerts.level, level),
    from === undefined ? undefined : gte(alerts.raisedAt, new Date(from)),
    to === undefined ? undefined : lt(alerts.raisedAt, new Date(to)),
  )

/** Alerts for a console: filters, exact times, and handling many at once. */
export const alertSearchHandlers = ({ db }: AlertSearchOptions): AlertsHandlers => ({
  async searchAlerts({ query: { cursor, limit, ...asked } }) {
    const wanted = conditionOf(asked)
    const { records, next } = await idPage({ ...(cursor !== undefined && { cursor }), limit }, (before, count) =>
      db
        .select({ id: alerts.id, alert: record })
        .from(alerts)
        .where(and(wanted, lt(alerts.id, before)))
        .orderBy(sql`${alerts.id} desc`)
        .limit(count),
    )
    return { total: await db.$count(alerts, wanted), next, alerts: records.map(({ alert }) => alert) }
  },

  async handleAlerts({ body: { ids }, user }) {
    const handled = await changeFor(db, user, (tx) =>
      tx
        .update(alerts)
        .set({ handledAt: sql`now()`, handledBy: user.username })
        .where(and(sql`${alerts.id} = ${anyOfIds(ids)}`, isNull(alerts.handledAt)))
        .returning({ id: alerts.id }),
    )
    return { handled: handled.length }
  },
})
