import { sql } from 'drizzle-orm'
import t from 'tap'
import { departmentsOf } from '../../src/sources/platform/json.ts'
import type { SourceDepartment, SourceUser } from '../../src/sources/source.ts'
import { testDatabase } from '../database.ts'
import { engine } from './engine-service.ts'
import { crowd, department, departments, people } from './small-organisation.ts'

// Sources that people work with while they are read, and sources that contradict themselves.

const database = await testDatabase(t)

t.test('a person whom a source lists as there and as gone is not disabled, in whatever order', async (t) => {
  const { run, source, sources, db } = await engine(t, { database, organisation: people(...crowd(3)) })
  await run('users')
  const listed = (name: string, active: boolean): SourceUser => ({
    ...{ id: 'p1', unionId: 'union-p1', departmentIds: ['root'], active },
    record: { id: 'p1', name },
  })
  for (const [there, gone] of [
    ['A', 'B'],
    ['B', 'A'],
  ] as const) {
    for (const records of [
      [listed(there, true), listed(gone, false)],
      [listed(gone, false), listed(there, true)],
    ]) {
      sources.exta = {
        ...source,
        async *users(reading) {
          yield* source.users(reading)
          for (const record of records) yield [record]
        },
      }
      source.organisation = people(...crowd(3).slice(1))
      t.match(await run('users'), { state: 'done', disabled: 0 })
      const [row] = await db.execute(sql`select status, nickname from users where source_user_id = 'p1'`)
      t.match(row, { status: 1, nickname: there })
    }
  }
})

t.test('a person is in the departments that their own record names', async (t) => {
  t.strictSame(departmentsOf([2, '3'], ['2']), ['2', '3'])
  t.strictSame(departmentsOf([3], ['2']), ['3'], 'not in that for which the people of another one were answered')
  t.strictSame(departmentsOf(3, []), ['3'])
  for (const none of [undefined, null, []]) t.strictSame(departmentsOf(none, ['2']), ['2'])
})

t.test('a department that moves into a new one while they are read gets there, and not below the root', async (t) => {
  const [a, b] = [department('a', 'A'), department('b', 'B', 'a')]
  const { run, source, sources, db } = await engine(t, { database, organisation: departments(a, b) })
  await run('groups')
  let reading = 0
  sources.exta = {
    ...source,
    async *departments() {
      const place = (id: string, parentId: string): SourceDepartment => ({ id, parentId, record: { id, name: id } })
      reading += 1
      // What is below the root was read before the new one was made there, and what is below A after B had moved.
      yield reading === 1 ? [place('a', 'root')] : [place('a', 'root'), place('new', 'root'), place('b', 'new')]
    },
  }
  t.match(await run('groups'), { state: 'done', added: 1, moved: 1, disabled: 0 })
  const rows = await db.execute(sql`
    select g.source_dept_id as id, p.source_dept_id as above from groups g join groups p on p.id = g.parent_id
    where g.source = 'exta' order by g.source_dept_id`)
  t.strictSame(
    rows.map(({ id, above }) => `${id} below ${above}`),
    ['a below root', 'b below new', 'new below root'],
  )
})
