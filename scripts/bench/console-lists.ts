import { sql } from 'drizzle-orm'
import { type Db, openDatabase } from '../../src/db/client.ts'
import { departmentRecords } from '../../src/people/department-records.ts'
import { peopleRecords } from '../../src/people/people-records.ts'
import { silent } from '../../test/database.ts'
import { startPostgres } from '../../test/postgres-server.ts'
import { median, onStage, report, type Stage, timed, type Verdict } from './stage.ts'

/**
 * The console's lists with many people against the same lists with 1000 people and 100 departments, on one server in
 * one run. Both databases are asked in turn, so that whatever else the machine does hits both.
 *
 * npm run bench:console-lists -- 1000000 100000
 */
const [people = 100_000, departments = 10_000] = process.argv.slice(2).map(Number)
const rounds = 25
const goal = 2
const administrator = 1

interface Size {
  people: number
  departments: number
}

/** Each department has ten below it; each person is in one, and every hundredth is disabled. */
const fill = async (db: Db, size: Size): Promise<void> => {
  await db.execute(sql`
    insert into groups (group_name, group_name_key, group_type, parent_id)
    select 'Department ' || n, 'department ' || n, 'cn', null from generate_series(1, ${size.departments}::int) n`)
  await db.execute(sql`
    update groups set parent_id = (id - 2) / 10 + 1 where id > 1`)
  await db.execute(sql`
    insert into users (username, username_key, nickname, mail, mobile, job_number, status)
    select 'user' || n, 'user' || n,
      substr('王李张刘陈杨黄赵周吴徐孙马朱胡', 1 + n % 15, 1) || substr('伟芳娜敏静丽强磊军洋', 1 + n / 15 % 10, 1)
        || substr('明华平玉兰英国文', 1 + n / 150 % 8, 1) || ' ' || n,
      'user' || n || '@example.org', '+49 30 ' || 1000000 + n, n::text, case when n % 100 = 0 then 2 else 1 end
    from generate_series(1, ${size.people}::int) n`)
  await db.execute(sql`
    insert into group_members (group_id, user_id) select 1 + id % ${size.departments}::int, id from users`)
  await db.execute(sql`
    insert into roles (name, keyword, sort) values ('admin', 'admin', 1), ('user', 'user', 3), ('few', 'few', 5)`)
  await db.execute(sql`insert into user_roles (user_id, role_id) select id, 2 from users`)
  await db.execute(sql`insert into user_roles (user_id, role_id) select id, 3 from users where id <= 20`)
  await db.execute(sql`
    insert into directory_entries (kind, record_id, version, synced_version, next_at, dn)
    select 'user', id, 1, case when id % 500 = 0 then 0 else 1 end, null, 'uid=' || username || ',ou=people,dc=x' from users`)
  await db.execute(sql`vacuum analyze`)
}

const open = async (stage: Stage, size: Size): Promise<Db> => {
  const server = await startPostgres()
  stage.teardown(() => server.dispose())
  const database = await openDatabase({ url: server.url, dataDir: '', log: silent })
  stage.teardown(() => database.close())
  await fill(database.db, size)
  return database.db
}

/** Every way a console asks, and the cursor of a page in the middle of the list. */

const listsOf = async (db: Db, size: Size): Promise<Record<string, () => Promise<unknown>>> => {
  const records = peopleRecords(db)
  const tree = departmentRecords(db)
  const ask =
    (filter: object, query: object = {}, rank = administrator) =>
    () =>
      records.page(filter, query, rank)
  const far = { sort: 'name', order: 'desc' } as const
  let cursor: string | null = null
  for (let page = 0; page < 4; page++) {
    cursor = (await records.page({}, { ...far, limit: 200, ...(cursor !== null && { cursor }) }, administrator)).next
  }
  return {
    'the first page': ask({}),
    'a page in the middle, by name': ask({}, { ...far, ...(cursor !== null && { cursor }) }),
    'the last page first, by change': ask({}, { sort: 'updatedAt', order: 'desc' }),
    'a search for one username': ask({ q: 'user777' }),
    'a search for one mobile': ask({ q: '1000777' }),
    'a search that half of them match': ask({ q: 'user' }),
    'a search for two Chinese characters': ask({ q: '王伟' }),
    'a search for one letter': ask({ q: 'u' }),
    'a search that matches no person': ask({ q: 'zzzzzz' }),
    'people of a common role': ask({ role: 2 }),
    'people of a rare role': ask({ role: 3 }),
    'disabled people': ask({ status: 'disabled' }),
    'people whom the directory refused': ask({ sync: 'refused' }),
    'local people': ask({ source: 'local' }),
    'members of a department': ask({ department: 7 }),
    'a department with ten below it': ask({ department: size.departments / 20, subtree: true }),
    'people who are not in a department': ask({ department: 7, member: false }),
    'the first page for a help desk': ask({}, {}, 4),
    'the roots of the tree': () => tree.page({}, administrator),
    'the children of a node': () => tree.page({ parent: 2 }, administrator),
    'the children of a node for a help desk': () => tree.page({ parent: 2 }, 4),
    'a search for a department': () => tree.page({ q: 'Department 77' }, administrator),
    'the way to a department': () => tree.path(99),
  }
}

const lists = async (stage: Stage, size: Size) => listsOf(await open(stage, size), size)

await onStage(async (stage) => {
  const small = await lists(stage, { people: 1000, departments: 100 })
  const large = await lists(stage, { people, departments })
  const verdicts: Verdict[] = []
  for (const [what, askSmall] of Object.entries(small)) {
    const askLarge = large[what] ?? askSmall
    const times = { small: [] as number[], large: [] as number[] }
    for (let round = 0; round < rounds; round++) {
      times.small.push(await timed(askSmall))
      times.large.push(await timed(askLarge))
    }
    const [ours, theirs] = [median(times.large), median(times.small)]
    const ratio = ours / theirs
    const shown = `${what} (${theirs.toFixed(1)} ms → ${ours.toFixed(1)} ms)`
    verdicts.push({ what: shown, ratio, goal: `≤ ${goal}`, met: ratio <= goal })
  }
  report(verdicts)
})
