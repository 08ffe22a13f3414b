import { sql } from 'drizzle-orm'
import type { Db } from '../../src/db/client.ts'
import { groupRecords } from '../../src/people/group-records.ts'
import { type PeopleQuery, peopleRecords } from '../../src/people/people-records.ts'
import { userRecords } from '../../src/people/user-records.ts'
import { median, timed, type Verdict } from './stage.ts'

/** The lists of a large organisation, each against its own first page. */
const rounds = 9
const administrator = 1

/** The cursor of the last page: that of the page before the first one of the opposite order. */
const pages = async (db: Db): Promise<Record<string, () => Promise<unknown>>> => {
  const console = peopleRecords(db)
  const users = userRecords(db)
  const groups = groupRecords(db)
  const [row] = await db.execute<{ key: string; id: string; count: string }>(sql`
    select lower(nickname) as key, id, (select count(*) from users) as count from users
    order by lower(nickname) desc, id desc offset 60 limit 1`)
  const cursor = Buffer.from(JSON.stringify(['name asc', false, row?.key, Number(row?.id)])).toString('base64url')
  const count = Number(row?.count)
  const [common] = await db.execute<{ two: string }>(sql`
    select left(nickname, 2) as two from users where nickname <> '' group by 1 order by count(*) desc limit 1`)
  const two = common?.two ?? ''
  const ask = (filter: object, query: PeopleQuery) => () => console.page(filter, query, administrator)
  const numbered = (offset: number) => () => users.page({}, { limit: 25, offset })
  return {
    'console, page 1': ask({}, { sort: 'name', order: 'asc' }),
    'console, last page': ask({}, { sort: 'name', order: 'asc', cursor }),
    'console, two letters': ask({ q: two }, {}),
    'console, one person': ask({ q: row?.key ?? '' }, {}),
    'user/list, page 1': numbered(0),
    'user/list, middle page': numbered(Math.floor(count / 50) * 25),
    'user/list, last page': numbered(Math.max(0, count - 25)),
    'user/list, two letters': () => users.page({ nickname: two }, { limit: 25, offset: 0 }),
    'group/tree': () => groups.tree(),
    'group/tree, rows alone': () => db.execute(sql`select json_agg(g) from groups g`),
  }
}

/** Milliseconds of each list, the median of some rounds. All are asked in turn: what else the machine does hits all. */
export const listTimes = async (db: Db): Promise<Record<string, number>> => {
  const asked = Object.entries(await pages(db)).map(([what, ask]) => ({ what, ask, took: [] as number[] }))
  for (let round = 0; round <= rounds; round++) {
    for (const { ask, took } of asked) took.push(await timed(ask))
  }
  return Object.fromEntries(asked.map(({ what, took }) => [what, median(took.slice(1))]))
}

/** What is held against the first page of the same list. */
export const listVerdicts = (times: Readonly<Record<string, number>>): Verdict[] => {
  const compared = [
    ['console, last page', 'console, page 1', 1.5],
    ['console, two letters', 'console, page 1', 4],
    ['user/list, middle page', 'user/list, page 1', 2],
    ['user/list, last page', 'user/list, page 1', 2],
    ['user/list, two letters', 'user/list, page 1', 4],
    ['group/tree', 'group/tree, rows alone', 4],
  ] as const
  return compared.map(([what, than, max]) => {
    const ratio = (times[what] ?? Number.NaN) / (times[than] ?? Number.NaN)
    const shown = `${what} (${times[what]?.toFixed(1)} ms) over ${than} (${times[than]?.toFixed(1)} ms)`
    return { what: shown, ratio, goal: `≤ ${max}`, met: ratio <= max }
  })
}
