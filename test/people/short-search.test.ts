import { sql } from 'drizzle-orm'
import t from 'tap'
import { groupRecords } from '../../src/people/group-records.ts'
import { peopleRecords } from '../../src/people/people-records.ts'
import { userRecords } from '../../src/people/user-records.ts'
import { testDatabase } from '../database.ts'

const database = await testDatabase(t)
const { db } = database
const people = peopleRecords(db)
const users = userRecords(db)
const administrator = 1

/** Texts of few characters, so that all pairs occur: in both cases, outside ASCII, and those that mean something to SQL. */
const characters = ['a', 'A', 'b', 'Ä', 'ä', 'ß', 'İ', '王', '伟', ' ', '%', '_', '\\', '.', '🙂']
const random = (() => {
  let state = 7
  return (below: number): number => {
    state = (state * 48_271) % 2_147_483_647
    return state % below
  }
})()
const text = (longest: number): string =>
  Array.from({ length: random(longest + 1) }, () => characters[random(characters.length)]).join('')

const rows = Array.from({ length: 400 }, (_, n) => ({
  username: `${text(2)}x${n}`,
  nickname: text(6) || 'a',
  given_name: text(4),
  mail: text(2) && `${text(2)}@${n}`,
  mobile: random(2) ? `+49 ${text(2)} ${n}` : '',
  job_number: random(3) ? `${text(2)}-${n}` : '',
}))
await db.execute(sql`
  insert into users (username, username_key, nickname, given_name, mail, mobile, job_number)
  select username, 'key' || row_number() over (), nickname, given_name, mail, mobile, job_number
  from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
    as r (username text, nickname text, given_name text, mail text, mobile text, job_number text)`)

/** As the comment of `q` in the contract says it, with PostgreSQL's own comparison and no index. */
const idsOf = async (condition: ReturnType<typeof sql>): Promise<number[]> => {
  const found = await db.execute<{ id: string }>(sql`select id from users where ${condition} order by id desc`)
  return found.map(({ id }) => Number(id))
}
const like = (q: string): string => q.replace(/[\\%_]/g, '\\$&')
const shortly = (q: string) => {
  const others = ['username', 'given_name', 'mail', 'mobile', 'job_number'].map(
    (name) => sql`${sql.raw(name)} ilike ${`${like(q)}%`} or ${sql.raw(name)} ilike ${`% ${like(q)}%`}`,
  )
  return sql`nickname ilike ${`%${like(q)}%`} or ${sql.join(others, sql` or `)}`
}

const queries = [...characters, ...characters.flatMap((one) => characters.map((other) => one + other))]

t.test('a search for one or two characters finds those whom a comparison of each text finds', async (t) => {
  let found = 0
  for (const q of queries) {
    const expected = await idsOf(shortly(q))
    const ids: number[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const query = { limit: 150, sort: 'createdAt', order: 'desc', ...(cursor && { cursor }) } as const
      const page: Awaited<ReturnType<typeof people.page>> = await people.page({ q }, query, administrator)
      ids.push(...page.people.map(({ id }) => id))
      if (page.total !== expected.length) t.equal(page.total, expected.length, `total of ${q}`)
      cursor = page.next
    }
    if (ids.join() !== expected.join()) t.same(ids, expected, q)
    found += ids.length
  }
  t.ok(found > 4000, `${found} hits were compared`)
})

t.test('so does the filter of a nickname of the contract, on each page', async (t) => {
  let found = 0
  for (const q of queries.filter((one) => one !== ' ')) {
    const expected = await idsOf(sql`nickname ilike ${`%${like(q)}%`}`)
    const ids: number[] = []
    do {
      const page = await users
        .page({ nickname: q }, { limit: 60, offset: ids.length })
        .then(({ json }) => JSON.parse(json))
      ids.push(...page.users.map(({ id }: { id: number }) => id))
      if (page.total !== expected.length) t.equal(page.total, expected.length, `total of ${q}`)
    } while (ids.length % 60 === 0 && ids.length > 0 && ids.length < expected.length)
    if (ids.join() !== expected.join()) t.same(ids, expected, q)
    found += ids.length
  }
  t.ok(found > 2000, `${found} hits were compared`)
})

