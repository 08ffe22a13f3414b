// The room alerts.
// Alerts: the table of their rules, raising, escalating, closing, and telling people by mail and webhook.
// It never finds out by itself what is wrong: others say what happens.

import type { Db } from '../db/client.ts'
import { openTicker, type Ticker } from '../jobs/ticker.ts'
import type { Logger } from '../log.ts'
import type { Mail } from '../mail/mail.ts'
import { webhookSecret } from '../secrets.ts'
import { type AlertQueue, openAlertQueue } from './alert-queue.ts'
import { escalateOverdue } from './escalate.ts'
import { type Deliverer, openDeliverer } from './notifications/deliverer.ts'
import type { Outbox } from './notifications/outbox.ts'

/** Milliseconds between looks for what is overdue or silent. */
const lookInterval = 5_000

export interface AlertingOptions {
  db: Db
  outbox: Outbox
  mail: Pick<Mail, 'send'>
  config: {
    dataDir: string
    alertWebhookUrl: string | null
    alertWebhookSecret: string | null
  }
  /** Looks of other rooms for what no request reports, made as often. */
  looks: readonly (() => Promise<void>)[]
  log: Logger
}

export interface Alerting {
  alerts: AlertQueue
  /** Looks for dangers that are overdue, and what the other looks find. */
  watch: Ticker
  deliverer: Deliverer
}

/** Everything that turns what happens into alerts, and dangers into messages. Nothing is started yet. */
export const openAlerting = ({ db, outbox, mail, config, looks, log }: AlertingOptions): Alerting => {
  const { alertWebhookUrl: url, dataDir } = config
  const webhook = url === null ? null : { url, secret: webhookSecret(dataDir, config) }
  return {
    alerts: openAlertQueue({ db, outbox, log }),
    deliverer: openDeliverer({ db, mail, webhook, log }),
    watch: openTicker({
      every: lookInterval,
      what: 'overdue alerts, and what no request reports',
      async look() {
        await escalateOverdue({ db, outbox })
        for (const look of looks) await look()
      },
      log,
    }),
  }
}
