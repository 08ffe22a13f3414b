import { sql } from 'drizzle-orm'
import { mayDoEverything } from '../../access/seniority.ts'
import type { Tx } from '../../db/client.ts'
import { anyOfIds } from '../../db/id-list.ts'
import type { Message } from '../../mail/open-mail.ts'
import { displayTime } from '../../text/display.ts'

export const channels = ['mail', 'webhook'] as const

export type Channel = (typeof channels)[number]

/** `escalated`: it was not handled within an hour. */
export type Occasion = 'raised' | 'escalated'

/** An alert in a notification. */
export interface ToldAlert {
  id: number
  title: string
  description: string
  level: 'info' | 'warning' | 'danger'
  location: string
  deviceId: number | null
  /** RFC 3339, UTC. */
  raisedAt: string
  /** How often its cause has occurred. */
  times: number
}

/** The body for a webhook; `id` of the delivery is in its header. */
export interface WebhookContent extends Record<string, unknown> {
  event: `alert.${Occasion}`
  alert: ToldAlert
}

export type MailContent = Message & Record<string, unknown>

export interface Outbox {
  /**
   * Writes the notifications of these alerts. They are sent after the commit, by the first instance that takes them.
   * @returns the ways by which each alert is sent
   */
  announce(tx: Tx, alertIds: readonly number[], occasion: Occasion): Promise<Map<number, Channel[]>>
  /** Writes a mail to a user, if they have an address. It is sent like a notification. */
  mail(tx: Tx, userId: number, message: Omit<Message, 'to'>): Promise<void>
  /** As `mail`, to many. */
  mailAll(tx: Tx, messages: ReadonlyMap<number, Omit<Message, 'to'>>): Promise<void>
}

export interface OutboxOptions {
  /** ALERT_MAIL; empty: the users with a role of sort 1. */
  recipients: readonly string[]
  /** Whether there is an ALERT_WEBHOOK_URL. */
  webhook: boolean
  timeZone: string
}

export interface OutboxSettings {
  alertMail: readonly string[]
  alertWebhookUrl: string | null
  timeZone: string
}

/** According to the settings. */
export const outboxOptions = ({ alertMail, alertWebhookUrl, timeZone }: OutboxSettings): OutboxOptions => ({
  recipients: alertMail,
  webhook: alertWebhookUrl !== null,
  timeZone,
})

export const openOutbox = ({ recipients, webhook, timeZone }: OutboxOptions): Outbox => ({
  async announce(tx, alertIds, occasion) {
    if (alertIds.length === 0) return new Map()
    const to = recipients.length > 0 ? recipients : await administrators(tx)
    const notifications = (await toldAlerts(tx, alertIds)).flatMap((alert) => [
      ...to.map((address) => ({
        channel: 'mail' as const,
        alertId: alert.id,
        content: mailOf(alert, occasion, address, timeZone),
      })),
      ...(webhook
        ? [
            {
              channel: 'webhook' as const,
              alertId: alert.id,
              content: { event: `alert.${occasion}`, alert } satisfies WebhookContent,
            },
          ]
        : []),
    ])
    await tx.execute(sql`
      insert into notifications (channel, alert_id, content)
      select channel, "alertId", content from jsonb_to_recordset(${JSON.stringify(notifications)}::jsonb)
        as n(channel text, "alertId" bigint, content jsonb)`)
    const channels = new Map<number, Set<Channel>>()
    for (const { alertId, channel } of notifications) {
      channels.set(alertId, (channels.get(alertId) ?? new Set()).add(channel))
    }
    return new Map([...channels].map(([id, ways]) => [id, [...ways]]))
  },

  mail: (tx, userId, message) => mailAll(tx, new Map([[userId, message]])),
  mailAll,
})

/** See `Outbox`; it needs no settings. */
export const mailAll: Outbox['mailAll'] = async (tx, messages) => {
  const written = [...messages].map(([id, { subject, text }]) => ({ id, subject, text }))
  await tx.execute(sql`
    insert into notifications (channel, content)
    select 'mail', jsonb_build_object('to', u.mail, 'subject', m.subject, 'text', m.text)
    from jsonb_to_recordset(${JSON.stringify(written)}::jsonb) as m (id bigint, subject text, text text)
    join users u on u.id = m.id
    where u.mail <> ''`)
}

const administrators = async (tx: Tx): Promise<string[]> => {
  const rows = await tx.execute<{ mail: string }>(sql`
    select u.mail from users u
    where u.status = 1 and u.mail <> '' and ${mayDoEverything(sql`u.id`)}
    order by u.id`)
  return rows.map(({ mail }) => mail)
}

const toldAlerts = async (tx: Tx, ids: readonly number[]): Promise<ToldAlert[]> => {
  const rows = await tx.execute<{ alert: ToldAlert }>(sql`
    select json_build_object('id', id, 'title', title, 'description', description, 'level', level,
      'location', location, 'deviceId', device_id, 'times', times,
      'raisedAt', to_char(raised_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) as alert
    from alerts where id = ${anyOfIds(ids)} order by id`)
  return rows.map(({ alert }) => alert)
}

const mailOf = (alert: ToldAlert, occasion: Occasion, to: string, timeZone: string): MailContent => {
  const { id, title, description, level, location, raisedAt } = alert
  const late = occasion === 'escalated'
  return {
    to,
    // A title may contain a user's text with line breaks; a header is one line.
    subject: `${late ? 'Still not handled: ' : ''}${title}`.replaceAll(/\s+/g, ' '),
    text: [
      ...(late ? ['This alert was not handled within an hour.', ''] : []),
      description,
      '',
      `Alert ${id}, ${level}, since ${displayTime(new Date(raisedAt), timeZone)} (${timeZone})${location && `, ${location}`}`,
      `When it is dealt with: POST /api/v1/security/alerts/${id}/handle`,
      '',
    ].join('\n'),
  }
}
