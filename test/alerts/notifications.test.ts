import { createHmac } from 'node:crypto'
import { sql } from 'drizzle-orm'
import t from 'tap'
import type { Alert } from '../../src/alerts/alert.ts'
import { openAlertQueue } from '../../src/alerts/alert-queue.ts'
import { openDeliverer } from '../../src/alerts/notifications/deliverer.ts'
import { openOutbox } from '../../src/alerts/notifications/outbox.ts'
import { sweep } from '../../src/auth/sweep.ts'
import { silent, testDatabase } from '../database.ts'
import { eventually } from '../eventually.ts'
import { openAlertingService, recipient, webhookSecret } from './alerting-service.ts'
import { startReceiver } from './receiver.ts'

const receiver = await startReceiver(t)
const database = await testDatabase(t)
const environment = { ALERT_WEBHOOK_URL: `${receiver.url}/hook` }
const s = await openAlertingService(t, { database, env: environment })
const { db } = s

const help = async (type: string): Promise<number> => {
  const { alertId } = await s.take('callForHelp', { body: { type, description: 'Please come.' } })
  return alertId
}

interface Notification {
  id: string
  attempts: number
  due: boolean
  delivered: boolean
  givenUp: boolean
  error: string
}

const webhookOf = async (alertId: number): Promise<Notification> => {
  const [row] = await db.execute<Notification & Record<string, unknown>>(sql`
    select id, attempts, next_at is not null as due, delivered_at is not null as delivered,
      next_at is null and delivered_at is null as "givenUp", error
    from notifications where alert_id = ${alertId} and channel = 'webhook' order by id desc limit 1`)
  if (row === undefined) throw new Error(`there is no notification of alert ${alertId}`)
  return row
}

/** How the notification stands after so many tries. */
const afterTries = (alertId: number, tries: number): Promise<Notification> =>
  eventually(async () => {
    const found = await webhookOf(alertId)
    return found.attempts >= tries && (found.error !== '' || found.delivered) ? found : null
  }, `${tries} tries`)

/** Lets the time until the next try pass. */
const waitOver = (alertId: number) =>
  db.execute(
    sql`update notifications set next_at = now(), error = '' where alert_id = ${alertId} and next_at is not null`,
  )

const eventsOf = (alertId: number): string[] =>
  receiver.posted
    .map(({ body }) => JSON.parse(body))
    .flatMap(({ event, alert }) => (alert.id === alertId ? [event] : []))

t.test('a danger is posted at once, signed, and mailed', async (t) => {
  const alertId = await help('fire')
  await eventually(async () => eventsOf(alertId).length > 0, 'the post')
  const { headers, body } = receiver.posted.at(-1) ?? { headers: {}, body: '' }
  t.match(JSON.parse(body), {
    event: 'alert.raised',
    alert: {
      id: alertId,
      title: 'Emergency: fire',
      description: 'admin calls for help: Please come.',
      level: 'danger',
      raisedAt: /^\d{4}-\d\d-\d\dT[\d:.]+Z$/,
      times: 1,
    },
  })
  t.match(headers, { 'content-type': 'application/json', 'x-steward-delivery': /^\d+$/ })
  const [, at, signature] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['x-steward-signature'])) ?? []
  t.equal(signature, createHmac('sha256', webhookSecret).update(`${at}.${body}`).digest('hex'))
  t.ok(Math.abs(Number(at) - Date.now() / 1000) < 60)

  const mail = await eventually(async () => (await s.mails()).find((text) => text.includes('fire')), 'the mail')
  t.match(mail, new RegExp(`^To: ${recipient}\\r$`, 'm'))
  t.match(mail, /^Subject: Emergency: fire\r$/m)
  t.match(mail, `/api/v1/security/alerts/${alertId}/handle`)
})

