import type { Config } from '../../config.ts'
import type { Db } from '../../db/client.ts'
import { webhookSecret } from '../../directory/secrets.ts'
import { openTicker, type Ticker } from '../../jobs/ticker.ts'
import type { Logger } from '../../log.ts'
import type { Mail } from '../../mail/mail.ts'
import { markSilentDevices } from '../devices/silence.ts'
import { type Deliverer, openDeliverer } from '../notifications/deliverer.ts'
import { type Outbox, openOutbox, outboxOptions } from '../notifications/outbox.ts'
import { escalateOverdue } from './escalate.ts'
import { type Alarms, openAlarms } from './open-alarms.ts'

/** Milliseconds between looks for what is overdue or silent. */
const lookInterval = 5_000

export interface AlertingOptions {
  db: Db
  mail: Pick<Mail, 'send'>
  config: Pick<
    Config,
    'dataDir' | 'timeZone' | 'alertMail' | 'alertWebhookUrl' | 'alertWebhookSecret' | 'deviceTimeout'
  >
  log: Logger
}

export interface Alerting {
  outbox: Outbox
  alarms: Alarms
  /** Looks for dangers that are overdue and for devices that are silent. */
  watch: Ticker
  deliverer: Deliverer
}

/** Everything that turns what happens into alerts, and dangers into messages. Nothing is started yet. */
export const openAlerting = ({ db, mail, config, log }: AlertingOptions): Alerting => {
  const { alertWebhookUrl: url, deviceTimeout, dataDir } = config
  const outbox = openOutbox(outboxOptions(config))
  const webhook = url === null ? null : { url, secret: webhookSecret(dataDir, config) }
  return {
    outbox,
    alarms: openAlarms({ db, outbox, log }),
    deliverer: openDeliverer({ db, mail, webhook, log }),
    watch: openTicker({
      every: lookInterval,
      what: 'overdue alerts and silent devices',
      async look() {
        await escalateOverdue({ db, outbox })
        await markSilentDevices({ db, outbox, timeout: deviceTimeout })
      },
      log,
    }),
  }
}
