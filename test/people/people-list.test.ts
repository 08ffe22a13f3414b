import { sql } from 'drizzle-orm'
import t from 'tap'
import { steward } from '../steward.ts'

const s = await steward(t, { directory: 'none' })
const { call, db, token: admin } = s

type Query = Readonly<Record<string, string | number | boolean>>

const list = async (query: Query = {}, token = admin) => {
  const { code, msg, data } = await call('listPeople', { query, token })
  if (code !== 200) throw new Error(`${code} ${msg}`)
  return data
}
const usernames = async (query: Query, token = admin): Promise<string[]> =>
  (await list({ limit: 200, ...query }, token)).people.map(({ username }) => username)

const add = async (username: string, fields: object = {}): Promise<number> => {
  const body = { username, nickname: username, mail: '', mobile: '', jobNumber: '', departmentId: [], roleIds: [] }
  const { code, msg, data } = await call('addUser', { body: { ...body, ...fields }, token: admin })
  if (code !== 0) throw new Error(msg)
  return data.id
}
const addGroup = async (groupName: string, parentId = 0): Promise<number> => {
  const { data } = await call('addGroup', { body: { groupName, groupType: 'cn', parentId }, token: admin })
  return data.id
}

const company = await addGroup('Company')
const sales = await addGroup('Sales', company)
const people: Record<string, number> = {
  ann: await add('ann', { nickname: 'Twin', mail: 'ann@example.org', departmentId: [sales] }),
  bo: await add('bo', { nickname: 'twin', jobNumber: '100%', departmentId: [company] }),
  cy: await add('cy', { nickname: '王小明', mobile: '13800138000' }),
  dee: await add('dee', { nickname: 'Dee_Dee Long', givenName: 'Dee' }),
  eve: await add('eve', { nickname: 'Twin', roleIds: [2] }),
}
await call('changeUserStatus', { body: { id: people.dee, status: 2 }, token: admin })
await db.execute(sql`update users set source = 'exta', source_user_id = 'x1' where id = ${people.eve}`)

t.test('pages in every order lead through all people once, forth and back', async (t) => {
  for (const sort of ['username', 'name', 'status', 'createdAt', 'updatedAt']) {
    for (const order of ['asc', 'desc']) {
      const whole = await usernames({ sort, order })
      t.equal(whole.length, 6, `${sort} ${order}`)
      const forth: string[] = []
      const pages: string[][] = []
      let cursor: string | null = ''
      while (cursor !== null) {
        const page: Awaited<ReturnType<typeof list>> = await list({ sort, order, limit: 2, cursor })
        pages.push(page.people.map(({ username }) => username))
        forth.push(...(pages.at(-1) ?? []))
        cursor = page.next
        t.equal(page.total, 6)
      }
      t.same(forth, whole, `${sort} ${order}, forth`)
      const last = await list({ sort, order, limit: 4 })
      const third = await list({ sort, order, limit: 2, cursor: last.next ?? '' })
      const second = await list({ sort, order, limit: 2, cursor: third.previous ?? '' })
      t.same(
        second.people.map(({ username }) => username),
        pages[1],
        `${sort} ${order}, back`,
      )
      const first = await list({ sort, order, limit: 2, cursor: second.previous ?? '' })
      t.same(
        first.people.map(({ username }) => username),
        pages[0],
      )
      t.equal(first.previous, null, 'there is nothing before the first page')
      t.ok(first.next)
    }
  }
})

t.test('a search finds a part of any field, and short texts at the beginning of words', async (t) => {
  const found: Record<string, string[]> = {
    'ample.or': ['ann'],
    '00%': ['bo'],
    _: ['dee'],
    e_D: ['dee'],
    小明: ['cy'],
    明: ['cy'],
    '0013800': ['cy'],
    TWIN: ['ann', 'bo', 'eve'],
    lo: ['dee'],
    on: ['dee'],
    an: ['ann'],
    'no such person': [],
    "' or 1=1 --": [],
  }
  for (const [q, expected] of Object.entries(found)) t.same(await usernames({ q }), expected, q)
})

t.test('filters let pass what they name, also together', async (t) => {
  t.same(await usernames({ status: 'disabled' }), ['dee'])
  t.same(await usernames({ role: 2 }), ['eve'])
  t.same(await usernames({ role: 987_654 }), [])
  t.same(await usernames({ source: 'exta' }), ['eve'])
  t.same((await usernames({ source: 'local' })).includes('eve'), false)
  t.same(await usernames({ department: company }), ['bo'])
  t.same(await usernames({ department: company, subtree: true }), ['ann', 'bo'])
  t.same(await usernames({ department: company, subtree: true, q: 'twin', sort: 'username', order: 'desc' }), [
    'bo',
    'ann',
  ])
  await db.execute(sql`
    update directory_entries set next_at = null, error = 'refused: no such syntax' where kind = 'user' and record_id = ${people.ann}`)
  await db.execute(sql`
    update directory_entries set synced_version = version where kind = 'user' and record_id = ${people.bo}`)
  t.same(await usernames({ sync: 'refused' }), ['ann'])
  t.same(await usernames({ sync: 'synced' }), ['bo'])
  t.same(await usernames({ sync: 'waiting' }), ['admin', 'cy', 'dee', 'eve'])
  const [ann] = (await list({ sync: 'refused' })).people
  t.match(ann, {
    sync: { state: 'refused', reason: 'refused: no such syntax' },
    departments: [{ id: sales, name: 'Sales' }],
  })
})

