import type { Db } from '../../db/client.ts'
import { openTicker } from '../../jobs/ticker.ts'
import type { Mail } from '../../mail/open-mail.ts'
import { errorRecord, type Logger } from '../../runtime/log.ts'
import { type Delivery, deliveries } from './deliveries.ts'
import { type Channel, channels, type MailContent } from './outbox.ts'
import { postWebhook, type Webhook } from './webhook.ts'

/** The number in progress by one channel above which no more are taken for it: they wait for its receiver. */
const capacity = 50

export interface DelivererOptions {
  db: Db
  mail: Pick<Mail, 'attempt'>
  /** null: no webhook is configured. Its notifications wait until there is one again, or are given up. */
  webhook: Webhook | null
  log: Logger
  /** Milliseconds between checks for due notifications. */
  every?: number
}

export interface Deliverer {
  start(): void
  /** Takes no more and releases what is not sent yet; mails in progress continue until the room mail is closed. */
  stop(): Promise<void>
  /** Resolves when everything in progress is sent, or released. */
  drain(): Promise<void>
}

/**
 * Sends the notifications of the outbox, at least once: after a crash between sending and recording it, one is sent
 * again. A receiver that is slow or down delays no other.
 */
export const openDeliverer = ({ db, mail, webhook, log, every = 2_000 }: DelivererOptions): Deliverer => {
  const outbox = deliveries(db)
  const stopping = new AbortController()
  /** Of each channel its own, so that one that hangs leaves the other its places. */
  const underWay: Readonly<Record<Channel, Set<Promise<void>>>> = { mail: new Set(), webhook: new Set() }

  const send = async (delivery: Delivery): Promise<void> => {
    if (delivery.channel === 'mail') return mail.attempt(delivery.content as MailContent)
    if (webhook === null) throw new Error('ALERT_WEBHOOK_URL is no longer set')
    return postWebhook(webhook, delivery, stopping.signal)
  }

  const deliver = async (delivery: Delivery): Promise<void> => {
    const { id, channel } = delivery
    try {
      await send(delivery)
    } catch (error) {
      if (stopping.signal.aborted) return outbox.released(delivery)
      const reason = error instanceof Error ? error.message : 'unknown'
      const { givenUp } = await outbox.failed(delivery, reason)
      const about = { notification: id, channel, reason }
      if (givenUp) log.error(about, 'a notification was given up')
      else log.warn(about, 'a notification could not be delivered and is tried again')
      return
    }
    await outbox.delivered(delivery)
  }

  const take = async (): Promise<void> => {
    for (const channel of channels) if (underWay[channel].size < capacity) await takeFor(channel)
  }

  const takeFor = async (channel: Channel): Promise<void> => {
    for (const delivery of await outbox.claim(channel)) {
      const work: Promise<void> = deliver(delivery)
        .catch((error: unknown) =>
          log.warn({ error: errorRecord(error) }, 'what became of a notification is not known'),
        )
        .finally(() => underWay[channel].delete(work))
      underWay[channel].add(work)
    }
  }

  const ticker = openTicker({ every, what: 'notifications', look: take, log })
  return {
    start: ticker.start,
    async stop() {
      stopping.abort(new Error('The service is stopping'))
      await ticker.stop()
    },
    async drain() {
      for (const channel of channels) while (underWay[channel].size > 0) await Promise.all(underWay[channel])
    },
  }
}
