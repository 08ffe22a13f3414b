import { execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import {
  chmod,
  copyFile,
  mkdir,
  mkdtemp,
  open as openFile,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mock } from 'node:test'
import { type SQL, sql } from 'drizzle-orm'
import t, { type Test } from 'tap'
import { markSteppedUp } from '../../src/access/step-up.ts'
import type { Alert } from '../../src/alerts/alert.ts'
import { backupsHandlers } from '../../src/backups/backup-handlers.ts'
import type { BackupRecord } from '../../src/backups/backup-records.ts'
import type { Backups } from '../../src/backups/backups.ts'
import { openProvenFile } from '../../src/backups/file/proven-file.ts'
import { sizeText } from '../../src/backups/file/size-text.ts'
import { openFolder } from '../../src/backups/folder/folder.ts'
import { expired, type Keepable } from '../../src/backups/folder/retention.ts'
import { openBackups } from '../../src/backups/open-backups.ts'
import type { Principal } from '../../src/contract/handler.ts'
import { openTasks } from '../../src/jobs/tasks.ts'
import { postgresMissing, silent, testDatabase, testServerDatabase } from '../database.ts'
import { eventually } from '../eventually.ts'
import { becomesEqual } from '../faults/entries.ts'
import { person } from '../people/console.ts'
import { signedIn } from '../signed-in.ts'
import { skipWithoutSlapd, testSlapd } from '../slapd.ts'
import { steward, type TestSteward } from '../steward.ts'

const key = 'a key of thirty-two characters, or more'

/** What backups are handled by, beside a whole service and on its database. */
const open = async (t: Test, { db, principals }: Pick<TestSteward, 'db'> & { principals?: { dropped: number } }) => {
  const folder = join(await mkdtemp(join(tmpdir(), 'steward-backups-')), 'files')
  t.teardown(() => rm(join(folder, '..'), { recursive: true, force: true }))
  const raised: Alert[] = []
  const seeded = { times: 0 }
  const options = {
    database: { db, kind: 'postgres' as const },
    principals: {
      announce: async () => {},
      drop: () => {
        if (principals) principals.dropped += 1
      },
    },
    folder,
    secrets: [key],
    timeZone: 'UTC',
    raise: async (alert: Alert) => void raised.push(alert),
    tasks: openTasks({ database: { db, kind: 'postgres' as const }, log: silent }),
    log: silent,
    seed: async () => {
      seeded.times += 1
    },
  }
  const backups = openBackups(options)
  return { backups, folder, raised, seeded, again: (more: object) => openBackups({ ...options, ...more }) }
}

/** A backup without an administrator is not restored: no user could administer it. */
const addAdministrator = async (db: TestSteward['db']): Promise<void> => {
  await db.execute(sql`
    with u as (insert into users (username, username_key, nickname) values ('root', 'root', '') returning id),
      r as (insert into roles (name, keyword, sort) values ('root', 'root', 1) returning id)
    insert into user_roles (user_id, role_id) select u.id, r.id from u, r`)
}

const fileOf = async (db: TestSteward['db'], folder: string, id: number): Promise<string> => {
  const [row] = await db.execute<{ path: string }>(sql`select path from backups where id = ${id}`)
  return join(folder, String(row?.path))
}

const listed = async (handlers: ReturnType<typeof backupsHandlers>): Promise<BackupRecord[]> => {
  const { backups } = (await handlers.listBackups({} as never)) as { backups: AsyncIterable<BackupRecord[]> }
  const records: BackupRecord[] = []
  for await (const batch of backups) records.push(...batch)
  return records
}

t.test('the newest backups of days, weeks and months stay, and the newest of all', async (t) => {
  const at = (text: string, type: Keepable['type'] = 'auto'): Keepable => {
    const time = new Date(text)
    return { id: time.getTime() / 60_000, type, at: time }
  }
  const now = new Date('2026-06-30T12:00:00Z')
  const left = (backups: Keepable[], timeZone = 'UTC'): string[] => {
    const gone = new Set(expired(backups, now, timeZone))
    return backups.filter(({ id }) => !gone.has(id)).map((backup) => backup.at.toISOString().slice(0, 10))
  }
  const daily = Array.from({ length: 400 }, (_, n) => at(new Date(now.getTime() - n * 86_400_000).toISOString()))
  t.same(left(daily), [
    ...['2026-06-30', '2026-06-29', '2026-06-28', '2026-06-27', '2026-06-26', '2026-06-25', '2026-06-24'],
    ...['2026-06-21', '2026-06-14'],
    ...['2026-05-31', '2026-04-30', '2026-03-31', '2026-02-28', '2026-01-31'],
  ])
  const steady = new Set<string>()
  for (const backup of [...daily].reverse()) {
    steady.add(backup.at.toISOString())
    const kept = [...steady].map((text) => at(text))
    for (const id of expired(kept, backup.at, 'UTC')) steady.delete(new Date(id * 60_000).toISOString())
  }
  t.equal(steady.size, 14, 'cleaning up every day keeps the same as cleaning up once')

  const sameDay = [at('2026-06-30T03:00:00Z'), at('2026-06-30T04:00:00Z')]
  t.same(expired(sameDay, now, 'UTC'), [sameDay[0]?.id], 'the newest of a day is kept')
  const evening = [at('2026-06-29T15:00:00Z'), at('2026-06-29T17:00:00Z')]
  t.equal(expired(evening, now, 'UTC').length, 1)
  t.equal(expired(evening, now, 'Asia/Shanghai').length, 0, 'days begin at midnight of the time zone')
  const byHand = [at('2026-04-02T13:00:00Z', 'manual'), at('2026-04-01T11:00:00Z', 'manual')]
  t.same(left(byHand), ['2026-04-02'])
  t.same(left([at('2020-01-01T00:00:00Z', 'manual')]), ['2020-01-01'], 'the newest of all always stays')
  t.same(expired([], now, 'UTC'), [])
})

t.test('backups that were made while the clock was wrong', async (t) => {
  const now = new Date('2026-06-30T12:00:00Z')
  const daysAgo = (days: number): Date => new Date(now.getTime() - days * 86_400_000)
  const made = (times: readonly Date[], type: Keepable['type'] = 'auto'): Keepable[] =>
    times.map((at, index) => ({ id: index + 1, type, at }))
  const daily = Array.from({ length: 400 }, (_, n) => daysAgo(400 - n))

  const behind = made([...daily, new Date('1970-01-01T00:00:03Z'), now])
  t.notOk(expired(behind.slice(0, -1), now, 'UTC').includes(401), 'behind: the one just made is the newest')
  t.notOk(expired(behind, now, 'UTC').includes(401), 'and stays as one of the last 7 days')

  const ahead = made([
    ...daily,
    ...Array.from({ length: 30 }, (_, n) => daysAgo(-4000 - 30 * n)),
    ...daily.slice(-8),
    now,
  ])
  const left = new Set(ahead.map(({ id }) => id))
  for (const id of expired(ahead, now, 'UTC')) left.delete(id)
  t.ok(
    [439, 438, 437, 436, 435, 434, 433].every((id) => left.has(id)),
    'ahead: those after take their places',
  )

  const byHand = made(
    [daysAgo(100), daysAgo(80), new Date('1970-01-01T00:00:03Z'), daysAgo(-4000), daysAgo(1)],
    'manual',
  )
  t.same(expired(byHand, now, 'UTC'), [1], 'by hand: one was made after one of the last 90 days')
})

t.test('a size is written in the largest unit of which it has one', async (t) => {
  for (const [bytes, text] of [
    [0, '0 B'],
    [1023, '1023 B'],
    [1024, '1.0 KB'],
    [1_468_006, '1.4 MB'],
    [1_048_575, '1.0 MB'],
    [5 * 1024 ** 4, '5.0 TB'],
    [5000 * 1024 ** 4, '5000.0 TB'],
  ] as const) {
    t.equal(sizeText(bytes), text)
  }
})

t.test('a folder of others is not closed to them', async (t) => {
  const { db } = await testDatabase(t)
  const { folder, raised, again } = await open(t, { db })
  const modeOf = async (path: string): Promise<number> => (await stat(path)).mode & 0o7777
  const backups = again({ folder })
  const make = () => backups.create({ type: 'manual', creator: 'x' })

  await mkdir(folder)
  for (const [mode, name] of [
    [0o755, 'another program'],
    [0o1777, null],
  ] as const) {
    await chmod(folder, mode)
    if (name !== null) await mkdir(join(folder, name))
    t.match(await make(), { status: 'failed' })
    t.equal(await modeOf(folder), mode, 'as it was')
    t.match(raised.at(-1), { description: /BACKUP_DIR is open to other users, and other files are in it/ })
    if (name !== null) await rm(join(folder, name), { recursive: true })
  }

  await chmod(folder, 0o755)
  await mkdir(join(folder, 'lost+found'))
  t.match(await make(), { status: 'success' }, 'a disk of its own')
  t.equal(await modeOf(folder), 0o700)
  await writeFile(join(folder, 'notes'), '')
  t.match(await make(), { status: 'success' }, 'other files of the same user')
})

const skipWithoutRoot = process.getuid?.() !== 0 && 'only root can become another user'
t.test('a folder that belongs to another user', { skip: skipWithoutRoot }, async (t) => {
  const place = await mkdtemp(join(tmpdir(), 'steward-backups-'))
  t.teardown(() => rm(place, { recursive: true }))
  const added = async (folder: string): Promise<unknown> => {
    process.seteuid?.(65_534)
    try {
      return await openFolder(folder).add('one', (draft) => writeFile(draft, ''))
    } catch (error) {
      return error
    } finally {
      process.seteuid?.(0)
    }
  }
  // As a volume that a group may write to.
  await chmod(place, 0o2777)
  t.match(await added(place), {
    name: 'BackupFileError',
    message: /it belongs to one of them: set it to a new folder in it/,
  })
  t.equal(await added(join(place, 'new')), undefined)
  t.equal((await stat(join(place, 'new'))).mode & 0o777, 0o700)
})

t.test('a backup is a proven file', async (t) => {
  const { db } = await testDatabase(t)
  const { backups, folder, raised, again } = await open(t, { db })
  const handlers = backupsHandlers({ db, backups, timeZone: 'UTC' })
  const user = await signedIn(db, 'li.na')
  const create = (type: 'auto' | 'manual') =>
    handlers.createBackup({ body: { type }, user } as never) as Promise<BackupRecord>

  const first = await create('manual')
  t.match(first, { type: 'Manual backup', status: 'success', size: /^\d+\.\d KB$/, time: /^\d{4}(-\d\d){2} [\d:]{8}$/ })
  t.same(await readdir(folder), [first.path])
  t.equal((await stat(join(folder, first.path))).mode & 0o777, 0o600)
  t.equal((await stat(folder)).mode & 0o777, 0o700)
  t.match(await create('auto'), { type: 'Automatic backup', status: 'success' })
  t.same(
    (await listed(handlers)).map(({ type }) => type),
    ['Automatic backup', 'Manual backup'],
  )

  const other = again({})
  const [one, two] = await Promise.all([
    backups.create({ type: 'auto', creator: '' }),
    other.create({ type: 'manual', creator: '' }),
  ])
  t.equal(one.id, two.id, 'a second request while a backup is made gets that backup')
  t.equal(raised.length, 0)

  await t.test('that is not restored without a user in it who may do everything', async (t) => {
    await addAdministrator(db)
    const { id } = await backups.create({ type: 'manual', creator: '' })
    const refusal = {
      kind: 'conflict',
      message: /cannot be restored: it contains no enabled user with an enabled role of sort 1/,
    }
    for (const weakness of [
      sql`update users set status = 2`,
      sql`with u as (update users set status = 1) update roles set status = 2`,
      sql`update roles set status = 1, sort = 2`,
    ]) {
      await db.execute(weakness)
      const weak = await backups.create({ type: 'manual', creator: '' })
      await t.rejects(backups.restore(weak.id, '', 'operator'), refusal)
    }
    t.match(
      await backups.restore(id, '', 'operator'),
      { backupId: id },
      'a backup with an administrator can be restored',
    )
    const [session] = await db.execute<{ id: string }>(sql`
      with weak as (insert into users (username, username_key, nickname) values ('weak', 'weak', '') returning id)
      insert into sessions (id, user_id, token_id) select gen_random_uuid(), id, gen_random_uuid() from weak returning id`)
    const caller = { userId: 987_654, sessionId: session?.id ?? '' }
    await t.rejects(backups.restore(id, '', caller), { message: /only a user with a role of sort 1/ })
    await db.execute(sql`update sessions set ended_at = now()`)
    await t.rejects(backups.restore(id, '', caller), { message: /the session has ended/ })
  })

  await t.test('of the same moment, whatever is written meanwhile', async (t) => {
    let writing = true
    const writer = (async () => {
      for (let n = 0; writing; n++) {
        await db.execute(sql`
          with u as (insert into users (username, username_key, nickname) values ('p' || ${n}::text, 'p' || ${n}::text, '') returning id),
            d as (insert into devices (name, type, status, token_hash) values ('p' || ${n}::text, '', 'online', ${n}::text) returning id)
          select from u, d`)
      }
    })()
    const { id } = await backups.create({ type: 'manual', creator: '' })
    writing = false
    await writer
    await backups.restore(id, 'li.na', 'operator')
    const [row] = await db.execute<{ same: boolean }>(
      sql`select (select count(*) from users where username like 'p%') = (select count(*) from devices) as same`,
    )
    t.ok(row?.same)
  })

  await t.test('which fails where it cannot be written', async (t) => {
    const blocked = join(folder, 'a file')
    await writeFile(blocked, '')
    const failed = await again({ folder: blocked }).create({ type: 'manual', creator: '' })
    t.equal(failed.status, 'failed')
    t.match(raised.at(-1), { cause: 'backup failed', level: 'danger', description: /BACKUP_DIR is not a directory/ })
    t.match((await listed(handlers))[0], { id: failed.id, status: 'failed', size: '0 B' })
    await rm(blocked)
  })

  const gone = '2026-01-31T03-00-00Z-1f3a9c.backup'
  await t.test('and whose files are deleted when the instance that made it is gone', async (t) => {
    await db.execute(sql`
      insert into backups (type, status, path, format_version, lease_owner, lease_until)
      values ('auto', 'running', ${gone}, 1, gen_random_uuid(), now() - interval '1 s')`)
    await writeFile(join(folder, `${gone}.part`), 'half')
    await writeFile(join(folder, gone), 'unproven')
    await writeFile(join(folder, 'of-another-program.part'), 'half')
    await backups.tidy()
    const [dead] = await db.execute(sql`select status, error from backups where path = ${gone}`)
    t.match(dead, { status: 'failed', error: 'the instance that made it has stopped' })
    const left = await readdir(folder)
    t.notOk(left.some((name) => name.startsWith(gone)))
    t.ok(left.includes('of-another-program.part'), 'what it did not write stays')
  })

  await t.test('but not the draft that another installation writes in the same folder', async (t) => {
    const [strange, old] = ['2026-01-31T03-00-01Z-1f3a9c.backup.part', '2026-01-31T03-00-02Z-1f3a9c.backup.part']
    const twoDaysAgo = new Date(Date.now() - 2 * 86_400_000)
    for (const name of [strange, old]) await writeFile(join(folder, name), 'half')
    await utimes(join(folder, old), twoDaysAgo, twoDaysAgo)
    await backups.tidy()
    const left = await readdir(folder)
    t.ok(left.includes(strange), 'it is being written')
    t.notOk(left.includes(old), 'no one writes it any more')
    await rm(join(folder, strange))
  })

  await t.test('whose record stays while its file cannot be removed', async (t) => {
    const blocked = join(folder, 'another file')
    await writeFile(blocked, '')
    const refusal = { kind: 'conflict', message: /cannot be removed: BACKUP_DIR is not a directory/ }
    await t.rejects(again({ folder: blocked }).remove(first.id), refusal)
    t.ok((await listed(handlers)).some(({ id }) => id === first.id))
    await rm(blocked)

    const { path: free } = await backups.create({ type: 'manual', creator: '' })
    const stuck = await backups.create({ type: 'manual', creator: '' })
    await rm(join(folder, stuck.path))
    await mkdir(join(folder, stuck.path))
    await backups.create({ type: 'manual', creator: '' })
    await db.execute(sql`update backups set started_at = now() - interval '91 days' where id <= ${stuck.id}`)
    await t.rejects(backups.tidy())
    t.notOk((await readdir(folder)).includes(free), 'one that stays does not keep the others')
    await rm(join(folder, stuck.path), { recursive: true })
  })

  await t.test('and that is deleted when it has expired', async (t) => {
    const [old] = await db.execute<{ id: string; path: string }>(sql`
      update backups set started_at = now() - interval '91 days' where id = ${first.id} returning id, path`)
    await backups.tidy()
    t.notOk((await readdir(folder)).includes(String(old?.path)))
    t.notOk((await listed(handlers)).some(({ id }) => id === first.id))
    await t.rejects(backups.restore(first.id, '', 'operator'), { message: /removed/ })
    await t.rejects(backups.open(first.id), { message: /removed/ })
  })
})

t.test('a backup that another instance has given up ends, and leaves nothing', { skip: postgresMissing }, async (t) => {
  for (const { when, phases } of [
    { when: 'when its lease is to be renewed', phases: ['writing'] },
    { when: 'at its end, where no renewal came before', phases: ['writing', 'proving', 'recording'] },
  ]) {
    await t.test(when, async (t) => {
      const { db } = await testServerDatabase(t)
      mock.timers.enable({ apis: ['setInterval'] })
      t.teardown(() => mock.timers.reset())
      const { folder, raised, again } = await open(t, { db })
      let executed = 0
      const execute = async (statement: SQL) => {
        const rows = await db.execute(statement)
        executed += 1
        return rows
      }
      const watched = new Proxy(db, {
        get: (target, name) => (name === 'execute' ? execute : Reflect.get(target, name)),
      })
      const seen: string[] = []
      const debug = (details: object | string) =>
        typeof details === 'object' && seen.push(Reflect.get(details, 'phase'))
      const own = again({ database: { db: watched, kind: 'postgres' }, log: { ...silent, debug } })
      // Its folder is not that of the other: it removes its files itself.
      const other = again({ folder: join(folder, '..', 'others') })

      // The backup waits for this table before it reads anything.
      let release = (): void => {}
      const released = new Promise<void>((resolve) => {
        release = resolve
      })
      let holding: Promise<unknown> = Promise.resolve()
      await new Promise<void>((held) => {
        holding = db.transaction(async (tx) => {
          await tx.execute(sql`lock table devices in access exclusive mode`)
          held()
          await released
        })
      })
      const made = own.create({ type: 'manual', creator: '' })
      const waits = sql`select 1 from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`
      await eventually(async () => (await db.execute(waits)).length > 0, 'the backup waits')
      await db.execute(sql`update backups set lease_until = now() - interval '1 s' where status = 'running'`)
      await other.tidy()
      if (phases.length === 1) {
        const before = executed
        mock.timers.tick(10_000)
        await eventually(() => executed > before, 'a renewal')
      }
      release()
      await holding
      t.match(await made, { status: 'failed' })
      t.same(seen, phases)
      t.same(await readdir(folder), [], 'no file is left')
      t.match(await db.execute(sql`select error from backups`), [{ error: 'the instance that made it has stopped' }])
      t.equal(raised.length, 1, 'one alert was raised')
    })
  }
})

t.test('a backup is downloaded as it is on the disk, by a caller who has stepped up', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'steward-data-'))
  t.teardown(() => rm(dataDir, { recursive: true, force: true }))
  const { call, db, token, app } = await steward(t, { directory: 'none', dataDir, database: await testDatabase(t) })
  const { again } = await open(t, { db })
  const { id, path } = await again({ folder: join(dataDir, 'backups') }).create({ type: 'manual', creator: '' })
  t.match(await call('downloadBackup', { token, params: { id } }), { code: 401, data: { required: 'second_factor' } })
  await db.execute(sql`update sessions set stepped_up_at = now()`)
  t.match(await call('downloadBackup', { token, params: { id: id + 1 } }), { code: 404 })
  const reply = await app.inject({
    url: `/api/v1/operations/backups/${id}/file`,
    headers: { authorization: `Bearer ${token}` },
  })
  const file = await readFile(join(dataDir, 'backups', path))
  t.ok(reply.rawPayload.equals(file))
  t.match(reply.headers, {
    'content-type': 'application/octet-stream',
    'content-length': String(file.length),
    'content-disposition': `attachment; filename="${path}"`,
  })

  const place = join(dataDir, 'backups', path)
  const refused = async (message: RegExp, name: string): Promise<void> => {
    const answer = await call('downloadBackup', { token, params: { id } })
    t.match({ status: answer.status, msg: answer.msg }, { status: 409, msg: message }, name)
  }
  const changed = Buffer.from(file)
  changed.writeUInt8(changed.readUInt8(file.length - 1) ^ 1, file.length - 1)
  await writeFile(place, changed)
  await refused(/another file has replaced it/, 'one bit altered')
  await writeFile(place, Buffer.concat([file, file]))
  await refused(/another file has replaced it/, 'a longer one')
  await writeFile(join(dataDir, 'elsewhere'), file)
  await rm(place)
  await symlink(join(dataDir, 'elsewhere'), place)
  await refused(/it is a symbolic link, which is not followed/, 'a link, even to the right bytes')
  await rm(place)
  await mkdir(place)
  await refused(/not a regular file/, 'a folder')
  await rm(place, { recursive: true })
  execFileSync('mkfifo', [place])
  await refused(/not a regular file/, 'a pipe, which is not waited for')
  await rm(place)
  t.match(await call('downloadBackup', { token, params: { id } }), { code: 404 })
  await writeFile(place, file)
  await db.execute(sql`update backups set path = '../elsewhere' where id = ${id}`)
  await refused(/is outside BACKUP_DIR/, 'a record that names a file elsewhere')
})

