import { sql } from 'drizzle-orm'
import t from 'tap'
import { listedMembers } from '../../src/mirror/entry/member-lists.ts'
import { readingsOf, readRecords } from '../../src/mirror/ledger/record-rows.ts'
import { testEmbeddedDatabase } from '../database.ts'

// What a group lists is read without the members of other groups, however large one of them is. Here on the embedded
// database, whose plans are the same everywhere.

t.setTimeout(120_000)

const people = 10_000
const base = 'dc=example,dc=org'

interface Plan {
  Plan: { 'Shared Hit Blocks': number; 'Shared Read Blocks': number }
}

t.test('the list of a small group beside one of ten thousand people', async (t) => {
  const { db } = await testEmbeddedDatabase(t)
  const fill = (lines: string): Promise<unknown> => db.execute(sql.raw(lines))
  await fill(`insert into groups (group_name, group_name_key, group_type)
    select 'g' || n, 'g' || n, 'cn' from generate_series(1, 11) n`)
  await fill(`insert into users (username, username_key, nickname, mail)
    select 'u' || n, 'u' || n, 'u' || n, '' from generate_series(1, ${people + 100}) n`)
  await fill(`insert into group_members (group_id, user_id)
    select case when n <= ${people} then 1 else 2 + n % 10 end, n from generate_series(1, ${people + 100}) n`)
  await fill(`insert into directory_entries (directory, kind, record_id, version, synced_version, dn)
    select 1, 'user', id, 1, 1, 'uid=' || username || ',ou=people,${base}' from users where username like 'u%'`)
  await fill(`insert into directory_entries (directory, kind, record_id, version, synced_version, dn)
    select 1, 'group', id, 1, 1, 'cn=' || group_name || ',${base}' from groups where group_name like 'g%'`)
  await fill('analyze')

  const blocks = async (groupId: number, areFlat: boolean): Promise<number> => {
    const [row] = await db.execute<{ 'QUERY PLAN': Plan[] }>(sql`explain (analyze, buffers, format json)
      select ${listedMembers({ directory: 1, peopleSuffix: `,ou=people,${base}`, areFlat })} from groups g where g.id = ${groupId}`)
    const { 'Shared Hit Blocks': hit = 0, 'Shared Read Blocks': read = 0 } = row?.['QUERY PLAN'][0]?.Plan ?? {}
    return hit + read
  }
  for (const areFlat of [false, true]) {
    const small = await blocks(3, areFlat)
    t.ok(small > 10 && small < 300, `${small} blocks for ten people`)
    t.ok((await blocks(1, areFlat)) > people, 'as many lookups as people for the large one')
  }

  const readings = readingsOf({ directory: 1 }, base)
  for (const kind of ['group', 'claimedGroup', 'claimedFlat'] as const) {
    const [row] = await readRecords<{ members: string[] }>({ db, directory: 1 }, readings[kind], {
      kind: 'group',
      ids: [3],
    })
    t.equal(row?.facts?.members.length, 10, kind)
  }
})
