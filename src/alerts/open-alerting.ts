// The room alerts.
// Alerts: the table of their rules, raising, escalating, closing, and notifications by mail and webhook.
// It never finds a problem by itself: other rooms report what happens.

import type { Db } from '../db/client.ts'
import { moreIsLeft, openTicker, type TickerOptions } from '../jobs/ticker.ts'
import type { Mail } from '../mail/open-mail.ts'
import type { Lifetime } from '../runtime/lifetime.ts'
import type { Logger } from '../runtime/log.ts'
import { webhookSecret } from '../secrets/secrets.ts'
import { alertsHandlers } from './alert-handlers.ts'
import { openAlertQueue } from './alert-queue.ts'
import { alertSearchHandlers } from './alert-search-handlers.ts'
import { attemptAlerts } from './attempt-alerts.ts'
import { escalateOverdue } from './escalate.ts'
import { openDeliverer } from './notifications/deliverer.ts'
import { type OutboxSettings, openOutbox, outboxOptions } from './notifications/outbox.ts'
import { sessionAlerts } from './session-alerts.ts'

/** Milliseconds between checks for overdue alerts and silent devices. */
const pollInterval = 5_000

export interface AlertingOptions extends Pick<Lifetime, 'atEnd'> {
  db: Db
  mail: Pick<Mail, 'attempt' | 'close'>
  config: OutboxSettings & {
    dataDir: string
    alertWebhookSecret: string | null
  }
  log: Logger
}

export type Alerting = ReturnType<typeof openAlerting>

/** A check for problems that no request reports, made from time to time. */
export type Look = TickerOptions['look']

/** Everything that turns what happens into alerts, and dangers into messages. */
export const openAlerting = ({ db, mail, config, atEnd, log }: AlertingOptions) => {
  const { alertWebhookUrl: url, dataDir, timeZone } = config
  const webhook = url === null ? null : { url, secret: webhookSecret(dataDir, config) }
  const outbox = openOutbox(outboxOptions(config))
  const alerts = openAlertQueue({ db, outbox, log })
  const deliverer = openDeliverer({ db, mail, webhook, log })
  let looks: readonly Look[] = []
  /** Looks for dangers that are overdue, and what the other looks find. */
  const watch = openTicker({
    every: pollInterval,
    what: 'overdue alerts, and what no request reports',
    async look() {
      const found: unknown[] = [await escalateOverdue({ db, outbox })]
      for (const look of looks) found.push(await look())
      return found.find((each) => each === moreIsLeft)
    },
    log,
  })
  // Letting go of mails under way is what ends their deliveries; nothing new is taken before that.
  atEnd(deliverer.drain, mail.close, deliverer.stop, watch.stop, alerts.close)
  return {
    outbox,
    alerts,
    /** Told of sign-ins and codes that fail. */
    attempts: attemptAlerts({ db, alerts }),
    /** Told of sessions. */
    sessions: sessionAlerts({ db, alerts }),
    handlers: { search: alertSearchHandlers({ db }), alerts: alertsHandlers({ db, timeZone }) },
    /** @param others the checks of other rooms */
    start(others: readonly Look[]) {
      looks = others
      watch.start()
      deliverer.start()
    },
  }
}
