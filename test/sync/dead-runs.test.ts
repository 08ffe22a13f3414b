import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import t from 'tap'
import { runs } from '../../src/db/schema.ts'
import { closeDeadRuns } from '../../src/sync/lease.ts'
import { testDatabase } from '../database.ts'

t.test('a run whose instance is gone leaves neither its progress nor its lease behind', async (t) => {
  const { db, reset } = await testDatabase(t)
  await reset()
  await db.insert(runs).values({
    ...{ source: 'exta', kind: 'users', state: 'running', exclusive: true, creator: 'admin' },
    ...{ phase: 'applying', progress: 1000, progressOf: 2500 },
    ...{ leaseOwner: randomUUID(), leaseUntil: sql`now() - interval '1 second'` },
  })
  await closeDeadRuns(db, async () => {})
  t.match(await db.select().from(runs), [
    {
      ...{ state: 'failed', phase: '', progress: 0, progressOf: null, finishedAt: Date },
      ...{ leaseOwner: null, leaseUntil: null, problems: { length: 1 } },
    },
  ])
})
