import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import t, { type Test } from 'tap'
import { openDatabase } from '../../src/db/client.ts'
import { copyTemplate, postgresMissing, silent, testPostgres } from '../database.ts'
import { fileLimit, nightly, sampleOf } from '../nightly.ts'
import { dataFolder } from '../server-process.ts'
import { type Found, inProcess, type Task } from './backup-process.ts'

// Backups and restores whose process is killed, whose disk is full, or whose files another program altered.

t.setTimeout(fileLimit(600_000))

const mb = 1024 * 1024
/** MB, which is little more than the service itself takes. */
const heap = 40

/** A database with data, a backup of it, and changes since; `before` is the content of the backup, `after` the current one. */
const prepared = async (t: Test, kind: 'embedded' | 'postgres') => {
  const dataDir = await dataFolder(t)
  const url = kind === 'postgres' ? (await testPostgres(t)).url : null
  if (url === null) await copyTemplate(dataDir)
  const place = { url, dataDir, folder: join(dataDir, 'backups') }
  const { found } = await inProcess({ ...place, work: 'fill' })
  const [, backedUp, changed] = found
  if (!backedUp?.backupId || !changed) throw new Error(JSON.stringify(found))
  return { place, backupId: backedUp.backupId, before: backedUp.fingerprint, after: changed.fingerprint }
}

const first = (found: readonly Found[]): Found => {
  if (found[0] === undefined) throw new Error('The process did not start')
  return found[0]
}

/**
 * Times at which processes are killed: as a phase begins, and in the midst of it. The embedded database takes seconds to
 * start, so there it is the later one alone, except by night.
 */
const moments = (kind: 'embedded' | 'postgres', phases: Readonly<Record<string, readonly number[]>>) =>
  Object.entries(phases).flatMap(([phase, delays]) =>
    (kind === 'embedded' && !nightly ? delays.slice(-1) : delays).map((later) => ({ phase, later })),
  )

for (const kind of ['embedded', 'postgres'] as const) {
  t.test(`killed on ${kind}`, { skip: kind === 'postgres' && postgresMissing }, async (t) => {
    const { place, backupId, before, after } = await prepared(t, kind)
    t.not(before, after)
    const kill = async (work: Task['work'], killAt: NonNullable<Task['killAt']>): Promise<Found> => {
      const { found, signal } = await inProcess({ ...place, work, killAt, backupId })
      t.equal(signal, 'SIGKILL', `${work} was killed ${killAt.later} ms into ${killAt.phase}`)
      return first(found)
    }
    const whole = (found: Found, wanted: readonly string[], name: string): void => {
      t.ok(wanted.includes(found.fingerprint), `${name}: the data is whole`)
      t.notOk(found.backups.running, `${name}: no backup claims to be under way`)
      t.notOk(
        found.files.some((file) => file.endsWith('.part')),
        `${name}: nothing is left of the file`,
      )
      t.equal(
        found.files.length,
        found.backups.success,
        `${name}: every proven backup has its file, and no other is there`,
      )
    }

    const backingUp = moments(kind, { writing: [0, 25], proving: [0, 5], recording: [0] })
    const restoring = moments(kind, {
      verifying: [0],
      safety: [0],
      writing: [10],
      loading: [0, 60],
      committing: [0],
    })
    const kills = [
      ...sampleOf(t, `backups killed (${kind})`, backingUp, 1).map((at) => ({ work: 'backup', at }) as const),
      ...sampleOf(t, `restores killed (${kind})`, restoring, 1).map((at) => ({ work: 'restore', at }) as const),
      { work: 'restore', at: { phase: 'restored', later: 0 } } as const,
    ]
    // The embedded database takes seconds for each process.
    const chosen = kind === 'embedded' ? sampleOf(t, 'kills on embedded', kills, 1) : kills
    let [last, present] = ['a backup', after]
    for (const { work, at } of chosen) {
      whole(await kill(work, at), [present], last)
      last = `a ${work} killed ${at.later} ms into ${at.phase}`
      if (at.phase === 'restored') present = before
    }
    const { found } = await inProcess({ ...place, work: 'restore', backupId })
    whole(first(found), [present], last)
    t.match(found[1], { error: null, fingerprint: before }, 'the backup from before all this still restores')
  })
}

