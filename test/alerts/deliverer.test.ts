import { sql } from 'drizzle-orm'
import t, { type Test } from 'tap'
import { type DelivererOptions, openDeliverer } from '../../src/alerts/notifications/deliverer.ts'
import { deliveries } from '../../src/alerts/notifications/deliveries.ts'
import { silent, testDatabase } from '../database.ts'
import { eventually } from '../eventually.ts'
import { startReceiver } from './receiver.ts'

const { db } = await testDatabase(t)

const start = (t: Test, options: Pick<DelivererOptions, 'mail' | 'webhook'>) => {
  const deliverer = openDeliverer({ db, log: silent, every: 5, ...options })
  deliverer.start()
  t.teardown(deliverer.stop)
  return deliverer
}

const mailsDue = (count: number) =>
  db.execute(sql`
    insert into notifications (channel, content)
    select 'mail', json_build_object('to', 'm' || n || '@example.org', 'subject', '', 'text', '')
    from generate_series(1, ${count}::int) n`)

t.test('a mail whose server is away for hours arrives once, when it is back', async (t) => {
  await mailsDue(1)
  let away = true
  let attempts = 0
  const sent: string[] = []
  const mail = {
    attempt: async ({ to }: { to: string }) => {
      attempts += 1
      if (away) throw new Error('the mail server did not accept it: ECONNREFUSED')
      sent.push(to)
    },
  }
  const failed = async () => {
    const [row] = await db.execute(sql`select from notifications where error like '%ECONNREFUSED' and next_at > now()`)
    return row !== undefined
  }
  start(t, { mail, webhook: null })
  for (let hour = 1; hour <= 5; hour += 1) {
    await eventually(async () => attempts === hour && (await failed()), `attempt ${hour} failed`)
    if (hour === 5) away = false
    await db.execute(sql`
      update notifications set error = '', next_at = now(), created_at = created_at - interval '1 hour'`)
  }
  await eventually(() => sent.length > 0, 'it is sent')
  await eventually(async () => {
    const [row] = await db.execute(sql`select from notifications where delivered_at is not null and next_at is null`)
    return row !== undefined
  }, 'that is noted')
  t.same(sent, ['m1@example.org'])
})

t.test('a mail server that never answers delays no webhook, however many mails there are', async (t) => {
  const receiver = await startReceiver(t)
  await mailsDue(200)
  let hanging = 0
  const mail = {
    attempt: (): Promise<void> => {
      hanging += 1
      return new Promise(() => {})
    },
  }
  start(t, { mail, webhook: { url: receiver.url, secret: 'a secret' } })
  let max = 0
  await eventually(() => {
    const more = hanging > max || hanging < 50
    max = hanging
    return !more
  }, 'no more mails are taken')
  t.ok(hanging < 100, 'not all of them at once')
  await db.execute(sql`insert into notifications (channel, content) values ('webhook', '{"event": "alert.raised"}')`)
  await eventually(() => receiver.posted.length === 1, 'the webhook is posted')
})

t.test('an alert does not wait for what is mailed to many people before it', async (t) => {
  const { db } = await testDatabase(t)
  await db.execute(sql`
    with alert as (
      insert into alerts (cause, title, description, level) values ('intruder', 'Intruder', '', 'danger') returning id
    ), many as (
      insert into notifications (channel, content, next_at)
      select 'mail', json_build_object('to', 'p' || n || '@example.org'), now() - interval '1 minute' from generate_series(1, 30) n
    )
    insert into notifications (channel, alert_id, content) select 'mail', id, '{"to": "admin@example.org"}' from alert`)
  const taken = (await deliveries(db).claim('mail')).map(({ content }) => content.to)
  t.ok(taken.includes('admin@example.org'), taken.join())
})
