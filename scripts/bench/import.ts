import { fork } from 'node:child_process'
import { once } from 'node:events'
import { sql } from 'drizzle-orm'
import { type Db, openDatabase } from '../../src/db/client.ts'
import type { RunReport } from '../../src/sync/runs.ts'
import { silent } from '../../test/database.ts'
import { generateOrganisation } from '../fakes/organisation.ts'
import { startFakeWecom } from '../fakes/wecom.ts'
import { benchImport, type ImportSettings, prepareImport } from './importing.ts'
import { benchDatabase } from './people.ts'
import { onStage, report, timed } from './stage.ts'

/**
 * Taking over an organisation of 100,000 people in 5,000 departments from a fake platform, twice, against COPY of the
 * same rows into the same tables. The import runs in a process of its own, so that its memory is what importing needs.
 */
const people = Number(process.argv[2] ?? 100_000)
const departments = Math.max(1, people / 20)

interface Task {
  url: string
  settings: ImportSettings
}

interface Pass {
  /** Of both runs together, milliseconds. */
  wall: number
  /** Milliseconds the database was busy with statements. */
  sql: number
  /** Rows of people, groups, memberships and directory entries inserted, updated or deleted. */
  writes: number
}

interface Measured {
  passes: Pass[]
  /** Peak resident memory, MB. */
  memory: number
}

const written = ['users', 'groups', 'group_members', 'user_roles', 'directory_entries']

const imported = async ({ url, settings }: Task): Promise<Measured> => {
  const passes: Pass[] = []
  await onStage(async (stage) => {
    const database = await openDatabase({ url, dataDir: '', log: silent })
    stage.teardown(() => database.close())
    const { db } = database
    const run = benchImport(stage, db, settings, { mirrored: false })
    const pass = async (expected: (report: RunReport) => boolean): Promise<void> => {
      const before = await figures(db)
      const wall = await timed(async () => {
        await run('groups', expected)
        await run('users', expected)
      })
      const after = await figures(db)
      passes.push({ wall, sql: after.sql - before.sql, writes: after.writes - before.writes })
    }
    await pass(({ added, total, skipped }) => added === total - skipped)
    await pass(({ unchanged, total, skipped }) => unchanged === total - skipped)
  })
  return { passes, memory: process.resourceUsage().maxRSS / 1024 }
}

/** The server's own counters; a connection that is idle tells what it did after ten seconds. */
const figures = async (db: Db): Promise<{ sql: number; writes: number }> => {
  await new Promise((resolve) => setTimeout(resolve, 11_000))
  const [row] = await db.execute<{ sql: number; writes: string }>(sql`
    select (select active_time from pg_stat_database where datname = current_database()) as sql,
      (select sum(n_tup_ins + n_tup_upd + n_tup_del) from pg_stat_user_tables
        where relname in (select jsonb_array_elements_text(${JSON.stringify(written)}::jsonb))) as writes`)
  return { sql: row?.sql ?? 0, writes: Number(row?.writes ?? 0) }
}

/** Milliseconds COPY needs for the rows that an import left behind, into the same tables with the same indexes. */
const copied = async (db: Db): Promise<number> => {
  const [place] = await db.execute<{ folder: string }>(sql`select current_setting('data_directory') as folder`)
  const file = (table: string): string => `${place?.folder}/${table}.copy`
  const command = (text: string) => db.execute(sql.raw(text))
  for (const table of written) await command(`copy ${table} to '${file(table)}'`)
  await command(`truncate ${written.join(', ')} cascade`)
  return timed(async () => {
    for (const table of ['groups', 'users', 'user_roles', 'group_members', 'directory_entries']) {
      await command(`copy ${table} from '${file(table)}'`)
    }
  })
}

const inProcess = async (task: Task): Promise<Measured> => {
  const child = fork(import.meta.filename, [String(people), 'import'])
  child.send(task)
  const [measured] = await once(child, 'message')
  return measured
}

if (process.argv[3] === 'import') {
  process.once('message', async (task: Task) => {
    process.send?.(await imported(task))
    process.disconnect()
  })
} else {
  await onStage(async (stage) => {
    const { db, url } = await benchDatabase(stage)
    await prepareImport(db)
    const cloud = await startFakeWecom({ organisation: generateOrganisation({ seed: 1, people, departments }) })
    stage.teardown(() => cloud.close())
    const { corpId = '', secret = '' } = cloud.credentials
    const { passes, memory } = await inProcess({ url, settings: { url: cloud.url, corpId, secret } })
    const [first, second] = passes
    if (first === undefined || second === undefined) throw new Error('There are no two passes')
    const floor = await copied(db)
    const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`
    console.log(
      `${people} people: first run ${seconds(first.wall)}, SQL ${seconds(first.sql)}, COPY ${seconds(floor)}; ` +
        `second run ${seconds(second.wall)}, SQL ${seconds(second.sql)}, rows written ${second.writes}; ` +
        `peak memory ${memory.toFixed(0)} MB`,
    )
    const [sqlRatio, again] = [first.sql / floor, second.wall / first.wall]
    report([
      { what: 'import, SQL part over COPY', ratio: sqlRatio, goal: '≤ 4', met: sqlRatio <= 4 },
      { what: 'import, unchanged run over first run', ratio: again, goal: '≤ 0.33', met: again <= 1 / 3 },
      { what: 'import, rows an unchanged run writes', ratio: second.writes, goal: '= 0', met: second.writes === 0 },
      { what: 'import, memory over 400 MB', ratio: memory / 400, goal: '≤ 1', met: memory <= 400 },
    ])
  })
}