t.test(
  'a receiver that fails is tried again until it accepts the post, and a redirect is never followed',
  async (t) => {
    receiver.answers = 500
    const alertId = await help('flood')
    t.match(await afterTries(alertId, 1), { due: true, delivered: false, error: 'the webhook answered HTTP 500' })
    const [{ seconds } = { seconds: 0 }] = await db.execute<{ seconds: number }>(sql`
    select extract(epoch from next_at - now())::float8 as seconds from notifications
    where alert_id = ${alertId} and channel = 'webhook'`)
    t.ok(seconds > 0 && seconds <= 5, 'soon at first')
    receiver.answers = 302
    await waitOver(alertId)
    t.match(await afterTries(alertId, 2), { due: true, error: 'the webhook answered HTTP 302' })
    receiver.answers = 'nothing'
    await waitOver(alertId)
    t.match(await afterTries(alertId, 3), { due: true, error: 'the webhook did not answer: nothing within 10 s' })
    receiver.answers = 200
    await waitOver(alertId)
    t.match(await afterTries(alertId, 4), { due: false, delivered: true, error: '' })
    t.equal(eventsOf(alertId).length, 4)
    const ids = receiver.posted.filter(({ body }) => JSON.parse(body).alert.id === alertId)
    t.equal(new Set(ids.map(({ headers }) => headers['x-steward-delivery'])).size, 1, 'a receiver recognises a repeat')
  },
)

t.test('after a day a notification is given up, with the error', async (t) => {
  receiver.answers = 503
  const alertId = await help('heat')
  await afterTries(alertId, 1)
  await db.execute(sql`update notifications set created_at = now() - interval '25 hours' where alert_id = ${alertId}`)
  await waitOver(alertId)
  t.match(await afterTries(alertId, 2), { givenUp: true, error: 'the webhook answered HTTP 503' })
  receiver.answers = 204
})

t.test('only dangers send notifications, and a repeat sends no second one', async (t) => {
  const outbox = openOutbox({ recipients: ['ops@example.org'], webhook: true, timeZone: 'UTC' })
  const alerts = openAlertQueue({ db, outbox, log: silent })
  const told = async (cause: string) => {
    const rows = await db.execute<{ channel: string }>(sql`
      select n.channel from notifications n join alerts a on a.id = n.alert_id where a.cause = ${cause} order by 1`)
    return rows.map(({ channel }) => channel)
  }
  const raise = (level: 'info' | 'warning' | 'danger') =>
    alerts.raise({ cause: 'rising', rule: 'emergency', params: {}, title: 'Rising', description: '', level } as Alert)
  await raise('info')
  await raise('warning')
  t.same(await told('rising'), [])
  await raise('danger')
  t.same(await told('rising'), ['mail', 'webhook'], 'as soon as the alert is a danger')
  await raise('danger')
  t.same(await told('rising'), ['mail', 'webhook'])
})

t.test('without ALERT_MAIL the enabled administrators who have an address get the mail', async (t) => {
  await s.person('told.admin', { roleIds: [1] })
  await s.person('left.admin', { roleIds: [1] })
  await s.person('not.an.admin', { roleIds: [2] })
  await db.execute(
    sql`update users set mail = username || '@example.org' where username like '%admin' and username <> 'admin'`,
  )
  await db.execute(sql`update users set status = 2 where username = 'left.admin'`)
  const outbox = openOutbox({ recipients: [], webhook: false, timeZone: 'UTC' })
  await openAlertQueue({ db, outbox, log: silent }).raise({
    cause: 'who',
    rule: 'emergency',
    params: {},
    title: 'Who\r\nBcc: others@example.org',
    description: '',
    level: 'danger',
  } as Alert)
  const rows = await db.execute<{ content: { to: string; subject: string } }>(sql`
    select n.content from notifications n join alerts a on a.id = n.alert_id where a.cause = 'who'`)
  t.same(
    rows.map(({ content: { to, subject } }) => [to, subject]),
    [['told.admin@example.org', 'Who Bcc: others@example.org']],
  )
})