t.test('numbered pages of any size lead through all records once, and beyond the end there is nothing', async (t) => {
  const all = await idsOf(sql`true`)
  const ofPage = async (limit: number, offset: number): Promise<number[]> => {
    const { json } = await users.page({}, { limit, offset })
    const { total, users: listed } = JSON.parse(json)
    if (total !== all.length) t.equal(total, all.length)
    return listed.map(({ id }: { id: number }) => id)
  }
  for (const limit of [1, 7, 199, 200, 201, 399, 400, 401, 1000]) {
    const step = Math.max(limit, 13)
    for (let offset = 0; offset <= all.length + 2 * step; offset += step) {
      const page = await ofPage(limit, offset)
      const expected = all.slice(offset, offset + limit)
      if (page.join() !== expected.join()) t.same(page, expected, `${limit} from ${offset}`)
    }
  }
  const disabled = all.filter((_, index) => index % 3 === 0)
  await db.execute(
    sql`update users set status = 2 where id in (select jsonb_array_elements_text(${JSON.stringify(disabled)}::jsonb)::bigint)`,
  )
  for (const offset of [0, 50, 66, 67, 68, 130, 133, 134, 1000]) {
    const { json } = await users.page({ status: 2 }, { limit: 10, offset })
    const { total, users: listed } = JSON.parse(json)
    t.equal(total, disabled.length)
    t.same(
      listed.map(({ id }: { id: number }) => id),
      disabled.slice(offset, offset + 10),
      `disabled people from ${offset}`,
    )
  }
})

t.test('so do those of groups and of the people in them', async (t) => {
  await db.execute(sql`
    insert into groups (group_name, group_name_key, group_type) select 'g' || n, 'g' || n, 'cn' from generate_series(1, 41) n`)
  await db.execute(sql`
    insert into group_members (group_id, user_id)
    select (select min(id) from groups), id from users order by id limit 30`)
  const groups = groupRecords(db)
  const [first] = await db.execute<{ id: string }>(sql`select min(id) as id from groups`)
  const groupId = Number(first?.id)
  const pages = async (read: (offset: number) => Promise<{ total: number; ids: number[] }>, total: number) => {
    const ids: number[] = []
    for (let offset = 0; offset < total + 22; offset += 11) {
      const page = await read(offset)
      t.equal(page.total, total)
      ids.push(...page.ids)
    }
    t.equal(new Set(ids).size, total)
    t.same(
      ids,
      ids.toSorted((a, b) => b - a),
      'newest first',
    )
  }
  await pages(async (offset) => {
    const { total, groups: listed } = await groups.page({}, { limit: 11, offset })
    return { total, ids: listed.map(({ id }) => id) }
  }, 41)
  for (const [are, total] of [
    ['in', 30],
    ['not in', 370],
  ] as const) {
    await pages(async (offset) => {
      const found = await groups.members({ groupId, are }, { limit: 11, offset })
      if (!found?.page) throw new Error('a page was expected')
      return { total: found.page.total, ids: found.page.userList.map(({ userId }) => userId) }
    }, total)
  }
})

t.test('a common pair is found also where all who have it come last in the order', async (t) => {
  await db.execute(sql`
    insert into users (username, username_key, nickname)
    select name, name, name from generate_series(1, 22000) n,
      concat(case when n > 11000 then 'zq' else 'aa' end, n) as name`)
  await db.execute(sql`analyze users`)
  const query = { limit: 3, sort: 'name' } as const
  const first = await people.page({ q: 'zq' }, query, administrator)
  t.match(first, { total: 10_000, totalIsExact: false })
  t.same(
    first.people.map(({ name }) => name),
    ['zq11001', 'zq11002', 'zq11003'],
  )
  const second = await people.page({ q: 'zq' }, { ...query, cursor: first.next ?? '' }, administrator)
  t.same(
    second.people.map(({ name }) => name),
    ['zq11004', 'zq11005', 'zq11006'],
  )
  const back = await people.page({ q: 'zq' }, { ...query, cursor: second.previous ?? '' }, administrator)
  t.same(
    back.people.map(({ name }) => name),
    ['zq11001', 'zq11002', 'zq11003'],
  )
})
