// The room alerts.
// Alerts: raising, escalating, closing, and telling people by mail and webhook.
// It never finds out by itself what is wrong, but for what lies in its own tables: others raise.

import type { Db } from '../db/client.ts'
import { openTicker, type Ticker } from '../jobs/ticker.ts'
import type { Logger } from '../log.ts'
import type { Mail } from '../mail/mail.ts'
import { webhookSecret } from '../secrets.ts'
import { escalateOverdue } from './escalate.ts'
import { tellLateWithdrawals } from './late-withdrawals.ts'
import { type Deliverer, openDeliverer } from './notifications/deliverer.ts'
import type { Outbox } from './notifications/outbox.ts'
import { type Alarms, openAlarms } from './open-alarms.ts'

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
    /** null: there is no directory that could lag behind. */
    ldap: unknown
  }
  /** Other looks for what nobody reports, made as often. */
  looks: readonly (() => Promise<void>)[]
  log: Logger
}

export interface Alerting {
  alarms: Alarms
  /** Looks for dangers that are overdue, for devices that are silent, and for what the directory has not followed. */
  watch: Ticker
  deliverer: Deliverer
}

/** Everything that turns what happens into alerts, and dangers into messages. Nothing is started yet. */
export const openAlerting = ({ db, outbox, mail, config, looks, log }: AlertingOptions): Alerting => {
  const { alertWebhookUrl: url, dataDir } = config
  const webhook = url === null ? null : { url, secret: webhookSecret(dataDir, config) }
  return {
    alarms: openAlarms({ db, outbox, log }),
    deliverer: openDeliverer({ db, mail, webhook, log }),
    watch: openTicker({
      every: lookInterval,
      what: 'overdue alerts, silent devices and a directory that does not follow',
      async look() {
        await escalateOverdue({ db, outbox })
        for (const look of looks) await look()
        if (config.ldap !== null) await tellLateWithdrawals({ db, outbox, log })
      },
      log,
    }),
  }
}
