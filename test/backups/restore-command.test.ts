import { existsSync } from 'node:fs'
import { copyFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { sql } from 'drizzle-orm'
import { Secret, TOTP } from 'otpauth'
import t from 'tap'
import { writeBackup } from '../../src/backups/write.ts'
import { readArguments } from '../../src/commands/restore/arguments.ts'
import { type Database, openDatabase } from '../../src/db/client.ts'
import { runCommand } from '../commands/run-command.ts'
import { copyTemplate, postgresMissing, silent, testDatabase, testPostgres } from '../database.ts'
import { eventually } from '../eventually.ts'
import { adminPassword, steward } from '../steward.ts'

// npm run restore: a file that no record tells of, into a new installation and into one that runs.

t.setTimeout(600_000)

const folder = await mkdtemp(join(tmpdir(), 'steward-restore-'))
t.teardown(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }))
const key = 'a-key-of-thirty-two-characters-or-more'

/** The installation that is lost: two people, one of them with an authenticator app, and a backup. */
const lost = await steward(t, { directory: 'none', database: await testDatabase(t), env: { BACKUP_KEY: key } })
const ann = await lost.person('ann', { roleIds: [1] })
await lost.person('bob', { roleIds: [2] })
const { secret } = (await lost.call('enrolTotp', { token: ann.token, body: { password: ann.password } })).data
const code = TOTP.generate({ secret: Secret.fromBase32(secret) })
const { recoveryCodes } = (await lost.call('confirmTotp', { token: ann.token, body: { code } })).data
const annSignsIn = { username: 'ann', password: ann.password, code: recoveryCodes[0] ?? '' }
const made = (await lost.call('createBackup', { token: lost.token, body: { type: 'manual' } })).data
const file = join(folder, 'kept elsewhere.backup')
await copyFile(join(lost.config.backupDir, made.path), file)

const run = (args: string[], env: Record<string, string>, answer = '') =>
  runCommand('restore', args, { env: { BACKUP_KEY: key, ...env }, folder, answer })

const namesIn = async ({ db }: Pick<Database, 'db'>): Promise<string[]> => {
  const rows = await db.execute<{ username: string }>(sql`select username from users order by username`)
  return rows.map(({ username }) => username)
}

t.test('an impossible restore is refused before anything is changed', async (t) => {
  const dataDir = join(folder, 'untouched')
  const damaged = join(folder, 'damaged.backup')
  const bytes = await readFile(file)
  bytes.writeUInt8(bytes.readUInt8(2000) ^ 4, 2000)
  await writeFile(damaged, bytes)
  const open = join(folder, 'open.backup')
  await writeBackup(lost.db, { file: open, secret: null })
  for (const [args, problem] of [
    [[], /^Which file\?[\s\S]*Usage: npm run restore/],
    [[file, '--force'], /'--force'[\s\S]*Exit code/],
    [[file, damaged], /^An argument is too many/],
  ] as const) {
    t.throws(() => readArguments(args), { name: 'UsageError', message: problem })
  }
  t.equal(readArguments(['-h']), null)
  const env = { DATA_DIR: dataDir }
  const refused = await Promise.all([
    run([], env),
    run(['nowhere.backup', '--yes'], env),
    run([damaged, '--yes'], env),
    run([file, '--yes'], { ...env, BACKUP_KEY: `${key}!` }),
    run([open, '--yes'], env),
  ])
  for (const [index, said] of [
    /Which file/,
    /nowhere\.backup cannot be restored: its file does not exist/,
    /damaged\.backup cannot be restored: it is damaged: frame 1 was changed/,
    /another BACKUP_KEY/,
    /open\.backup cannot be restored: it is not encrypted, .* BACKUP_KEY is set; .* --allow-unencrypted/,
  ].entries()) {
    t.match(refused[index], { status: 2, stdout: '', stderr: said })
  }
  t.notOk((await readdir(folder)).includes('untouched'))
})

