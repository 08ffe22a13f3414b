import { sql } from 'drizzle-orm'
import t from 'tap'
import type { Db } from '../../src/db/client.ts'
import { runs } from '../../src/db/schema.ts'
import { mirroring } from '../../src/sync/mirroring.ts'
import { testDatabase } from '../database.ts'

const { db } = await testDatabase(t)

/** A run that changed two people whose entries the directory has refused. */
const refusedRun = async (): Promise<number> => {
  await db.delete(runs)
  const [run] = await db
    .insert(runs)
    .values({ kind: 'users', source: 'extldap', state: 'running' })
    .returning({ id: runs.id })
  const id = Number(run?.id)
  await db.execute(sql`
    insert into run_changes (run_id, seq, action, source_id, record_id, name, name_key, state)
    select ${id}, n, 'add', n::text, n, 'p' || n, 'p' || n, 'done' from generate_series(1, 2) n`)
  await db.execute(sql`
    insert into directory_entries (kind, record_id, version, next_at, error)
    select 'user', n, 2, null, 'no such class' from generate_series(1, 2) n
    on conflict (directory, kind, record_id) do nothing`)
  return id
}

t.test('an entry that becomes due again while the refused ones are marked is waited for', async (t) => {
  const id = await refusedRun()
  const becomeDue = sql`update directory_entries set next_at = now() where record_id = 2`
  const refuseAgain = sql`update directory_entries set next_at = null where record_id = 2`
  let asked = 0
  const inBetween = {
    execute: async (statement: Parameters<Db['execute']>[0]) => {
      asked += 1
      // After the first count, and once it was seen that one of them waits again.
      if (asked === 2) await db.execute(becomeDue)
      if (asked === 4) await db.execute(refuseAgain)
      return db.execute(statement)
    },
  } as unknown as Db
  const seen: string[] = []
  const problems = await mirroring(inBetween, 'users', {
    id,
    signal: new AbortController().signal,
    progress: (step, done, of) => void seen.push(`${step} ${done} of ${of}`),
  } as Parameters<typeof mirroring>[2])
  t.same(problems, [])
  const states = await db.execute(sql`select state, reason from run_changes where run_id = ${id} order by seq`)
  const refused = { state: 'failed', reason: 'the directory refused it: no such class' }
  t.same([...states], [refused, refused])
  t.same(seen, ['mirroring 2 of 2', 'mirroring 1 of 2', 'mirroring 2 of 2'])
})

t.test('entries that the directory refuses for now are named, and the others counted', async (t) => {
  const id = await refusedRun()
  const error = { code: 'mirror.name_held', params: {}, text: 'its name is still taken by another record' }
  await db.execute(sql`
    update directory_entries set next_at = now() + interval '1 hour', attempts = record_id - 1, error = ${error.text},
      stated = ${JSON.stringify(error)}::jsonb`)
  const problems = await mirroring(db, 'users', {
    id,
    signal: new AbortController().signal,
    progress: () => {},
  } as unknown as Parameters<typeof mirroring>[2])
  t.match(problems, [
    { step: 'directory', sourceId: '', stated: { code: 'sync.directory_behind', params: { records: '2' } } },
    { step: 'directory', sourceId: '2', name: 'p2', reason: /not yet in the directory: its name is still taken/ },
  ])
  t.equal(problems.length, 2)
})