t.test('a file that is changed while it is sent never arrives whole', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'steward-backups-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  const file = join(folder, 'large')
  const bytes = randomBytes(3 * 1024 * 1024)
  await writeFile(file, bytes)
  const proof = { size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }
  t.ok(Buffer.concat(await (await openProvenFile(file, proof)).toArray()).equals(bytes))

  const sent = await openProvenFile(file, proof)
  const writer = await openFile(file, 'r+')
  await writer.write(Buffer.from([(bytes.at(-1) ?? 0) ^ 1]), 0, 1, bytes.length - 1)
  await writer.close()
  let arrived = 0
  await t.rejects(
    async () => {
      for await (const chunk of sent) arrived += chunk.length
    },
    { name: 'BackupFileError', message: /another file/ },
  )
  t.ok(arrived < bytes.length, 'its end is not sent')
})

t.test('a restore', { skip: skipWithoutSlapd }, async (t) => {
  const slapd = await testSlapd(t)
  const database = await testDatabase(t)
  const service = await steward(t, { directory: slapd, database })
  const { db, call, token, signIn } = service
  const principals = { dropped: 0 }
  const { backups, folder, seeded, again } = await open(t, { db, principals })
  const handlers = backupsHandlers({ db, backups, timeZone: 'UTC' })
  const restore = async (id: number, stepUp = true): Promise<Awaited<ReturnType<Backups['restore']>>> => {
    const [session] = await db.execute<{ id: string }>(
      sql`select id from sessions where ended_at is null order by created_at desc limit 1`,
    )
    const user = { userId: 1, username: 'admin', sessionId: session?.id } as Principal
    if (stepUp) await markSteppedUp(db, user)
    return handlers.restoreBackup({ params: { id }, user } as never) as never
  }
  const groups: number[] = []
  for (const groupName of ['North', 'South']) {
    groups.push((await call('addGroup', { token, body: { groupName, groupType: 'cn', parentId: 0 } })).data.id)
  }
  const ids: number[] = []
  for (const name of ['ann', 'bob', 'cid']) {
    ids.push((await call('addUser', { token, body: person(name, { departmentId: groups }) })).data.id)
  }
  await db.execute(sql`insert into posix_numbers (number, kind, record_id) values (300000, 'user', ${ids[0]})`)
  const { id } = await backups.create({ type: 'manual', creator: 'admin' })
  // As if the database were new, and a number had been given since.
  await db.execute(sql`update posix_numbers set number = 300001, record_id = 424242`)
  await db.execute(sql`
    insert into posix_numbers (number, kind, record_id) values (300000, 'user', ${ids[1]}), (300002, 'user', ${ids[0]})`)

  await call('deleteUsers', { token, body: { userIds: [ids[0]] } })
  await call('updateUser', { token, body: { id: ids[1], username: 'robert', departmentId: [groups[0]], roleIds: [] } })
  await call('addUser', { token, body: person('bob', { departmentId: [groups[1]] }) })
  await call('updateGroup', { token, body: { id: groups[0], groupName: 'Far North' } })
  const asked = { call, token }
  await becomesEqual(t, asked, slapd)
  const [before] = await db.execute<{ logs: string; backups: string }>(
    sql`select (select max(seq) from operation_logs) as logs, (select count(*) from backups) as backups`,
  )

  await t.rejects(restore(id, false), { message: /a second factor is required/ })

  await t.test('refuses what is damaged, gone, or newer, and changes nothing', async (t) => {
    const file = await fileOf(db, folder, id)
    await copyFile(file, join(folder, 'kept'))
    const bytes = await readFile(file)
    bytes.writeUInt8(bytes.readUInt8(2000) ^ 4, 2000)
    await writeFile(file, bytes)
    await t.rejects(restore(id), { message: /frame 1 was changed/ })
    const another = await backups.create({ type: 'manual', creator: '' })
    await copyFile(join(folder, another.path), file)
    await t.rejects(restore(id), { message: /another file has replaced it/ })
    await rm(file)
    await t.rejects(restore(id), { message: /its file does not exist/ })
    await copyFile(join(folder, 'kept'), file)
    await rm(join(folder, 'kept'))
    await t.rejects(restore(987), { message: 'id: backup 987 does not exist' })
    await t.rejects(again({ secrets: [`${key}!`] }).restore(id, '', 'operator'), { message: /another BACKUP_KEY/ })
    const open = await again({ secrets: [] }).create({ type: 'manual', creator: '' })
    await t.rejects(restore(open.id), { message: /it is not encrypted, .* BACKUP_KEY is set/ }, 'not by the operation')
    await db.execute(sql`update drizzle.__drizzle_migrations set created_at = created_at - 1`)
    await t.rejects(restore(id), { message: /newer version of Steward made it .* update first/ })
    await db.execute(sql`update drizzle.__drizzle_migrations set created_at = created_at + 1`)
    await becomesEqual(t, asked, slapd)
  })

  const restored = await restore(id)
  t.equal(restored.backupId, id)
  t.ok(restored.rows > 10)
  const numbers = await db.execute<{ number: string; record: string }>(sql`
    select number, record_id as record from posix_numbers order by number`)
  t.same(
    numbers.map(({ number, record }) => `${number} ${record}`),
    [`300000 ${ids[0]}`, '300001 424242', '300002 -300002'],
    'people have the POSIX numbers of the backup, and no other is given back',
  )
  t.equal(principals.dropped, 2, 'when it has the tables, and at its end')
  t.equal(seeded.times, 1)
  const [safety] = await db.execute(sql`select type, status from backups where id = ${restored.safetyBackupId}`)
  t.match(safety, { type: 'manual', status: 'success' })

  const [after] = await db.execute<{ logs: string; backups: string; open: string }>(sql`
    select (select max(seq) from operation_logs) as logs, (select count(*) from backups) as backups,
      (select count(*) from sessions where ended_at is null) as open`)
  t.ok(Number(after?.logs) >= Number(before?.logs), 'the operation log is not rewound')
  t.ok(Number(after?.backups) > Number(before?.backups), 'nor are the records of backups')
  t.equal(Number(after?.open), 0, 'all sessions have ended')

  const again2 = { call, token: await signIn('admin', service.config.adminPassword ?? '') }
  await becomesEqual(t, again2, slapd)
  const shown = await slapd.ldapsearch('-b', slapd.baseDn, '(objectClass=inetOrgPerson)', 'uid')
  for (const name of ['ann', 'bob', 'cid']) t.match(shown, `uid: ${name}\n`)
  t.notMatch(shown, /robert/)

  await restore(restored.safetyBackupId)
  const back = { call, token: await signIn('admin', service.config.adminPassword ?? '') }
  await becomesEqual(t, back, slapd)
  t.match(await slapd.ldapsearch('-b', slapd.baseDn, '(uid=robert)', 'uid'), 'uid: robert')
})
