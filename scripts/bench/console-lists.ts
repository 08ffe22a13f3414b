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
/**
 * These have many more hits in the larger size, up to a fixed number (see counted-page.ts): up to 10,000 hits are sorted,
 * and of more, the first 10,000 are counted. The smaller size has fewer people than that; from 10,000 people on it costs
 * the same at any size.
 */
const goalOfHits = 4
const withManyHits = [
  'a search for the middle of an address',
  'a search that half of them match',
  'a search for one letter',
  'local people',
  'people of a common role',
  'people who are not in a department',
  'a search that all departments match',
]
/** Megabytes that the process may grow while it asks for all of them. */
const memoryGoal = 100
const administrator = 1

interface Size {
  people: number
  departments: number
  /** One of how many people is disabled, and whom the directory refused: at least a full page in both sizes. */
  disabled: number
  refused: number
}

/** Each department has ten below it; each person is in one, and has the pinyin of their name as given name. */
const fill = async (db: Db, size: Size): Promise<void> => {
  await db.execute(sql`
    insert into groups (group_name, group_name_key, group_type, remark)
    select name, lower(name), 'cn', 'of the company' from generate_series(1, ${size.departments}::int) n,
      concat(split_part('Sales Finance Research Logistics Legal Quality Design Security Support Purchasing', ' ', 1 + n % 10),
        ' ', n) as name`)
  await db.execute(sql`
    update groups set parent_id = (id - 2) / 10 + 1 where id > 1`)
  await db.execute(sql`
    insert into users (username, username_key, nickname, given_name, mail, mobile, job_number, status)
    select 'user' || n, 'user' || n,
      substr('王李张刘陈杨黄赵周吴徐孙马朱胡', 1 + n % 15, 1) || substr('伟芳娜敏静丽强磊军洋', 1 + n / 15 % 10, 1)
        || substr('明华平玉兰英国文', 1 + n / 150 % 8, 1) || ' ' || n,
      split_part('wang li zhang liu chen yang huang zhao zhou wu xu sun ma zhu hu', ' ', 1 + n % 15) || ' ' ||
        split_part('wei fang na min jing li qiang lei jun yang', ' ', 1 + n / 15 % 10)
        || split_part('ming hua ping yu lan ying guo wen', ' ', 1 + n / 150 % 8),
      'user' || n || '@example.org', '+49 30 ' || 1000000 + n, n::text, case when n % ${size.disabled} = 0 then 2 else 1 end
    from generate_series(1, ${size.people}::int) n`)
  await db.execute(sql`
    insert into group_members (group_id, user_id) select 1 + id % ${size.departments}::int, id from users`)
  await db.execute(sql`
    insert into roles (name, keyword, sort) values ('admin', 'admin', 1), ('user', 'user', 3), ('few', 'few', 5)`)
  await db.execute(sql`insert into user_roles (user_id, role_id) select id, 2 from users`)
  await db.execute(sql`insert into user_roles (user_id, role_id) select id, 3 from users where id <= 20`)
  await db.execute(sql`
    insert into directory_entries (kind, record_id, version, synced_version, next_at, dn)
    select 'user', id, 1, case when id % ${size.refused} = 0 then 0 else 1 end, null, 'uid=' || username || ',ou=people,dc=x' from users`)
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

/** The cursor of the page that follows the person in the middle of the list (see keyset.ts). */
const middle = async (db: Db, { people }: Size): Promise<string> => {
  const [row] = await db.execute<{ key: string; id: string }>(sql`
    select lower(nickname) as key, id from users order by lower(nickname) desc, id desc offset ${people / 2} limit 1`)
  return Buffer.from(JSON.stringify(['name desc', false, row?.key, Number(row?.id)])).toString('base64url')
}

/** Every way a console asks. */
const listsOf = async (db: Db, size: Size): Promise<Record<string, () => Promise<unknown>>> => {
  const records = peopleRecords(db)
  const tree = departmentRecords(db)
  const ask =
    (filter: object, query: object = {}, rank = administrator) =>
    () =>
      records.page(filter, query, rank)
  const cursor = await middle(db, size)
  return {
    'the first page': ask({}),
    'a page in the middle, by name': ask({}, { sort: 'name', order: 'desc', cursor }),
    'the last page first, by change': ask({}, { sort: 'updatedAt', order: 'desc' }),
    'a search for one username': ask({ q: 'user777' }),
    'a search for one mobile': ask({ q: '1000777' }),
    'a search for the middle of an address': ask({ q: '77@example' }),
    'a search for pinyin': ask({ q: 'zhang min' }),
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
    'a search for departments': () => tree.page({ q: 'Finance', limit: 9 }, administrator),
    'a search that all departments match': () => tree.page({ q: 'company' }, administrator),
    'the way to a department': () => tree.path(99),
  }
}

const lists = async (stage: Stage, size: Size) => listsOf(await open(stage, size), size)

await onStage(async (stage) => {
  const small = await lists(stage, { people: 1000, departments: 100, disabled: 10, refused: 10 })
  const large = await lists(stage, { people, departments, disabled: 100, refused: 500 })
  const before = process.memoryUsage.rss()
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
    const max = withManyHits.includes(what) ? goalOfHits : goal
    verdicts.push({ what: shown, ratio, goal: `≤ ${max}`, met: ratio <= max })
  }
  const needed = (process.resourceUsage().maxRSS * 1024 - before) / 2 ** 20
  const ratio = needed / memoryGoal
  verdicts.push({ what: `memory that they need (${needed.toFixed(0)} MB)`, ratio, goal: '≤ 1', met: ratio <= 1 })
  report(verdicts)
})
