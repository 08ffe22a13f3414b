import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { readBackup } from '../../src/backups/file/read.ts'
import { loadBackup } from '../../src/backups/restore/load.ts'
import { extentOf } from '../../src/backups/restore/restored-tables.ts'
import { writeBackup } from '../../src/backups/write.ts'
import { type Db, openDatabase } from '../../src/db/client.ts'
import { silent } from '../../test/database.ts'
import { addPeople, benchDatabase } from './people.ts'
import { onStage, report, timed } from './stage.ts'

/**
 * Backup and restore of 100,000 people, each in two groups, against pg_dump -Fc and pg_restore of the same tables, with
 * the same indexes and references. Each runs in a process of its own, so that its memory is what it needs. A backup is
 * encrypted and read back, and read once more before it is restored, as in the service; pg_dump does neither.
 */
const people = Number(process.argv[2] ?? 100_000)

interface Task {
  url: string
  file: string
  work: 'backup' | 'restore'
}

interface Measured {
  /** Milliseconds. */
  wall: number
  /** Peak resident memory, MB. */
  memory: number
}

const secret = 'a key of thirty-two characters, or more'

const measured = async ({ url, file, work }: Task): Promise<Measured> => {
  const database = await openDatabase({ url, dataDir: '', log: silent })
  const { db } = database
  const wall = await timed(async () => {
    if (work === 'backup') await writeBackup(db, { file, secret })
    await readBackup({ file, secrets: [secret] })
    if (work === 'restore') await db.transaction((tx) => loadBackup(tx, { file, secrets: [secret] }))
  })
  await database.close()
  return { wall, memory: process.resourceUsage().maxRSS / 1024 }
}

const inProcess = async (task: Task): Promise<Measured> => {
  const child = fork(import.meta.filename, [String(people), 'work'])
  child.send(task)
  const [result] = await once(child, 'message')
  return result
}

const run = async (command: string, args: readonly string[]): Promise<void> => {
  const [code] = await once(spawn(command, args, { stdio: 'inherit' }), 'exit')
  if (code !== 0) throw new Error(`${command} ended with ${code}`)
}

/** Of pg_dump. What is left out: a dump of some tables alone would lack the functions and extensions that they need. */
const without = (names: readonly string[]): string[] => names.flatMap((name) => ['-T', name])

/** Beside the one there is. */
const emptyDatabase = async (db: Db, url: string): Promise<string> => {
  await db.execute(sql`create database elsewhere`)
  const elsewhere = new URL(url)
  elsewhere.pathname = '/elsewhere'
  return elsewhere.href
}

const addToGroups = async (db: Db): Promise<void> => {
  await db.execute(sql`
    insert into groups (group_name, group_name_key, group_type) select 'g' || n, 'g' || n, 'cn' from generate_series(1, 500) n`)
  await db.execute(sql`
    insert into group_members (group_id, user_id) select 1 + (id + n) % 500, id from users, generate_series(0, 1) n`)
}

if (process.argv[3] === 'work') {
  process.once('message', async (task: Task) => {
    process.send?.(await measured(task))
    process.disconnect()
  })
} else {
  await onStage(async (stage) => {
    const { db, url } = await benchDatabase(stage)
    await addPeople(db, people)
    await addToGroups(db)
    await db.execute(sql`vacuum analyze`)
    const folder = await mkdtemp(join(tmpdir(), 'steward-bench-'))
    stage.teardown(() => rm(folder, { recursive: true, force: true }))
    const [file, dump] = [join(folder, 'ours'), join(folder, 'theirs')]
    const names = await db.execute<{ name: string }>(
      sql`select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and relpersistence = 'p'`,
    )
    const tables = names.map(({ name }) => name)
    const kept = tables.filter((name) => extentOf(name) !== 'all')

    const dumped = await timed(() => run('pg_dump', ['-Fc', '-n', 'public', '-f', dump, url]))
    const backup = await inProcess({ url, file, work: 'backup' })
    const restore = await inProcess({ url, file, work: 'restore' })
    const elsewhere = await emptyDatabase(db, url)
    const part = join(folder, 'part')
    await run('pg_dump', ['-Fc', '-f', part, ...without(kept), url])
    const restored = await timed(() => run('pg_restore', ['--single-transaction', '-d', elsewhere, part]))

    const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(2)} s`
    console.log(
      `${people} people: backup ${seconds(backup.wall)} (${((await stat(file)).size / 1e6).toFixed(1)} MB), pg_dump ${seconds(dumped)} ` +
        `(${((await stat(dump)).size / 1e6).toFixed(1)} MB); restore ${seconds(restore.wall)}, pg_restore ${seconds(restored)}; ` +
        `peak memory ${backup.memory.toFixed(0)} and ${restore.memory.toFixed(0)} MB`,
    )
    const memory = Math.max(backup.memory, restore.memory)
    const ratios = [backup.wall / dumped, restore.wall / restored] as const
    report([
      { what: 'backup over pg_dump -Fc', ratio: ratios[0], goal: '≤ 2.5', met: ratios[0] <= 2.5 },
      { what: 'restore over pg_restore', ratio: ratios[1], goal: '≤ 2.5', met: ratios[1] <= 2.5 },
      { what: 'backup and restore, memory over 300 MB', ratio: memory / 300, goal: '≤ 1', met: memory <= 300 },
    ])
  })
}
