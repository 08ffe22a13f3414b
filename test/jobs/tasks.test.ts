import { sql } from 'drizzle-orm'
import t from 'tap'
import { AppError } from '../../src/failures/errors.ts'
import { reasons } from '../../src/failures/reasons.ts'
import { openTasks } from '../../src/jobs/tasks.ts'
import { silent, testDatabase } from '../database.ts'

const database = await testDatabase(t)
const { db } = database
const tasks = openTasks({ database, log: silent })
const rowOf = async (id: number) => {
  const [row] = await db.execute(sql`select * from tasks where id = ${id}`)
  return row
}

t.test('a task is written as it goes on, and known here at once', async (t) => {
  let changes = 0
  const stop = tasks.onProgress(() => {
    changes += 1
  })
  const task = await tasks.begin({ kind: 'backup', creator: 'ann', backupId: 7 })
  if (task === null) throw new Error('it did not begin')
  t.match(await rowOf(task.id), { kind: 'backup', state: 'running', creator: 'ann', backup_id: '7' })
  for (let n = 1; n <= 1000; n += 1) task.note('writing', n, 1000)
  const own = { id: task.id, kind: 'backup', creator: 'ann', backupId: 7 }
  t.match(tasks.own(), [{ ...own, phase: 'writing', done: 1000, total: 1000 }])
  t.equal(changes, 1001)
  let row = await rowOf(task.id)
  while (row?.done !== '1000') row = await rowOf(task.id)
  t.match(row, { phase: 'writing', total: '1000', state: 'running' })
  await task.end({ state: 'done', result: { found: 1 } })
  t.match(await rowOf(task.id), { state: 'done', phase: '', done: '1000', result: { found: 1 } })
  t.same(tasks.own(), [])
  stop()
})

t.test('a task ends as its work does, and tells only what is meant for callers', async (t) => {
  t.equal(await tasks.carryOut({ kind: 'check', creator: 'ann' }, async () => 5), 5)
  const failing = (error: Error) =>
    t.rejects(
      tasks.carryOut({ kind: 'check', creator: 'ann' }, () => Promise.reject(error)),
      error,
    )
  await failing(new Error('password=secret'))
  await failing(reasons.busy())
  const rows = await db.execute(sql`select state, message from tasks where kind = 'check' order by id`)
  t.match(rows, [
    { state: 'done', message: '' },
    { state: 'failed', message: 'internal error; see the log' },
    { state: 'failed', message: reasons.busy().message },
  ])
  t.ok(reasons.busy() instanceof AppError)
})

t.test('one verification at a time; that of an instance that is gone does not count', async (t) => {
  const other = openTasks({ database, log: silent })
  const [first, second] = await Promise.all(
    [tasks, other].map((each) => each.begin({ kind: 'verification', creator: 'ann' })),
  )
  t.equal([first, second].filter((task) => task !== null).length, 1)
  const task = first ?? second
  await db.execute(sql`update tasks set lease_until = now() - interval '1 second' where id = ${task?.id}`)
  const next = await other.begin({ kind: 'verification', creator: 'bea' })
  t.not(next, null)
  t.match(await rowOf(task?.id ?? 0), { state: 'failed', message: 'the instance that ran it has stopped' })
  await task?.end({ state: 'done' })
  t.match(await rowOf(task?.id ?? 0), { state: 'failed' }, 'what another has ended stays so')
  await next?.end({ state: 'done' })
})
