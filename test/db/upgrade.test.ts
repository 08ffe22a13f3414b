import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { drizzle } from 'drizzle-orm/postgres-js'
import { migrate } from 'drizzle-orm/postgres-js/migrator'
import { Secret, TOTP } from 'otpauth'
import postgres, { type Sql } from 'postgres'
import t, { type Test } from 'tap'
import { openDatabase } from '../../src/db/client.ts'
import { locks } from '../../src/db/locks.ts'
import { knownMigrations, migrationsFolder } from '../../src/db/schema-version.ts'
import { postgresMissing, silent, testPostgres } from '../database.ts'
import { eventually } from '../eventually.ts'
import { person } from '../people/console.ts'
import { dataFolder, errorsIn, startServer } from '../server-process.ts'
import { adminPassword } from '../steward.ts'
import { runVerifyLog } from '../verify-log-process.ts'

// Databases of earlier versions are brought up to date, whole, from each migration on. A folder of fixtures has one of the
// oldest schema, and gets one of each release that has another schema (docs/releases.md).

t.setTimeout(600_000)

const fixtures = new URL('../fixtures/databases/', import.meta.url)
const dumps = readdirSync(fixtures).filter((name) => name.endsWith('.sql'))
const tags = knownMigrations().map(({ tag }) => tag)
const newest = tags.at(-1) ?? ''

const server = postgresMissing ? null : await testPostgres(t)
const administrator = server && postgres(server.url, { max: 1, onnotice: () => {} })
t.teardown(() => administrator?.end())

const create = async (name: string, template = 'template1'): Promise<string> => {
  await administrator?.unsafe(`create database ${name} template ${template} strategy file_copy`)
  const url = new URL(server?.url ?? '')
  url.pathname = `/${name}`
  return url.href
}

const connected = async <T>(url: string, use: (sql: Sql) => Promise<T>): Promise<T> => {
  const client = postgres(url, { max: 1, onnotice: () => {} })
  return use(client).finally(() => client.end())
}

/** As the service does at its start. */
const update = async (url: string, log = silent): Promise<void> => {
  const database = await openDatabase({ url, dataDir: '', log })
  await database.close()
}

/** The columns of each table. */
const tablesOf = async (sql: Sql): Promise<Map<string, Set<string>>> => {
  const rows = await sql<{ name: string; columns: string[] }[]>`
    select table_name as name, array_agg(column_name::text) as columns from information_schema.columns
    where table_schema = 'public' and table_name in (select tablename from pg_tables where schemaname = 'public')
    group by table_name order by table_name`
  return new Map(rows.map(({ name, columns }) => [name, new Set(columns)]))
}

/** What migrations take out on purpose: 0011 keeps these facts in a table of their own. */
const without = new Map([['facts', `where name not in ('directory', 'directory_shape')`]])