t.test('into a new installation on embedded defaults, and then into that', async (t) => {
  const dataDir = join(folder, 'new')
  const env = { DATA_DIR: dataDir, JWT_SECRET: 'of the installation that was lost, kept elsewhere' }
  // Making one costs seconds; copying an empty one does not.
  await copyTemplate(dataDir)
  const declined = await run([file], env, 'no\n')
  t.match(declined, { status: 3, stdout: /There is nothing yet in the embedded database[\s\S]*Nothing was changed/ })
  const restored = await run([file], env, 'restore\n')
  t.match(restored, { status: 0, stdout: /^A backup of \d{4}(-\d\d){2} [\d:]{8} \(UTC\), [\d.]+ KB, made by Steward/ })
  t.match(restored.stdout, /^users +3 +replaces what is there$/m)
  t.match(restored.stdout, /^sessions +\d+ +stays as it is there$/m)
  t.match(restored.stdout, /^Schema \d{4}_\w+; head of the operation log: entry \d+, /m)
  t.notMatch(restored.stdout, /What was there before/)

  const shown = await run(['open.backup', '--allow-unencrypted'], env, 'no\n')
  t.match(shown, { status: 3, stdout: /not encrypted: nothing proves who made it/ }, 'with the option the file is read')

  const database = await openDatabase({ url: null, dataDir, log: silent, durable: false })
  t.same(await namesIn(database), ['admin', 'ann', 'bob'])
  const busy = await run([file, '--yes'], env)
  t.match(busy, {
    status: 2,
    stderr: /the service that runs on .* has the embedded database for itself; stop it first/,
  })

  const service = await steward(t, { directory: 'none', dataDir, database })
  t.match((await service.call('listAlerts', { token: service.token })).data.alerts, [
    { title: 'A backup was restored at the terminal', level: 'warning', description: /kept elsewhere\.backup/ },
  ])
  t.match(
    await service.call('login', { body: annSignsIn }),
    { code: 0 },
    'the code is not used yet in this installation',
  )
  await service.person('cid', { roleIds: [2] })
  await service.close()
  await database.close()

  const again = await run([file, '--yes'], env)
  t.match(again, {
    status: 0,
    stdout: /is replaced, after a backup was made of it/,
    stderr: /Making a backup[\s\S]*Loading/,
  })
  const [, safety = ''] = /What was there before is in (.*)$/m.exec(again.stdout) ?? []
  t.same(await readdir(join(dataDir, 'backups')), [basename(safety)])
  const keyless = await run(['open.backup', '--yes'], { ...env, BACKUP_KEY: '' })
  t.match(keyless, {
    status: 2,
    stderr:
      /open\.backup cannot be restored: it is not encrypted.* and the newest backup of this installation is\. Set BACKUP_KEY/,
  })
  const backup = await runCommand('steward', ['backup'], { env: { BACKUP_KEY: key, ...env }, folder })
  t.match(backup, { status: 0, stderr: '', stdout: /\.backup\n.* read back and proven, encrypted with BACKUP_KEY\n$/ })
  t.ok(existsSync(backup.stdout.split('\n')[0] ?? ''), 'it is where the command says')
  const back = await run([basename(safety), '--yes'], env)
  t.match(back, { status: 0 }, 'a file in BACKUP_DIR by its name')
  const after = await openDatabase({ url: null, dataDir, log: silent, durable: false })
  t.teardown(after.close)
  t.same(await namesIn(after), ['admin', 'ann', 'bob', 'cid'])
  const [used] = await after.db.execute(
    sql`select count(*)::int as count from recovery_codes where used_at is not null`,
  )
  t.same(used, { count: 1 }, 'a code used after the backup stays used')
})

t.test('into a database that a service runs on', { skip: postgresMissing }, async (t) => {
  const { url } = await testPostgres(t)
  const database = await openDatabase({ url, dataDir: '', log: silent })
  t.teardown(database.close)
  const service = await steward(t, { directory: 'none', database })
  await service.person('eve', { roleIds: [1] })
  const env = {
    DATABASE_URL: url,
    DATA_DIR: join(folder, 'beside'),
    JWT_SECRET: service.config.jwtSecret ?? 'x'.repeat(32),
  }

  let release = (): void => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  // What a restore of the service takes before all else.
  const holding = database.db.transaction(async (tx) => {
    await tx.execute(sql`lock table directory_entries in exclusive mode`)
    await held
  })
  const restoring = run([file, '--yes'], env)
  await eventually(async () => {
    const [row] = await database.db.execute(sql`
      select from pg_locks where not granted and relation = 'directory_entries'::regclass`)
    return row
  }, 'the wait for the lock')
  t.same(await namesIn(database), ['admin', 'eve'])
  release()
  await holding
  t.match(await restoring, { status: 0, stdout: /is replaced, after a backup/ })
  t.same(await namesIn(database), ['admin', 'ann', 'bob'])
  t.match(await service.call('getUserInfo', { token: service.token }), { code: 401 }, 'all sessions have ended')
  t.match(await service.call('login', { body: annSignsIn }), { code: 0 })
  t.ok(await service.signIn('admin', adminPassword))
})
