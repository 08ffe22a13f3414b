// The room alerts.
// Alerts: the table of their rules, raising, escalating, closing, and notifications by mail and webhook.
// It finds no problem by itself: other rooms report what happens.

import type { Db } from '../db/client.ts'
import { openTicker } from '../jobs/ticker.ts'
import type { Lifetime } from '../lifetime.ts'
import type { Logger } from '../log.ts'
import type { Mail } from '../mail/mail.ts'
import { webhookSecret } from '../secrets.ts'
import { type AlertQueue, openAlertQueue } from './alert-queue.ts'
import { attemptAlerts, type ReportFailures } from './attempt-alerts.ts'
import { escalateOverdue } from './escalate.ts'
import { openDeliverer } from './notifications/deliverer.ts'
import type { Outbox } from './notifications/outbox.ts'
import { type SessionAlerts, sessionAlerts } from './session-alerts.ts'

/** Milliseconds between checks for overdue alerts and silent devices. */
const lookInterval = 5_000

export interface AlertingOptions extends Pick<Lifetime, 'atEnd'> {
  db: Db
  outbox: Outbox
  mail: Pick<Mail, 'send' | 'close'>
  config: {
    dataDir: string
    alertWebhookUrl: string | null
    alertWebhookSecret: string | null
  }
  /** Checks of other rooms for problems that no request reports, made at the same interval. */
  looks: readonly (() => Promise<void>)[]
  log: Logger
}

export interface Alerting {
  alerts: AlertQueue
  /** Told of sign-ins and codes that fail. */
  attempts: ReportFailures
  /** Told of sessions. */
  sessions: SessionAlerts
  start(): void
}

/** Everything that turns what happens into alerts, and dangers into messages. */
export const openAlerting = ({ db, outbox, mail, config, looks, atEnd, log }: AlertingOptions): Alerting => {
  const { alertWebhookUrl: url, dataDir } = config
  const webhook = url === null ? null : { url, secret: webhookSecret(dataDir, config) }
  const alerts = openAlertQueue({ db, outbox, log })
  const deliverer = openDeliverer({ db, mail, webhook, log })
  /** Looks for dangers that are overdue, and what the other looks find. */
  const watch = openTicker({
    every: lookInterval,
    what: 'overdue alerts, and what no request reports',
    async look() {
      await escalateOverdue({ db, outbox })
      for (const look of looks) await look()
    },
    log,
  })
  // Letting go of mails under way is what ends their deliveries; nothing new is taken before that.
  atEnd(deliverer.drain, mail.close, deliverer.stop, watch.stop, alerts.close)
  return {
    alerts,
    attempts: attemptAlerts({ db, alerts }),
    sessions: sessionAlerts({ db, alerts }),
    start() {
      watch.start()
      deliverer.start()
    },
  }
}