/** Every row, of the given columns only. */
const rowsOf = async (
  sql: Sql,
  tables: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<Record<string, string[]>> => {
  const found: Record<string, string[]> = {}
  for (const [name, columns] of tables) {
    const list = [...columns].map((each) => `"${each}"`).join(', ')
    const rows = await sql.unsafe<{ row: string }[]>(
      `select row_to_json(r)::text as row from (select ${list} from "${name}" ${without.get(name) ?? ''}) r`,
    )
    found[name] = rows.map(({ row }) => row).sort()
  }
  return found
}

/** Tables, columns, indexes, constraints, functions and triggers, as text. Columns that were added later come last. */
const schemaOf = (sql: Sql): Promise<string[]> =>
  sql<{ line: string }[]>`
    select format('%s.%s %s %s %s', table_name, column_name, data_type, is_nullable, column_default) as line
      from information_schema.columns where table_schema = 'public'
    union all select indexdef from pg_indexes where schemaname = 'public'
    union all select format('%s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) from pg_constraint
      where connamespace = 'public'::regnamespace
    union all select pg_get_functiondef(p.oid) from pg_proc p where pronamespace = 'public'::regnamespace
      and not exists (select from pg_depend where classid = 'pg_proc'::regclass and objid = p.oid and deptype = 'e')
    union all select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
    order by 1`.then((rows) => rows.map(({ line }) => line))

/** A folder with the migrations up to one of them. */
const migrationsUntil = (folder: string, tag: string): string => {
  const part = join(folder, tag)
  mkdirSync(join(part, 'meta'), { recursive: true })
  const journal = JSON.parse(readFileSync(join(migrationsFolder, 'meta/_journal.json'), 'utf8'))
  const entries = journal.entries.slice(0, tags.indexOf(tag) + 1)
  writeFileSync(join(part, 'meta/_journal.json'), JSON.stringify({ ...journal, entries }))
  for (const each of entries) cpSync(join(migrationsFolder, `${each.tag}.sql`), join(part, `${each.tag}.sql`))
  return part
}

t.ok(dumps.length > 0, 'there are databases of earlier versions')

for (const file of dumps) {
  const from = file.replace(/\.sql$/, '')
  t.test(`a database of ${from}`, { skip: postgresMissing }, async (t) => {
    t.ok(tags.includes(from), 'the file has the name of the newest migration in it')
    const source = `source_${tags.indexOf(from)}`
    const load = async (url: string): Promise<void> =>
      connected(url, async (sql) => void (await sql.unsafe(readFileSync(new URL(file, fixtures), 'utf8'))))
    const url = await create(source)
    await load(url)
    const { tables, before } = await connected(url, async (sql) => {
      const tables = await tablesOf(sql)
      return { tables, before: await rowsOf(sql, tables) }
    })
    t.ok((before.users?.length ?? 0) > 2 && (before.operation_logs?.length ?? 0) > 2, 'it has data')

    const direct = await create(`${source}_direct`, source)
    await update(direct)
    const schema = await connected(direct, schemaOf)
    const fresh = await create(`${source}_fresh`)
    await update(fresh)
    t.strictSame(schema, await connected(fresh, schemaOf), 'it gets the schema of a new database')
    const isWhole = async (url: string, from: string): Promise<void> => {
      const after = await connected(url, async (sql) => {
        const present = await tablesOf(sql)
        const both = [...tables].map(([name, columns]) => [
          name,
          new Set([...columns].filter((each) => present.get(name)?.has(each))),
        ])
        return rowsOf(sql, new Map(both as [string, Set<string>][]))
      })
      for (const [name, rows] of Object.entries(before)) t.strictSame(after[name], rows, `from ${from}: ${name}`)
    }
    await isWhole(direct, from)

    const folder = await mkdtemp(join(tmpdir(), 'steward-upgrade-'))
    t.teardown(() => rm(folder, { recursive: true, force: true }))
    // Each earlier state of the tables is updated, as by the version that knew no more migrations.
    for (const tag of tags.slice(tags.indexOf(from) + 1)) {
      await connected(url, (sql) => migrate(drizzle(sql), { migrationsFolder: migrationsUntil(folder, tag) }))
      const copy = await create(`${source}_at`, source)
      await update(copy)
      t.strictSame(await connected(copy, schemaOf), schema, `from ${tag}: the same schema`)
      await isWhole(copy, tag)
      await administrator?.unsafe(`drop database ${source}_at`)
    }
    const [last] = await connected(url, (sql) => sql`select count(*)::int as count from drizzle.__drizzle_migrations`)
    t.equal(last?.count, tags.length, `${newest} was applied one by one`)
  })
}

t.test('who uses a table is not held up by a migration that waits for it', { skip: postgresMissing }, async (t) => {
  const url = await create('served')
  await connected(
    url,
    async (sql) => void (await sql.unsafe(readFileSync(new URL('0000_initial.sql', fixtures), 'utf8'))),
  )
  let release = (): void => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  let hold = (): void => {}
  const held = new Promise<void>((resolve) => {
    hold = resolve
  })
  // As a backup does, for minutes.
  const backup = connected(url, (sql) =>
    sql.begin(async (tx) => {
      await tx`lock table directory_entries in access share mode`
      hold()
      await released
    }),
  )
  await held
  const told: unknown[] = []
  const updating = update(url, { ...silent, info: (line: unknown) => void told.push(line) })
  await connected(url, async (sql) => {
    await sql`set statement_timeout = '30s'`
    for (let times = 1; times <= 2; times++) {
      await eventually(
        async () =>
          (await sql`select from pg_locks where not granted and relation = 'directory_entries'::regclass`).length > 0,
        'the migration waits',
      )
      await sql`select count(*) from directory_entries`
    }
    const [row] = await sql`select max(created_at)::text as newest from drizzle.__drizzle_migrations`
    t.not(row?.newest, String(knownMigrations().at(-1)?.when), 'it is not done yet')
  })
  t.equal(told.filter((line) => /table is in use/.test(String(line))).length, 1, 'its log tells that once')
  release()
  await Promise.all([backup, updating])
  const [done] = await connected(url, (sql) => sql`select count(*)::int as count from drizzle.__drizzle_migrations`)
  t.equal(done?.count, tags.length, 'it is done when the table is free')
})

/** A database of the oldest schema; `tag`: brought up to that migration. */
const oldDatabase = async (t: Test, name: string, tag?: string): Promise<string> => {
  const url = await create(name)
  const folder = await mkdtemp(join(tmpdir(), 'steward-upgrade-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  // The dump leaves its session without a search path.
  await connected(url, (sql) => sql.unsafe(readFileSync(new URL('0000_initial.sql', fixtures), 'utf8')))
  if (tag !== undefined) {
    await connected(url, (sql) => migrate(drizzle(sql), { migrationsFolder: migrationsUntil(folder, tag) }))
  }
  return url
}

/** Holds a transaction that has read a table, as a backup does, until it is released. */
const reader = async (t: Test, url: string, table = 'users'): Promise<{ release(): Promise<void> }> => {
  const client = postgres(url, { max: 1, onnotice: () => {} })
  t.teardown(() => client.end({ timeout: 0 }))
  await client`begin isolation level repeatable read`
  await client`select count(*) from ${client(table)}`
  return { release: async () => void (await client`commit`) }
}

const isAsFresh = async (t: Test, url: string, name: string): Promise<void> => {
  const fresh = await create(name)
  await update(fresh)
  t.strictSame(await connected(url, schemaOf), await connected(fresh, schemaOf), 'the schema is that of a new database')
}

const indexesBeingBuilt = (sql: Sql): Promise<{ pid: number }[]> =>
  sql<
    { pid: number }[]
  >`select pid from pg_stat_progress_create_index where datname = current_database() and phase like 'waiting%'`

t.test('an index is built while others write, and others start', { skip: postgresMissing }, async (t) => {
  const url = await oldDatabase(t, 'indexed')
  const backup = await reader(t, url)
  const updating = update(url)
  await connected(url, async (sql) => {
    await eventually(async () => (await indexesBeingBuilt(sql)).length > 0, 'an index waits for the reader')
    await sql`set statement_timeout = '10s'`
    await sql`update users set position = 'of then' where id = 1`
    await sql`update groups set remark = 'of then'`
    // As an earlier release does at its start. With the lock held, each would wait for the other.
    await sql`select pg_advisory_lock(${locks.migrations})`
    await sql`select pg_advisory_unlock(${locks.migrations})`
    t.equal((await indexesBeingBuilt(sql)).length, 1, 'and goes on waiting')
  })
  const second = update(url)
  await backup.release()
  await Promise.all([updating, second])
  await isAsFresh(t, url, 'indexed_fresh')
})

t.test(
  'a migration that loses its connection does not go on without its locks',
  { skip: postgresMissing },
  async (t) => {
    const url = await oldDatabase(t, 'lost')
    const backup = await reader(t, url, 'directory_entries')
    const updating = update(url)
    await connected(url, async (sql) => {
      await sql`set statement_timeout = '20s'`
      const waiting = async () =>
        (await sql`select from pg_locks where not granted and relation = 'directory_entries'::regclass`).length > 0
      await eventually(waiting, 'the migration waits')
      const ended = async () =>
        (
          await sql`
          select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and state = 'idle' and pid in (
            select pid from pg_locks where locktype = 'advisory' and granted)`
        ).length > 0
      await eventually(ended, 'its connection is ended while it lets others pass')
      for (let times = 1; times <= 2; times++) {
        await eventually(waiting, 'it waits again')
        const [row] = await sql`select from pg_locks l where not granted and relation = 'directory_entries'::regclass
        and not exists (select from pg_locks where locktype = 'advisory' and granted and pid = l.pid)`
        t.equal(row, undefined, 'with the lock that keeps other instances out')
        await sql`select count(*) from directory_entries`
      }
    })
    await backup.release()
    await updating
    await isAsFresh(t, url, 'lost_fresh')
  },
)

t.test('a migration that was interrupted goes on where it was', { skip: postgresMissing }, async (t) => {
  const url = await oldDatabase(t, 'interrupted')
  const backup = await reader(t, url)
  const updating = t.rejects(openDatabase({ url, dataDir: '', log: silent, timeout: 0 }), 'it is interrupted')
  const unfinished = (sql: Sql) => sql`select from pg_index where not indisvalid`
  await connected(url, async (sql) => {
    await eventually(async () => (await indexesBeingBuilt(sql)).length > 0, 'an index waits for the reader')
    for (const { pid } of await indexesBeingBuilt(sql)) await sql`select pg_terminate_backend(${pid})`
    await updating
    t.equal((await unfinished(sql)).length, 1, 'a part of an index is there')
    t.equal((await sql`select from drizzle.steward_migration`).length, 1, 'and what was done is known')
    await backup.release()
    await update(url)
    t.equal((await unfinished(sql)).length, 0)
    t.match(await sql`select to_regclass('drizzle.steward_migration') as noted`, [{ noted: null }])
  })
  await isAsFresh(t, url, 'interrupted_fresh')
})

t.test('there are no ids of passwords before entries get them', { skip: postgresMissing }, async (t) => {
  const url = await oldDatabase(t, 'named', '0030_password_ids')
  await connected(url, async (sql) => {
    // As the previous release does, while the first instance of the next one has got as far as that.
    await sql`insert into users (username, username_key, nickname) values ('new', 'new', 'N')`
    await sql`insert into directory_entries (kind, record_id) select 'user', id from users where username = 'new'`
    const isOne = async () =>
      sql`select from users u join directory_entries e on e.kind = 'user' and e.record_id = u.id and e.password_id = u.password_id`
    for (const hash of ['one', 'two']) {
      await sql`update users set password_hash = ${hash} where username = 'new'`
      await sql`update directory_entries set synced_version = version, password_digest = ${hash} where kind = 'user'`
      t.equal((await isOne()).length, 1, 'the entry has the password of the record')
    }
  })
})

t.test('many rows are changed in portions', { skip: postgresMissing }, async (t) => {
  const url = await oldDatabase(t, 'portions', '0029_scheme_hashes')
  await connected(url, async (sql) => {
    await sql`
      insert into users (username, username_key, nickname) select 'p' || n, 'p' || n, 'P' from generate_series(1, 3000) n`
    await sql`
      insert into directory_entries (kind, record_id, withdraws_at)
      select 'user', id, case when id % 2 = 0 then now() end from users where username like 'p%'`
    // The previous release may write any of these entries at once.
    await sql.unsafe(`
      create function is_named() returns trigger language plpgsql as $$ begin
        if not exists (select from pg_trigger where tgname = 'directory_entries_password_id') then
          raise 'its entry would not get the id';
        end if;
        return new;
      end $$`)
    await sql`create trigger users_named before update on users for each row execute function is_named()`
    await update(url)
    const named = await sql<
      { id: string; tx: string }[]
    >`select id, xmin::text as tx from users where password_id is not null`
    t.equal(named.length, 1500)
    t.ok(
      named.every(({ id }) => Number(id) % 2 === 0),
      'those of whom something is withdrawn',
    )
    t.equal(new Set(named.map(({ tx }) => tx)).size, 2, 'in two transactions')
  })
})

t.test(
  'which password the account of a disabled person has, is not taken as known',
  { skip: postgresMissing },
  async (t) => {
    const url = await oldDatabase(t, 'disabled', '0029_scheme_hashes')
    await connected(url, async (sql) => {
      await sql`
      insert into users (username, username_key, nickname, status)
      values ('left', 'left', 'L', 2), ('none', 'none', 'N', 2), ('here', 'here', 'H', 1)`
      // In Active Directory the account of a disabled person keeps what it was given, also when the record gets another.
      await sql`
      insert into directory_entries (kind, record_id, password_digest)
      select 'user', id, case when username <> 'none' then 'held former' end from users
      where username in ('left', 'none', 'here')`
      await update(url)
      t.strictSame(
        [
          ...(await sql`select username from users where username in ('left', 'none', 'here') and password_id is not null`),
        ].map(({ username }) => username),
        ['left'],
        'whose entry has none: these two ids differ',
      )
    })
  },
)

t.test('the service goes on with the oldest database', { skip: postgresMissing }, async (t) => {
  const url = await create('oldest')
  await connected(url, async (sql) => {
    await sql.unsafe(readFileSync(new URL('0000_initial.sql', fixtures), 'utf8'))
  })
  const env = {
    DATABASE_URL: url,
    DATA_DIR: await dataFolder(t),
    JWT_SECRET: 'a-secret-of-a-fixture-which-is-long-enough',
    LOG_KEY: 'a-key-of-a-fixture-which-is-long-enough-too',
  }
  const service = await startServer(t, env)
  const token = await service.signIn('admin', adminPassword)
  const { people } = (await service.call('listPeople', { token, query: { pageSize: 20 } })).data
  t.strictSame(people.map(({ username }) => username).sort(), ['Zoë', 'admin', 'ann', 'bob'])
  t.match(await service.call('login', { body: { username: 'ann', password: 'ann has a password' } }), { code: 401 })
  const code = TOTP.generate({ secret: Secret.fromBase32('YRPRJK5XMZFV357S7OAMYAQGRPOHRC6V') })
  const ann = await service.call('login', { body: { username: 'ann', password: 'ann has a password', code } })
  t.equal(ann.code, 0, 'with the authenticator app of then')
  t.match(
    await service.call('login', { body: { username: 'bob', password: 'bob has a password' } }),
    { code: 401 },
    'disabled',
  )
  t.match((await service.call('listDevices', { token })).data.devices, [{ name: 'door' }])
  t.match((await service.call('listBackups', { token })).data.backups.length, 1)
  const body = person('cid', { password: 'cid has a password', roleIds: [2] })
  t.equal((await service.call('addUser', { token, body })).code, 0, 'people are added')
  await service.stop()
  t.strictSame(errorsIn(service.output()), [])
  t.equal((await runVerifyLog(env)).code, 0, 'the operation log is intact, what was written then and since')
})
