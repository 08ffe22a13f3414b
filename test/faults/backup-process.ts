import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { sql } from 'drizzle-orm'
import { openBackups } from '../../src/backups/open-backups.ts'
import { type Db, openDatabase } from '../../src/db/client.ts'
import { openTasks } from '../../src/jobs/tasks.ts'
import { fromSource } from '../built.ts'
import { silent } from '../database.ts'

/** The task of a process on its database and its backups, and the moment at which it is killed. */
export interface Task {
  url: string | null
  dataDir: string
  folder: string
  /** fill: puts data there, backs it up and changes it. */
  work: 'fill' | 'look' | 'backup' | 'restore' | 'restoreFile'
  /** What the log says when the process is to kill itself (kill -9), and how many milliseconds later. */
  killAt?: { phase: string; later: number }
  /** The backup to restore. */
  backupId?: number
}

/** What a process finds when it starts, and the result of its work. */
export interface Found {
  /** Of all data that a restore replaces. */
  fingerprint: string
  /** Backups by status, after the remains of earlier processes are deleted. */
  backups: Record<string, number>
  files: string[]
  error: string | null
  /** The backup that was made. */
  backupId: number | null
  /** Bytes of memory that the process has had at most so far (resident). */
  peakMemory: number
}

/** Limits of a process. */
export interface Limits {
  /** Of a file, in blocks of 512 bytes. */
  fileSize?: number
  /** The heap of V8, in MB. */
  heap?: number
}

/** Carries a task out in a process of its own. */
export const inProcess = async (
  task: Task,
  { fileSize, heap }: Limits = {},
): Promise<{ found: Found[]; signal: NodeJS.Signals | null }> => {
  const memory = heap === undefined ? [] : [`--max-old-space-size=${heap}`]
  const node = [process.execPath, ...memory, ...fromSource(import.meta.filename)]
  // Tap loads a module into child processes that ends them at the signal of a limit, which Node itself makes an error.
  const limit = fileSize === undefined ? '' : `ulimit -f ${fileSize};`
  const command = `unset NODE_OPTIONS; ${limit} exec "$@"`
  const child: ChildProcess = spawn('sh', ['-c', command, 'sh', ...node, JSON.stringify(task)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const found: Found[] = []
  if (child.stdout) for await (const line of createInterface(child.stdout)) found.push(JSON.parse(line) as Found)
  const [, signal] = await ended
  return { found, signal }
}

const fill = async (db: Db): Promise<void> => {
  await db.execute(sql`
    insert into users (username, username_key, nickname, introduction)
    select 'u' || n, 'u' || n, 'before', md5(n::text) || md5((n + 1)::text) from generate_series(1, 4000) n`)
  await db.execute(sql`
    insert into groups (group_name, group_name_key, group_type) select 'g' || n, 'g' || n, 'cn' from generate_series(1, 50) n`)
  await db.execute(sql`insert into group_members (group_id, user_id) select 1 + id % 50, id from users`)
  // Without an administrator nothing is restored.
  await db.execute(sql`
    with r as (insert into roles (name, keyword, sort) values ('root', 'root', 1) returning id)
    insert into user_roles (user_id, role_id) select u.id, r.id from users u, r where u.username = 'u1'`)
}

const fingerprint = async (db: Db): Promise<string> => {
  const [row] = await db.execute<{ all: string }>(sql`
    select md5(concat((select string_agg(u::text, '|' order by id) from users u),
      (select string_agg(g::text, '|' order by id) from groups g),
      (select string_agg(m::text, '|' order by group_id, user_id) from group_members m))) as all`)
  return String(row?.all)
}

const carryOut = async ({ url, dataDir, folder, work, killAt, backupId = 0 }: Task): Promise<void> => {
  const die = (): void => void process.kill(process.pid, 'SIGKILL')
  const note = (details: unknown): void => {
    const phase = typeof details === 'object' && details !== null && 'phase' in details ? details.phase : undefined
    if (killAt === undefined || phase !== killAt.phase) return
    if (killAt.later === 0) die()
    else setTimeout(die, killAt.later)
  }
  const database = await openDatabase({ url, dataDir, log: silent })
  const { db } = database
  const backups = openBackups({
    database,
    principals: { announce: async () => {}, drop: () => {} },
    folder,
    secrets: ['a key of thirty-two characters, or more'],
    timeZone: 'UTC',
    raise: async () => {},
    tasks: openTasks({ database, log: silent }),
    log: { ...silent, debug: note, warn: (details: unknown) => note(details) },
    seed: async () => {},
  })
  const tell = async (error: unknown, made: number | null): Promise<void> => {
    const rows = await db.execute<{ status: string; count: number }>(
      sql`select status, count(*)::int as count from backups group by status`,
    )
    const found: Found = {
      fingerprint: await fingerprint(db),
      backups: Object.fromEntries(rows.map(({ status, count }) => [status, count])),
      files: await readdir(folder).catch(() => []),
      error: error === null ? null : String(error),
      backupId: made,
      peakMemory: process.resourceUsage().maxRSS * 1024,
    }
    process.stdout.write(`${JSON.stringify(found)}\n`)
  }
  // A lease lives on for as long as a process that is only slow might.
  if (database.kind === 'postgres') await db.execute(sql`update backups set lease_until = now() - interval '1 s'`)
  await backups.tidy()
  await tell(null, null)
  try {
    if (work === 'backup') {
      const { id, status } = await backups.create({ type: 'manual', creator: '' })
      const [row] = await db.execute<{ error: string }>(sql`select error from backups where id = ${id}`)
      await tell(status === 'success' ? null : row?.error, id)
    }
    if (work === 'restore') await tell(null, (await backups.restore(backupId, '', 'operator')).safetyBackupId)
    if (work === 'restoreFile') {
      const [row] = await db.execute<{ path: string; sha256: string }>(
        sql`select path, sha256 from backups where id = ${backupId}`,
      )
      if (row === undefined) throw new Error(`backup ${backupId} does not exist`)
      await backups.restoreFile({ file: join(folder, row.path), sha256: row.sha256 }, '', 'operator')
      await tell(null, null)
    }
    if (work === 'fill') {
      await fill(db)
      await tell(null, (await backups.create({ type: 'manual', creator: '' })).id)
      await db.execute(sql`update users set nickname = 'after' where id % 2 = 0`)
      await db.execute(sql`delete from groups where id > 40`)
      await tell(null, null)
    }
  } catch (error) {
    await tell(error, null)
  }
  await database.close()
}

const [, script, task] = process.argv
if (script === import.meta.filename && task !== undefined) await carryOut(JSON.parse(task) as Task)
