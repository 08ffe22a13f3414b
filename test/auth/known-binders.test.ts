import t from 'tap'
import { openKnownBinders } from '../../src/auth/known-binders.ts'
import { sweep } from '../../src/auth/sweep.ts'
import { knownBinders } from '../../src/db/schema.ts'
import { countingDatabase } from '../counting-database.ts'
import { testDatabase } from '../database.ts'

const day = 86_400_000
const began = Date.parse('2026-06-01T08:00:00Z')
const ann = { name: 'account:ann', subscriber: '192.0.2.1' }

t.test('who bound once is known for 90 days, from there alone, whichever instance is asked', async (t) => {
  const { db } = await testDatabase(t)
  let now = began
  const clock = () => now
  const here = openKnownBinders(db, clock)
  t.equal(await here.has(ann), false)
  await here.note(ann)
  const elsewhere = openKnownBinders(db, clock)
  for (const instance of [here, elsewhere]) {
    t.equal(await instance.has(ann), true)
    t.equal(await instance.has({ ...ann, subscriber: '192.0.2.2' }), false)
    t.equal(await instance.has({ ...ann, name: 'account:bob' }), false)
  }
  now += 89 * day
  for (const instance of [here, elsewhere]) t.equal(await instance.has(ann), true)
  await here.note(ann)
  now += 89 * day
  for (const instance of [here, elsewhere, openKnownBinders(db, clock)]) t.equal(await instance.has(ann), true)
  now += 2 * day
  for (const instance of [here, elsewhere]) t.equal(await instance.has(ann), false)
})

t.test('it is written once a day, and forgotten after 90 days', async (t) => {
  const database = countingDatabase(await testDatabase(t))
  const { db } = database
  let now = began
  const known = openKnownBinders(db, () => now)
  const written = async (): Promise<number> => {
    const statements = await database.during(async () => {
      for (let n = 0; n < 5; n++) await known.note(ann)
    })
    return statements.length
  }
  t.equal(await written(), 1)
  now += day / 2
  t.equal(await written(), 0)
  now += day
  t.equal(await written(), 1)
  await sweep(db, new Date(now + 89 * day))
  t.match(await db.select().from(knownBinders), [{ ...ann, lastBoundAt: new Date(now) }])
  await sweep(db, new Date(now + 91 * day))
  t.same(await db.select().from(knownBinders), [])
})
