import { type MigrationMeta, readMigrationFiles } from 'drizzle-orm/migrator'
import type { Sql, TransactionSql } from 'postgres'
import type { Logger } from '../runtime/log.ts'
import { type MigrationStep, stepsOf } from './migration-steps.ts'
import { migrationsFolder } from './schema-version.ts'

/** How the steps are carried out beside others who use the database. */
export interface Turns {
  /** Runs a step, again where it is in the way of others. */
  inTurn(step: () => Promise<unknown>): Promise<void>
  /** Runs a step for which transactions of others have to end: without the lock that an instance waits for at its start. */
  unlocked(step: () => Promise<unknown>): Promise<void>
  log: Logger
}

/** Rows that one statement changes: these are locked for some tenths of a second. */
const portion = 1000

/** Ids that are looked up at once. The query for them reads a whole table, so that these are many portions. */
const idsAtOnce = 100_000

/**
 * How much of a migration is done, while it is not done whole. Beside the list of migrations, and so in no backup: it is gone
 * when the migration is done.
 */
const table = 'drizzle.steward_migration'

/**
 * Applies what is missing to a database that others may be using. Each step is committed on its own, so that no table is
 * locked for longer than its step takes; the next attempt goes on where one was interrupted.
 * @param sql a client of one connection
 * @param newest the creation time of the newest migration that was applied
 */
export const migrateInSteps = async (sql: Sql, newest: number, turns: Turns): Promise<void> => {
  for (const migration of readMigrationFiles({ migrationsFolder })) {
    if (migration.folderMillis <= newest) continue
    const steps = stepsOf(migration)
    const begun = await stepsDone(sql, migration)
    for (const [index, step] of steps.entries()) {
      if (index < begun) continue
      const note = (tx: TransactionSql) => noteDone(tx, migration, index + 1 === steps.length ? null : index + 1)
      await carryOut(sql, step, note, turns)
    }
  }
}

const carryOut = async (
  sql: Sql,
  step: MigrationStep,
  note: (tx: TransactionSql) => Promise<void>,
  { inTurn, unlocked, log }: Turns,
): Promise<void> => {
  if (step.kind === 'together') {
    return inTurn(() =>
      sql.begin(async (tx) => {
        for (const statement of step.statements) await tx.unsafe(statement)
        await note(tx)
      }),
    )
  }
  if (step.kind === 'index') {
    log.info(
      `Migration: the index ${step.name} is built, which waits for transactions that have begun, such as backups`,
    )
    await unlocked(() => buildIndex(sql, step))
  } else {
    for await (const ids of idsOf(sql, step)) {
      if (ids.length > portion) log.info(`Migration: ${ids.length} rows are changed in portions`)
      for (let from = 0; from < ids.length; from += portion) {
        await inTurn(() => sql.unsafe(step.ofPortion(ids.slice(from, from + portion))))
      }
    }
  }
  await inTurn(() => sql.begin(note))
}

/** The ids in order, as many at once as fit into memory. */
async function* idsOf(sql: Sql, { ids }: { ids: string }): AsyncGenerator<string[]> {
  for (let last: string | undefined = '0'; last !== undefined; ) {
    const rows: { id: string }[] = await sql.unsafe<{ id: string }[]>(
      `select distinct ids.* from (${ids}) as ids (id) where id > ${last} order by id limit ${idsAtOnce}`,
    )
    yield rows.map(({ id }) => id)
    last = rows.at(-1)?.id
  }
}

/** One that was interrupted leaves an index which no query uses, and which every write has to keep up to date. */
const buildIndex = async (sql: Sql, { name, statement }: { name: string; statement: string }): Promise<void> => {
  const [there] = await sql<{ usable: boolean }[]>`
    select indisvalid as usable from pg_index where indexrelid = to_regclass(${`public."${name}"`})`
  if (there?.usable) return
  if (there) await sql.unsafe(`drop index concurrently public."${name}"`)
  await sql.unsafe(statement)
}

const stepsDone = async (sql: Sql, { folderMillis }: MigrationMeta): Promise<number> => {
  const [found] = await sql<{ there: boolean }[]>`select to_regclass(${table}) is not null as there`
  if (!found?.there) return 0
  const [row] = await sql<{ steps: number }[]>`select steps from ${sql(table)} where migration = ${folderMillis}`
  return row?.steps ?? 0
}

/** @param steps null: all */
const noteDone = async (
  tx: TransactionSql,
  { folderMillis, hash }: MigrationMeta,
  steps: number | null,
): Promise<void> => {
  if (steps === null) {
    await tx`insert into drizzle.__drizzle_migrations (hash, created_at) values (${hash}, ${folderMillis})`
    await tx.unsafe(`drop table if exists ${table}`)
    return
  }
  await tx.unsafe(`create table if not exists ${table} (migration bigint primary key, steps integer not null)`)
  await tx`
    insert into ${tx(table)} (migration, steps) values (${folderMillis}, ${steps})
    on conflict (migration) do update set steps = excluded.steps`
}
