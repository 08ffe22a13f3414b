import { sql } from 'drizzle-orm'
import t from 'tap'
import type { RecordKind } from '../../src/mirror/touch.ts'
import { declaredOf } from '../../src/people/attributes/declared.ts'
import { forgetStrayValues, retire } from '../../src/people/attributes/retire.ts'
import { compileMapping } from '../../src/sync/mapping/compile.ts'
import { declaredFields } from '../../src/sync/mapping/relations.ts'
import { testDatabase } from '../database.ts'
import { admin, engine } from './engine-service.ts'
import { department, person } from './small-organisation.ts'

t.test('a source fills declared attributes, first and again, and leaves those alone that changed here', async (t) => {
  const database = await testDatabase(t)
  const organisation = { departments: [department('d1', 'Any')], people: [person('p1')] }
  const { db, run } = await engine(t, { database, organisation, wins: 'local' })
  const declare = (kind: string, name: string, type: string, multiple = false) =>
    db.execute(sql`insert into declared_attributes (kind, name, label_en, label_zh, type, multiple, maximum)
      values (${kind}, ${name}, 'x', 'x', ${type}, ${multiple}, ${name === 'shoeSize' ? 50 : null})`)
  await declare('user', 'shoeSize', 'integer')
  await declare('user', 'tags', 'text', true)
  await declare('group', 'budget', 'integer')
  const relate = (flag: string, more: object) =>
    db.execute(
      sql`update field_relations set attributes = attributes || ${JSON.stringify(more)}::jsonb where flag = ${flag}`,
    )
  const here = async () => {
    const rows = await db.execute<{ values: object }>(sql`
      select attributes as values from users where source_user_id = 'p1'
      union all select attributes from groups where source_dept_id = 'd1'`)
    return rows.map(({ values }) => values)
  }

  await relate('exta_user', { shoeSize: '"042"', tags: '"red"' })
  await relate('exta_group', { budget: '"100"' })
  t.match(await run('groups'), { added: 2, problems: { length: 0 } })
  t.match(await run('users'), { added: 1, problems: { length: 0 } })
  t.same(await here(), [{ shoeSize: ['42'], tags: ['red'] }, { budget: ['100'] }])
  t.match(await run('users'), { unchanged: 1 }, 'a second run has nothing to do')
  t.match(await run('groups'), { updated: 0, moved: 0 })

  await db.execute(sql`update users set attributes = attributes || '{"tags": ["blue", "green"]}'`)
  await relate('exta_user', { shoeSize: '"43"', tags: '"black"' })
  await relate('exta_group', { budget: '"200"' })
  t.match(await run('users'), { updated: 1 })
  t.match(await run('groups'), { updated: 1 })
  t.same(await here(), [{ shoeSize: ['43'], tags: ['blue', 'green'] }, { budget: ['200'] }])

  await relate('exta_user', { shoeSize: '"51"' })
  const report = await run('users')
  t.match(report.problems, [{ step: 'mapping', reason: 'shoeSize: must be at most 50' }])
  t.same((await here())[0], { shoeSize: ['43'], tags: ['blue', 'green'] }, 'what cannot be stored changes nothing')

  const map = compileMapping(
    'users',
    { username: 'u', tags: 'list', shoeSize: 'size' },
    await declaredFields(db, 'users'),
  )
  t.same(map({ u: 'ann', list: ['x', 2, 'X', null], size: ' 7' }).fields, {
    username: 'ann',
    tags: 'x\n2',
    shoeSize: '7',
  })
  t.match(map({ u: 'ann', list: [['x']], size: [1] }).problems, [{ field: 'shoeSize' }, { field: 'tags' }])
})

t.test(
  'an attribute that has got the name of a removed one takes no values that were planned for that one',
  async (t) => {
    const database = await testDatabase(t)
    const organisation = { departments: [department('d1', 'Any')], people: [person('p1'), person('p2')] }
    const { db, run, source, importer, planHash } = await engine(t, { database, organisation })
    const declare = async (type: string): Promise<void> => {
      for (const kind of ['user', 'group']) {
        await db.execute(sql`insert into declared_attributes (kind, name, label_en, label_zh, type)
        values (${kind}, 'badge', 'x', 'x', ${type})`)
      }
    }
    const values = async () => {
      const rows = await db.execute<{ values: object }>(sql`
      select attributes as values from users where source <> ''
      union all select attributes from groups where source_dept_id <> ''`)
      return rows.map(({ values }) => values).filter((each) => Object.keys(each).length > 0)
    }
    await run('users')
    source.organisation = { ...organisation, people: [...organisation.people, person('p3')] }
    await declare('text')
    await db.execute(sql`update field_relations set attributes = attributes || '{"badge": "name"}'`)
    source.gaps = ['a page is missing']
    const held = [await run('groups'), await run('users')]
    t.match(held, [{ state: 'held' }, { state: 'held', held: 3 }])
    await db.execute(sql`delete from declared_attributes`)
    await declare('integer')
    for (const { runId } of held) {
      t.match(await importer.confirm(runId, await planHash(runId), admin), { state: 'done', failed: 0 })
    }
    t.same(await values(), [])
  },
)

for (const between of ['a run', 'the confirmation of an older plan']) {
  t.test(
    `an attribute that has got the name of a removed one is filled after ${between}, also where what is changed here wins`,
    async (t) => {
      const database = await testDatabase(t)
      const organisation = { departments: [department('d1', 'Any')], people: [person('p1')] }
      const { db, run, source, importer, planHash } = await engine(t, { database, organisation, wins: 'local' })
      const kinds: readonly RecordKind[] = ['user', 'group']
      const declare = () =>
        db.transaction(async (tx) => {
          for (const kind of kinds) {
            await tx.execute(sql`insert into declared_attributes (kind, name, label_en, label_zh, type)
            values (${kind}, 'badge', 'x', 'x', 'text')`)
            await forgetStrayValues(tx, kind, 'badge')
          }
        })
      const remove = () =>
        db.transaction(async (tx) => {
          for (const kind of kinds) for (const each of await declaredOf(tx, kind)) await retire(tx, each)
        })
      const relate = () => db.execute(sql`update field_relations set attributes = attributes || '{"badge": "name"}'`)
      const runs = async () => [await run('groups'), await run('users')]
      await runs()
      await declare()
      await relate()
      if (between !== 'a run') source.gaps = ['a page is missing']
      const planned = await runs()
      await remove()
      await declare()
      for (const { runId, state } of planned) {
        if (state === 'held') await importer.confirm(runId, await planHash(runId), admin)
      }
      await relate()
      source.gaps = []
      await runs()
      const filled = await db.execute<{ badge: string }>(sql`
      select attributes->'badge'->>0 as badge from users where source_user_id = 'p1'
      union all select attributes->'badge'->>0 from groups where source_dept_id = 'd1'`)
      t.same(
        filled.map(({ badge }) => badge),
        ['Name of p1', 'Any'],
      )
    },
  )
}