t.test('notifications are deleted after a month, handled alerts after a year, and open alerts never', async (t) => {
  const days = (age: number) => sql`now() - make_interval(days => ${age})`
  const alert = (cause: string, raised: number, handled: number | null) =>
    db.execute(sql`
      insert into alerts (cause, title, description, level, raised_at, handled_at)
      values (${cause}, 'swept', '', 'danger', ${days(raised)}, ${handled === null ? null : days(handled)})`)
  const told = (cause: string | null, age: number, state: 'delivered' | 'given up' | 'due') =>
    db.execute(sql`
      insert into notifications (channel, alert_id, content, created_at, next_at, delivered_at)
      values ('mail', (select id from alerts where cause = ${cause}), jsonb_build_object('to', ${`${cause} ${age} ${state}`}::text),
        ${days(age)}, ${state === 'due' ? sql`now() + interval '1 hour'` : null}, ${state === 'delivered' ? sql`now()` : null})`)
  await alert('open for years', 800, null)
  await alert('handled long ago', 800, 366)
  await alert('handled lately', 800, 364)
  await told('open for years', 799, 'delivered')
  await told('handled lately', 31, 'delivered')
  await told('handled lately', 29, 'delivered')
  await told('handled lately', 31, 'due')
  await told(null, 31, 'given up')
  await told(null, 29, 'given up')
  await sweep(db)
  const left = async (query: ReturnType<typeof sql>) => (await db.execute<{ it: string }>(query)).map(({ it }) => it)
  t.same(await left(sql`select cause as it from alerts where title = 'swept' order by 1`), [
    'handled lately',
    'open for years',
  ])
  const notifications = sql`
    select content->>'to' as it from notifications
    where content->>'to' like '%delivered' or content->>'to' like '%given up' or content->>'to' like '%due' order by 1`
  t.same(await left(notifications), [
    'handled lately 29 delivered',
    'handled lately 31 due',
    'null 29 given up',
    'open for years 799 delivered',
  ])
  await db.execute(sql`update alerts set handled_at = now() where title = 'swept' and handled_at is null`)
  await db.execute(sql`delete from notifications where content->>'to' like '%due'`)
})

t.test('notifications of an instance that died are sent by the others, each by one of them', async (t) => {
  await db.execute(sql`
    insert into notifications (channel, content, attempts, next_at)
    select 'mail', json_build_object('to', 'late' || n || '@example.org', 'subject', 'late', 'text', ''), 1, now()
    from generate_series(1, 40) n`)
  const sent: string[] = []
  const mail = { attempt: async ({ to }: { to: string }) => void (to.startsWith('late') && sent.push(to)) }
  const instances = [1, 2, 3].map(() => openDeliverer({ db, mail, webhook: null, log: silent, every: 10 }))
  for (const instance of instances) instance.start()
  const all = Array.from({ length: 40 }, (_, n) => `late${n + 1}@example.org`).sort()
  // The service itself takes part.
  const recipients = async () =>
    [...sent, ...(await s.mails()).flatMap((text) => /^To: (late.*)\r$/m.exec(text)?.[1] ?? [])].sort()
  await eventually(async () => (await recipients()).length >= all.length, 'all of them')
  for (const instance of instances) await instance.stop()
  t.same(await recipients(), all)
})

t.test(
  'a danger that is not handled within an hour is notified once more, whatever the number of instances',
  async (t) => {
    const other = await openAlertingService(t, { database, env: environment })
    /** Waits until an instance has looked for what is overdue: it finds one that is. */
    const looked = async (name: string): Promise<void> => {
      const id = await help(name)
      await db.execute(sql`update alerts set raised_at = now() - interval '61 minutes' where id = ${id}`)
      await eventually(() => eventsOf(id).length > 1, `${name} is posted again`)
    }
    const [overdue, handled] = [await help('overdue'), await help('handled')]
    await s.take('handleAlert', { params: { id: handled } })
    await db.execute(sql`update alerts set raised_at = now() - interval '59 minutes' where id = ${overdue}`)
    await looked('earlier')
    t.same(eventsOf(overdue), ['alert.raised'], 'not before')
    await db.execute(
      sql`update alerts set raised_at = now() - interval '61 minutes' where id in (${overdue}, ${handled})`,
    )
    await eventually(async () => eventsOf(overdue).length > 1, 'the second post')
    // Both instances look in turn.
    await looked('later')
    await looked('latest')
    t.same(eventsOf(overdue), ['alert.raised', 'alert.escalated'])
    t.same(eventsOf(handled), ['alert.raised'])
    const mails = [...(await s.mails()), ...(await other.mails())].filter((text) =>
      text.includes('Subject: Still not handled: Emergency: overdue'),
    )
    t.equal(mails.length, 1)
    await other.close()
  },
)

t.test('alerts that became overdue while no instance was running are notified after the next start', async (t) => {
  const overdue = await help('restart')
  await eventually(async () => (await webhookOf(overdue)).delivered, 'the first post')
  await s.close()
  await db.execute(sql`update alerts set raised_at = now() - interval '3 hours' where id = ${overdue}`)
  await openAlertingService(t, { database, env: environment })
  await eventually(async () => eventsOf(overdue).length > 1, 'the second post')
  t.same(eventsOf(overdue), ['alert.raised', 'alert.escalated'])
})
