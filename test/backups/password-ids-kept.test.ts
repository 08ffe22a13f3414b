import { sql } from 'drizzle-orm'
import t from 'tap'
import { keepPasswordIds } from '../../src/backups/restore/keep-password-ids.ts'
import { testDatabase } from '../database.ts'

t.test('a restored password keeps its id where it is the same one', async (t) => {
  const { db } = await testDatabase(t)
  const [first, second] = ['2026-01-01T00:00:00Z', '2026-02-02T00:00:00Z']
  const [one, other] = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222']
  const insert = (id: number, passwordId: string | null, at: string) => sql`
    insert into users (id, username, username_key, nickname, password_hash, password_id, created_at)
    overriding system value values (${id}, ${`u${id}`}, ${`u${id}`}, 'U', 'hash', ${passwordId}, ${at})`
  const cases = [
    { before: [one, first], restored: [one, first], kept: true, what: 'the same id' },
    { before: [null, first], restored: [null, first], kept: true, what: 'none, as it was not changed for long' },
    { before: [other, first], restored: [one, first], kept: false, what: 'another one since' },
    { before: [other, first], restored: [null, first], kept: false, what: 'changed since, and without an id before' },
    { before: [null, first], restored: [null, second], kept: false, what: 'another person with the same number' },
    { before: null, restored: [null, first], kept: false, what: 'a person who was deleted since' },
  ] as const
  await db.transaction(async (tx) => {
    for (const [index, { before }] of cases.entries())
      if (before !== null) await tx.execute(insert(100 + index, before[0], before[1]))
    await keepPasswordIds(tx, async () => {
      await tx.execute(sql`delete from users where id >= 100`)
      for (const [index, { restored }] of cases.entries())
        await tx.execute(insert(100 + index, restored[0], restored[1]))
    })
    const rows = await tx.execute<{ id: string | null }>(
      sql`select password_id as id from users where id >= 100 order by users.id`,
    )
    for (const [index, { restored, kept, what }] of cases.entries()) {
      const id = rows[index]?.id
      t.equal(id === restored[0], kept, what)
      if (!kept) t.type(id, 'string', what)
    }
  })
})
