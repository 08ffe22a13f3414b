import { readMigrationFiles } from 'drizzle-orm/migrator'
import postgres, { type Sql, type TransactionSql } from 'postgres'
import t from 'tap'
import { previousRelease } from '../../scripts/release/previous.ts'
import { stepsOf } from '../../src/db/migration-steps.ts'
import { knownMigrations, migrationsFolder } from '../../src/db/schema-version.ts'
import { postgresMissing, testPostgres } from '../database.ts'

// While others serve, a step of a migration holds its locks until it is committed. So no step may read or change as many
// rows as there are people: it would stop the service of an organisation of a million for minutes.

const isBuiltBeside = /^(?:\s|--.*\n)*create (?:unique )?index concurrently "/i

t.test('an index of a table that others use is built beside them', async (t) => {
  const index = 'UNIQUE INDEX "n" ON "users" USING btree ("nickname") WHERE "position" = \'index of\';'
  const [step] = stepsOf({ sql: [`-- An index for a list.\n\nCREATE ${index}`] })
  if (step?.kind !== 'index') return t.fail('it is a step')
  t.match(step.statement, isBuiltBeside)
  t.ok(step.statement.endsWith(' ON "users" USING btree ("nickname") WHERE "position" = \'index of\';'))
  const own = stepsOf({ sql: ['CREATE TABLE "users" ("nickname" text);', `CREATE ${index}`] })
  t.match(own, [{ kind: 'together' }], 'but no index of a table that only this instance knows')
})

/** People, and as many entries, sessions and lines of the operation log. */
const population = 3000

/** Rows of the tables of the service that have been read and changed until now. */
const touched = async (sql: TransactionSql): Promise<number> => {
  const [row] = await sql<{ rows: number }[]>`
    select coalesce(sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) + n_tup_ins + n_tup_upd + n_tup_del), 0)::int as rows
    from pg_stat_xact_user_tables where schemaname = 'public'`
  return row?.rows ?? 0
}

const populate = async (sql: Sql): Promise<void> => {
  await sql`
    insert into users (username, username_key, nickname, password_hash)
    select 'p' || n, 'p' || n, 'Person ' || n, 'hash' from generate_series(1, ${population}::int) n`
  await sql`
    insert into directory_entries (kind, record_id, withdraws_at)
    select 'user', id, case when id % 2 = 0 then now() end from users`
  await sql`
    insert into sessions (id, user_id, token_id) select gen_random_uuid(), id, gen_random_uuid() from users`
  await sql`
    insert into operation_logs (seq, method, path, status, start_time, time_cost, hash)
    select n, 'POST', '/', 200, now(), 1, '' from generate_series(1, ${population}::int) n`
}

/** Rows that statements touch in one transaction, which is then committed or taken back. */
const touchedBy = (sql: Sql, statements: readonly string[], keeps: boolean): Promise<number> =>
  sql.begin(async (tx) => {
    // What the session has not yet reported of earlier transactions counts, too.
    const before = await touched(tx)
    for (const statement of statements) await tx.unsafe(statement)
    const rows = (await touched(tx)) - before
    if (!keeps) await tx`rollback`
    return rows
  }) as Promise<number>

t.test('no step of a migration locks a table for long', { skip: postgresMissing }, async (t) => {
  const { url } = await testPostgres(t)
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  t.teardown(() => sql.end())
  const tags = knownMigrations().map(({ tag }) => tag)
  const previous = tags.indexOf(previousRelease().migration)
  const migrations = readMigrationFiles({ migrationsFolder })
  t.equal(migrations.length, tags.length)
  for (const { sql: statements } of migrations.slice(0, previous + 1)) {
    for (const statement of statements) await sql.unsafe(statement)
  }
  await populate(sql)

  for (const statement of [
    'alter table users add column badge uuid default gen_random_uuid()',
    'alter table users add constraint users_check check (id > 0)',
    'alter table users alter column position set not null, alter column position type varchar(200)',
    'alter table sessions add constraint sessions_user foreign key (user_id) references users (id)',
    'alter table directory_entries drop constraint directory_entries_directory_kind_record_id_pk, add primary key (record_id, kind)',
    'create index users_badge on users (position)',
    "update users set position = ''",
    'do $$ begin delete from operation_logs where times = 2; end $$',
  ]) {
    t.ok((await touchedBy(sql, [statement], false)) >= population, `this one would: ${statement}`)
  }

  for (const [index, migration] of migrations.entries()) {
    if (index <= previous) continue
    for (const step of stepsOf(migration)) {
      if (step.kind === 'together') {
        const rows = await touchedBy(sql, step.statements, true)
        t.ok(rows < population / 3, `${tags[index]} touches ${rows} rows: ${step.statements[0]?.slice(0, 100)}`)
      } else if (step.kind === 'index') {
        t.match(step.statement, isBuiltBeside, `${tags[index]} builds ${step.name} while others write`)
        await sql.unsafe(step.statement)
      } else {
        const ids = (await sql.unsafe<{ id: string }[]>(`select * from (${step.ids}) ids (id)`)).map(({ id }) => id)
        t.ok(ids.length >= population / 2, `${tags[index]} changes these in portions`)
        await sql.unsafe(step.ofPortion(ids))
      }
    }
  }
})