t.test('a disk that is full', { skip: postgresMissing }, async (t) => {
  const { place, backupId, before, after } = await prepared(t, 'postgres')
  // In blocks of 512 bytes: less than a backup takes.
  const { found } = await inProcess({ ...place, work: 'backup' }, { fileSize: 100 })
  t.match(found[1], { error: 'the file is larger than the system allows', backups: { success: 1, failed: 1 } })
  t.equal(found[1]?.files.length, 1, 'nothing is left of it')
  const restoring = await inProcess({ ...place, work: 'restore', backupId }, { fileSize: 100 })
  t.match(restoring.found[1], {
    error: /nothing was restored: the backup of the current data \(\d+\) failed/,
    fingerprint: after,
  })
  const { found: later } = await inProcess({ ...place, work: 'restore', backupId })
  t.match(later[1], { error: null, fingerprint: before })

  const [name = ''] = first(found).files
  const file = join(place.folder, name)
  const bytes = await readFile(file)
  bytes.writeUInt8(bytes.readUInt8(bytes.length >> 1) ^ 1, bytes.length >> 1)
  await writeFile(file, bytes)
  const altered = await inProcess({ ...place, work: 'restore', backupId })
  t.match(altered.found[1], { error: /it is damaged: frame \d+ was changed/, fingerprint: before })
})

const times = nightly ? 10 : 5

t.test(`a database ${times} times the memory there is`, { skip: postgresMissing }, async (t) => {
  const { url } = await testPostgres(t)
  const dataDir = await dataFolder(t)
  const place = { url, dataDir, folder: join(dataDir, 'backups') }
  const database = await openDatabase({ url, dataDir, log: silent })
  t.teardown(database.close)
  const { db } = database
  // Rows of 2 KB, short enough to be kept as they are: neither compressed nor elsewhere.
  await db.execute(sql`
    insert into devices (name, type, status, token_hash, location)
    select n, 'door', 'online', n, repeat(md5(n::text), 58) from generate_series(1, ${times * 21_500}) n`)
  // A backup without an administrator is not restored.
  await db.execute(sql`
    with admin as (insert into users (username, username_key, nickname) values ('admin', 'admin', 'admin') returning id),
    role as (insert into roles (name, keyword, sort) values ('admin', 'admin', 1) returning id)
    insert into user_roles (user_id, role_id) select admin.id, role.id from admin, role`)
  const look = async () => {
    const [row] = await db.execute<{ bytes: string; rows: number; sum: string }>(sql`
      select pg_relation_size('devices') as bytes, count(*)::int as rows, sum(hashtext(d::text)) as sum from devices d`)
    return { bytes: Number(row?.bytes), rows: row?.rows, sum: row?.sum }
  }
  const before = await look()
  t.ok(before.bytes >= times * heap * mb, `${Math.round(before.bytes / mb)} MB`)

  const backup = await inProcess({ ...place, work: 'backup' }, { heap })
  t.match(backup, { signal: null, found: [{}, { error: null, backups: { success: 1 } }] })
  const { backupId } = backup.found[1] ?? {}
  if (!backupId) return
  await db.execute(sql`truncate devices cascade`)
  const restored = await inProcess({ ...place, work: 'restoreFile', backupId }, { heap })
  t.match(restored, { signal: null, found: [{}, { error: null }] })
  t.match(await look(), { rows: before.rows, sum: before.sum })
  for (const [idle, done] of [backup.found, restored.found]) {
    const { peakMemory: peak = 0 } = done ?? {}
    t.comment(
      `${Math.round((idle?.peakMemory ?? 0) / mb)} MB resident before the work, ${Math.round(peak / mb)} MB at most`,
    )
    t.ok(peak > 0 && peak - (idle?.peakMemory ?? 0) < 2 * heap * mb, 'buffers are bounded as well')
  }
})
