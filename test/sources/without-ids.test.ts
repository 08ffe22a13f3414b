import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import type { FakeCloud } from '../../scripts/fakes/cloud.ts'
import { generateOrganisation } from '../../scripts/fakes/organisation.ts'
import { SourceError } from '../../src/sources/source.ts'
import { silent } from '../database.ts'
import { type Platform, platforms, readAll, snapshotOf } from './platforms.ts'

// One record without an id stops nothing: it is left out, and the snapshot is known to be incomplete.

const organisation = generateOrganisation({ seed: 11, people: 120, departments: 9 })

const idFields: Readonly<Record<Platform['name'], { people: string; departments: string }>> = {
  dingtalk: { people: 'userid', departments: 'dept_id' },
  feishu: { people: 'open_id', departments: 'open_department_id' },
  wecom: { people: 'userid', departments: 'id' },
}

type Row = Record<string, unknown>

/** What an answer has in place of a row of a list. */
type Change = (row: Row) => unknown

/** The answer with each object that is in a list changed, the innermost first. */
const changed = (value: unknown, change: Change): unknown => {
  if (Array.isArray(value))
    return value.map((one: unknown) => {
      const inner = changed(one, change)
      return typeof inner === 'object' && inner !== null && !Array.isArray(inner) ? change(inner as Row) : inner
    })
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, changed(inner, change)]))
}

/** The cloud, with other answers. */
const relay = async (t: Test, cloud: FakeCloud, change: Change): Promise<string> => {
  const server = createServer(async (request, response) => {
    const { method = 'GET', headers } = request
    const passed = Object.entries(headers).filter(([name]) => !['host', 'connection', 'content-length'].includes(name))
    const body = await text(request)
    const answer = await fetch(`${cloud.url}${request.url}`, {
      method,
      headers: passed.map(([name, value]): [string, string] => [name, String(value)]),
      ...(body !== '' && { body }),
    })
    response.end(JSON.stringify(changed(await answer.json(), change)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const opened = async (t: Test, platform: Platform, change: Change) => {
  const cloud = await platform.start({ organisation })
  t.teardown(() => cloud.close())
  const url = await relay(t, cloud, change)
  const source = platform.open({ url, credentials: cloud.credentials }, { log: silent, rates: [] })
  t.teardown(() => source.close())
  return source
}

for (const platform of platforms) {
  const fields = idFields[platform.name]
  const expected = snapshotOf(organisation, platform)
  const victim = expected.users[7]?.id
  const without: Readonly<Record<string, Change>> = {
    'no field': ({ [fields.people]: _, ...row }) => row,
    null: (row) => ({ ...row, [fields.people]: null }),
    'an empty text': (row) => ({ ...row, [fields.people]: '' }),
    'an object': (row) => ({ ...row, [fields.people]: { id: 'x' } }),
    'a fraction': (row) => ({ ...row, [fields.people]: 1.5 }),
    'no record': () => null,
    'a text for a record': () => 'a person',
  }
  for (const [name, spoilt] of Object.entries(without))
    t.test(`${platform.name}: a person with ${name} in place of an id is left out`, async (t) => {
      const source = await opened(t, platform, (row) => (row[fields.people] === victim ? spoilt(row) : row))
      const read = await readAll(source)
      t.same(read.departments, expected.departments)
      t.same(
        read.users,
        expected.users.filter(({ id }) => id !== victim),
      )
      t.ok(read.gaps.length > 0, 'it is known to be incomplete')
      for (const gap of read.gaps) t.match(gap, /^the people of department \S+: some have no id, and are left out$/)
    })

  t.test(`${platform.name}: a department without an id is left out`, async (t) => {
    const leaf = expected.departments.find(({ id }) => !expected.departments.some(({ parentId }) => parentId === id))
    const isLeaf = (row: Row): boolean => String(row[fields.departments]) === leaf?.id && !(fields.people in row)
    const source = await opened(t, platform, (row) => (isLeaf(row) ? { ...row, [fields.departments]: null } : row))
    const read = await readAll(source)
    t.same(
      read.departments,
      expected.departments.filter(({ id }) => id !== leaf?.id),
    )
    t.match(read.gaps, [/the departments.*: some have no id, and are left out/])
  })

  t.test(`${platform.name}: many lists with such people are named in part`, async (t) => {
    const some = new Set<unknown>(expected.users.filter((_, place) => place % 2 === 0).map(({ id }) => id))
    const source = await opened(t, platform, (row) =>
      some.has(row[fields.people]) ? { ...row, [fields.people]: '' } : row,
    )
    const { gaps } = await readAll(source)
    t.equal(gaps.length, 6)
    t.match(gaps.at(-1), /^in \d+ more lists some have no id, and are left out$/)
  })

  t.test(`${platform.name}: where no person has an id, that is no organisation`, async (t) => {
    const source = await opened(t, platform, ({ [fields.people]: _, ...row }) => row)
    const error = await readAll(source).catch((reason: unknown) => reason)
    t.ok(error instanceof SourceError)
    t.match((error as Error).message, `without items with ${fields.people}`)
  })
}

t.test('a status of WeCom counts however it is written', async (t) => {
  const wecom = platforms.find(({ name }) => name === 'wecom')
  if (wecom === undefined) throw new Error('WeCom is not among the platforms')
  const source = await opened(t, wecom, (row) => ('status' in row ? { ...row, status: String(row.status) } : row))
  const { users } = await readAll(source)
  t.same(users, snapshotOf(organisation, wecom).users)
  t.ok(
    users.some(({ active }) => !active),
    'some are disabled',
  )
})
