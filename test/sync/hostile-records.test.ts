import t from 'tap'
import type { FakePerson, Organisation } from '../../scripts/fakes/organisation.ts'
import { withoutRepeats } from '../../src/sync/versions.ts'
import { testDatabase } from '../database.ts'
import { engine } from './engine-service.ts'

const database = await testDatabase(t)

const person = (id: string, more: Partial<FakePerson> = {}): FakePerson =>
  ({ id, unionId: '', name: id, departmentIds: [''], state: 'active', ...more }) as FakePerson

const long = Array.from({ length: 100_000 }, (_, index) => String.fromCharCode(97 + ((index * index) % 26))).join('')

t.test('a record with an id that no index takes is left out, named in the report, and stops no other', async (t) => {
  const organisation = {
    departments: [
      { id: long, parentId: null, name: 'Long' },
      { id: 'sales', parentId: long, name: 'Sales' },
    ],
    people: [person(long), person('a\0'), person('ann', { unionId: long, departmentIds: ['sales', long] })],
  } as unknown as Organisation
  const { both } = await engine(t, { organisation, database })
  const { groups, users } = await both()
  const problem = (records: string) => ({ stated: { code: 'sync.ids_unusable', params: { records } } })
  t.match(groups, { state: 'done', added: 2, problems: [problem('1')] })
  t.match(users, { state: 'done', added: 1, problems: [problem('2')] })
})

t.test('versions of records are told apart in a time that grows with their number', async (t) => {
  const version = (name: string, departmentIds: string[]) => ({ sourceId: 'x', departmentIds, fields: { name } })
  const many = Array.from({ length: 20_000 }, (_, index) => version(`name ${index}`, ['a']))
  const began = performance.now()
  t.equal(withoutRepeats(many).length, many.length)
  t.ok(performance.now() - began < 2000)
  t.strictSame(
    withoutRepeats([
      version('a', ['1', '2']),
      version('b', ['1']),
      { ...version('a', ['1']), sourceId: 'y' },
      version('a', ['0', '2']),
    ]),
    [[version('a', ['0', '1', '2']), { ...version('a', ['1']), sourceId: 'y' }], [version('b', ['1'])]],
  )
})
