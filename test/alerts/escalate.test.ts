import { sql } from 'drizzle-orm'
import t from 'tap'
import { escalateOverdue } from '../../src/alerts/escalate.ts'
import { openOutbox } from '../../src/alerts/notifications/outbox.ts'
import { testDatabase } from '../database.ts'

t.test('of very many overdue alerts some are sent at once, the oldest first, and each once', async (t) => {
  const { db } = await testDatabase(t)
  const outbox = openOutbox({ recipients: ['guard@example.org'], webhook: false, timeZone: 'UTC' })
  await db.execute(sql`
    insert into alerts (cause, rule, params, title, description, level, location, times, raised_at)
    select 'cause ' || n, 'deviceOffline', '{}', 'title', 'text', 'danger', '', 1, now() - interval '2 hours'
    from generate_series(1, 1200) n`)
  const sent = async (): Promise<number> =>
    Number((await db.execute<{ count: string }>(sql`select count(distinct alert_id) from notifications`))[0]?.count)
  await escalateOverdue({ db, outbox })
  t.equal(await sent(), 1000)
  await escalateOverdue({ db, outbox })
  t.equal(await sent(), 1200)
  await escalateOverdue({ db, outbox })
  t.equal((await db.execute(sql`select from notifications`)).length, 1200)
})