t.test('a cursor of another list, or a text that was made up, is refused', async (t) => {
  const { next } = await list({ limit: 2 })
  const filter = JSON.parse(Buffer.from(next ?? '', 'base64url').toString())[4]
  const forged = (...parts: unknown[]) => Buffer.from(JSON.stringify([...parts, filter])).toString('base64url')
  const cursors = [
    ['name', next ?? ''],
    ['username', 'abc'],
    ['username', forged('username asc', false, 'a\0', 1)],
    ['username', forged('username asc', 'x', 'a', 1)],
    ['createdAt', forged('createdAt asc', false, 'yesterday', 1)],
    ['createdAt', forged('createdAt asc', false, '2026-13-45T99:00:00.000Z', 1)],
    ...['2026-02-30T00:00:00.000Z', '2026-03-01T24:00:00.000Z', '0000-01-01T00:00:00.000Z'].flatMap((day) => [
      ['createdAt', forged('createdAt asc', false, day, 1)],
      ['updatedAt', forged('updatedAt asc', true, day, 1)],
    ]),
    ['status', forged('status asc', false, '1e9', 1)],
    ['status', forged('status asc', false, '1', 1.5)],
  ]
  for (const [sort = '', cursor = ''] of cursors) {
    const reply = await call('listPeople', { query: { sort, cursor }, token: admin })
    t.match(reply, { code: 400, reason: 'db.cursor_unusable', data: [{ field: 'cursor' }] }, cursor)
  }
})

t.test('a cursor is refused with other filters, and taken with other shown attributes', async (t) => {
  const pages = [
    ['listPeople', {}, [{ q: 'n' }, { status: 'enabled' }, { department: company }, { source: 'local' }]],
    ['listPeople', { q: 'n', status: 'enabled' }, [{ q: 'n' }, { status: 'enabled' }, {}]],
    ['listMembers', { member: false }, [{ member: false, q: 'n' }]],
    ['listDepartments', { q: 'a' }, [{ q: 'c' }, {}, { parent: company }]],
  ] as const
  await addGroup('Travel')
  for (const [operation, asked, others] of pages) {
    const page = (query: Record<string, string | number | boolean>) =>
      call(operation, { params: { id: sales }, query, token: admin })
    const { next } = (await page({ ...asked, limit: 1 })).data as { next: string | null }
    if (next === null) throw new Error(`${operation} has one page`)
    for (const other of others) {
      const reply = await page({ ...other, limit: 1, cursor: next })
      t.match(reply, { code: 400, reason: 'db.cursor_unusable' }, `${operation} ${JSON.stringify(other)}`)
    }
    const shown = operation === 'listPeople' ? { show: 'none' } : {}
    t.match(await page({ ...asked, ...shown, limit: 2, cursor: next }), { code: 200 }, operation)
  }
})

t.test('a cursor is taken with a default that is given, and with one that is left out', async (t) => {
  const pair = await addGroup('Pair')
  await call('addGroupUsers', { body: { groupId: pair, userIds: [people.ann, people.bo] }, token: admin })
  const same = [
    ['listPeople', [{}, { subtree: true }, { subtree: false }, { sort: 'username', order: 'asc' }, { q: '' }]],
    ['listPeople', [{ department: pair }, { department: pair, subtree: false }]],
    ['listMembers', [{}, { member: true }]],
  ] as const
  for (const [operation, queries] of same) {
    const page = (query: Record<string, string | number | boolean>) =>
      call(operation, { params: { id: pair }, query: { ...query, limit: 1 }, token: admin })
    for (const one of queries) {
      const { next } = (await page(one)).data as { next: string | null }
      if (next === null) throw new Error(`${operation} has one page`)
      for (const other of queries) {
        const reply = await page({ ...other, cursor: next })
        t.match(reply, { code: 200 }, `${operation} ${JSON.stringify(one)} ${JSON.stringify(other)}`)
      }
    }
  }
})

t.test('lists go on while this release takes the place of the one before', async (t) => {
  const page = await list({ q: 'n', limit: 1 })
  const parts: unknown[] = JSON.parse(Buffer.from(page.next ?? '', 'base64url').toString())
  const [username] = await usernames({ q: 'n' })
  // As the release before compares and writes it.
  t.strictSame(parts.slice(0, 4), ['username asc', false, username, page.people[0]?.id])
  const before = Buffer.from(JSON.stringify(parts.slice(0, 4))).toString('base64url')
  t.same(await list({ q: 'n', cursor: before }), await list({ q: 'n', cursor: page.next ?? '' }))
})

