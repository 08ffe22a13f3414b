import type { Sql } from 'postgres'
import t from 'tap'
import { analyzeGrown, analyzeIfGrown } from '../../src/db/statistics.ts'
import { openLedger } from '../../src/mirror/ledger/ledger.ts'
import { testEmbeddedDatabase, testServerDatabase } from '../database.ts'

for (const [kind, open] of Object.entries({ embedded: testEmbeddedDatabase, server: testServerDatabase })) {
  t.test(`statistics are taken when a table has doubled, and not before: ${kind}`, async (t) => {
    const { db } = await open(t)
    const sql: Sql = db.$client
    /** PostgreSQL counts changes with a delay, unless it is told to do so now. */
    const grown = async (): Promise<boolean> => {
      await sql.unsafe('select pg_stat_force_next_flush()')
      await sql.unsafe('select 1')
      return (await analyzeGrown(sql)).some((name) => name.endsWith('.groups'))
    }
    const add = (from: number, to: number): Promise<unknown> =>
      sql.unsafe(`insert into groups (group_name, group_name_key, group_type, remark)
        select n, n, 'cn', '' from generate_series(${from}, ${to}) n`)
    const known = async (): Promise<number> => {
      const [row] = await sql.unsafe<{ rows: number }[]>(
        `select reltuples as rows from pg_class where relname = 'groups'`,
      )
      return row?.rows ?? Number.NaN
    }

    await add(1, 40)
    t.equal(await grown(), false, 'too few rows to matter')
    await add(41, 150)
    t.equal(await grown(), true)
    t.equal(await known(), 150)
    await add(151, 250)
    t.equal(await grown(), false)
    await add(251, 320)
    t.equal(await grown(), true)
    t.equal(await known(), 320)
    t.equal(await grown(), false, 'nothing has changed since')
  })
}

for (const [kind, open] of Object.entries({ embedded: testEmbeddedDatabase, server: testServerDatabase })) {
  t.test(`the statistics of one table are taken as soon as it has doubled: ${kind}`, async (t) => {
    const { db } = await open(t)
    const sql: Sql = db.$client
    const name = 'directory_entries'
    const add = (from: number, to: number): Promise<unknown> =>
      sql.unsafe(`insert into ${name} (kind, record_id) select 'user', n from generate_series(${from}, ${to}) n`)
    const known = async (): Promise<number> => {
      const [row] = await sql.unsafe<{ rows: number }[]>(
        `select reltuples as rows from pg_class where oid = '${name}'::regclass`,
      )
      return row?.rows ?? Number.NaN
    }
    await add(1, 100)
    t.equal(await analyzeIfGrown(db, name), false, 'too few to matter')
    await add(101, 3000)
    t.equal(await analyzeIfGrown(db, name), true)
    t.equal(await known(), 3000)
    await add(3001, 4000)
    t.equal(await analyzeIfGrown(db, name), false)
    await add(4001, 9000)
    const claim = await openLedger({ db, directory: 1 }, 'dc=example,dc=org').claim({
      kind: 'user',
      owner: 'owner',
      scope: 'due',
      limit: 1000,
    })
    t.equal(claim.ids.length, 1000)
    t.equal(await known(), 9000, 'work on all that is due takes them first')
  })
}