t.test('records say whom the caller may change, by rank', async (t) => {
  const { data } = await call('addRole', { body: { name: 'desk', keyword: 'desk', sort: 3 }, token: admin })
  const entries = (await call('listApis', { token: admin })).data.apis.map(({ id }) => id)
  await call('updateRoleApis', { body: { roleId: data.id, apiIds: entries }, token: admin })
  const desk = await s.person('desk', { roleIds: [data.id] })
  const access = Object.fromEntries(
    (await list({}, desk.token)).people.map(({ username, access }) => [username, access.reason]),
  )
  const refused = 'access.user_too_strong'
  t.same(access, { admin: refused, ann: null, bo: null, cy: null, dee: null, desk: refused, eve: refused })
  for (const [username, reason] of Object.entries(access)) {
    const [{ id = 0 } = {}] = (await list({ q: username })).people.filter((one) => one.username === username)
    const person = await call('getPerson', { params: { id }, token: desk.token })
    t.equal(person.data.access.reason, reason, username)
    const body = { id, status: username === 'dee' ? 2 : 1 }
    const changed = await call('changeUserStatus', { body, token: desk.token })
    t.equal(changed.code, reason === null ? 0 : 403, `${username}: the record says what a change comes to`)
  }
})

t.test('one person is shown with all that a console needs', async (t) => {
  await db.execute(sql`
    insert into throttles (key, locked_until, last_attempt_at) values ('account:cy', now() + interval '5 minutes', now())`)
  await db.execute(sql`insert into second_factors (user_id, secret, confirmed_at) values (${people.cy}, '', now())`)
  const reply = await call('getPerson', { params: { id: people.cy ?? 0 }, token: admin })
  t.match(reply.data, {
    username: 'cy',
    name: '王小明',
    status: 'enabled',
    secondFactor: true,
    sessions: 0,
    lastSignInAt: null,
    entry: { state: 'waiting', cure: 'configure_directory' },
    access: { change: true, reason: null },
  })
  t.ok(Date.parse(reply.data.lockedUntil ?? '') > Date.now())
  const unknown = await call('getPerson', { params: { id: 987_654 }, token: admin })
  t.match(unknown, { code: 404, reason: 'db.user_not_found' })
  const own = await call('getPerson', { params: { id: 1 }, token: admin })
  t.equal(own.data.sessions, 1)
  t.ok(own.data.lastSignInAt)
})

t.test('a list of more than ten thousand says so, and its pages go on', async (t) => {
  await db.execute(sql`
    insert into users (username, username_key, nickname) select 'mass' || n, 'mass' || n, 'Mass ' || n % 7
    from generate_series(1, 10050) n`)
  const first = await list({ q: 'mass', sort: 'name', limit: 200 })
  t.match(first, { total: 10_000, totalIsExact: false })
  const seen = new Set(first.people.map(({ id }) => id))
  let cursor = first.next
  while (cursor !== null) {
    const page: typeof first = await list({ q: 'mass', sort: 'name', limit: 200, cursor })
    for (const { id } of page.people) seen.add(id)
    cursor = page.next
  }
  t.equal(seen.size, 10_050)
  t.match(await list({ q: 'mass 3' }), { total: 1436, totalIsExact: true })
})

t.test('a page whose people are gone leads back to those who are there', async (t) => {
  for (const sort of ['username', 'name', 'status', 'createdAt', 'updatedAt']) {
    for (const order of ['asc', 'desc']) {
      const query = { q: `gone-${sort}-${order}`, sort, order, limit: 2 }
      for (let n = 1; n <= 6; n++) await add(`gone-${sort}-${order}-${n}`)
      const whole = (await list({ ...query, limit: 6 })).people.map(({ id }) => id)
      const remove = async (...userIds: (number | undefined)[]) =>
        t.match(await call('deleteUsers', { body: { userIds: userIds as number[] }, token: admin }), { code: 0 })
      const page = async (cursor: string | null) => {
        const { people, next, previous } = await list({ ...query, cursor: cursor ?? '' })
        return { ids: people.map(({ id }) => id), next, previous }
      }
      const second = await page((await page('')).next)
      t.same(second.ids, whole.slice(2, 4), `${sort} ${order}`)
      await remove(whole[4], whole[5])
      const after = await page(second.next)
      t.match(after, { ids: [], next: null })
      t.same((await page(after.previous)).ids, second.ids, 'with the last one before it')
      await remove(whole[0], whole[1])
      const before = await page(second.previous)
      t.match(before, { ids: [], previous: null })
      t.same((await page(before.next)).ids, second.ids, 'with the first one after it')
      await remove(whole[2], whole[3])
      const none = await page(after.previous)
      t.match(none, { ids: [], previous: null })
      t.match(await page(none.next), { ids: [], next: null }, 'where no one is left it ends')
    }
  }
})
