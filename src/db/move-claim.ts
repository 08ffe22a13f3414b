import { sql as drizzleSql } from 'drizzle-orm'
import type { Sql } from 'postgres'
import { ConfigError } from '../failures/errors.ts'
import { printable } from '../terminal/printable.ts'
import type { Queryable } from './client.ts'
import { locks } from './locks.ts'

/**
 * Beside the list of migrations, and so in no backup: in a database that `steward move` fills, whose data it gets and
 * whether it has all of it. The service does not start on it before.
 */
// In a query it is `sql(table)`. As `sql.unsafe(table)` it would be a query of its own for our client, which never ends, and
// whose promise, without a handler, would end the process when the connection is lost.
const table = 'drizzle.steward_move'

/** Of a database that another one is moved into. */
export interface MoveClaim {
  /** See `identityOf`. */
  source: string
  /** null: the move has not finished. */
  finishedAt: Date | null
  /** A digest of what was copied; null: the move has not finished, or an earlier version made it, which noted none. */
  contents: string | null
}

/** @returns null: no move has begun here */
export const readMoveClaim = async (sql: Sql): Promise<MoveClaim | null> => {
  const [found] = await sql<{ there: boolean }[]>`select to_regclass(${table}) is not null as there`
  if (!found?.there) return null
  // An earlier version made the table without the last column.
  const [row] = await sql<{ source: string; finished: string | null; contents: string | null }[]>`
    select source, finished_at::text as finished, to_jsonb(claim)->>'contents' as contents from ${sql(table)} claim`
  if (row === undefined) return null
  const { source, finished, contents } = row
  return { source, finishedAt: finished === null ? null : new Date(finished), contents }
}

/**
 * Makes an empty database the target of a move, or takes up an earlier attempt of the same move. Two moves that begin at
 * once, or a service that starts meanwhile, take turns.
 * @param sql a client of one connection
 * @param source whose data it gets, see `identityOf`
 * @throws ConfigError when the database holds anything else
 */
export const claimForMove = async (sql: Sql, source: string): Promise<void> => {
  await sql`select pg_advisory_lock(${locks.migrations})`
  try {
    const problem = misfitOf(await readMoveClaim(sql), source, await relationsIn(sql))
    if (problem !== null) throw new ConfigError([problem])
    await sql.begin(async (tx) => {
      await tx`create schema if not exists drizzle`
      await tx.unsafe(`create table if not exists ${table} (
        id smallint primary key default 1 check (id = 1), source text not null,
        began_at timestamptz not null default now(), finished_at timestamptz)`)
      await tx.unsafe(`alter table ${table} add column if not exists contents text`)
      await tx`insert into ${tx(table)} (source) values (${source}) on conflict do nothing`
    })
  } finally {
    await sql`select pg_advisory_unlock(${locks.migrations})`.catch(() => {})
  }
}

/**
 * From now on the service starts on this database.
 * @param contents a digest of what was copied
 */
export const finishMove = async (sql: Sql, contents: string): Promise<void> => {
  await sql`update ${sql(table)} set finished_at = now(), contents = ${contents}`
}

/**
 * Keeps the target from being finished by another attempt until the transaction ends, and from being filled again afterwards,
 * when a service may use it.
 * @throws ConfigError when another attempt has finished meanwhile
 */
export const holdClaim = async (tx: Queryable): Promise<void> => {
  const [row] = await tx.execute<{ finished: boolean }>(
    drizzleSql.raw(`select finished_at is not null as finished from ${table} for update`),
  )
  if (row?.finished) throw new ConfigError(['--to: another attempt of this move has just finished'])
}

/** Whether a move into this database has begun and not finished. */
export const isMoveUnfinished = async (sql: Sql): Promise<boolean> => {
  const claim = await readMoveClaim(sql)
  return claim !== null && claim.finishedAt === null
}

/** @throws ConfigError when a move into this database has begun and not finished */
export const refuseUnfinishedMove = async (sql: Sql): Promise<void> => {
  if (!(await isMoveUnfinished(sql))) return
  throw new ConfigError([
    'DATABASE_URL (DATA_DIR, for the embedded database): a move into this database has not finished, so that it does not hold all data; repeat steward move, or use another database',
  ])
}

const identityTable = 'drizzle.steward_database'

/**
 * Gives a database an identity of its own, unless it has one. It is beside the list of migrations: no backup and no move
 * has it. The system identifier of PostgreSQL would not do: that of all embedded databases is the same (see
 * embedded/cluster.ts).
 * @param sql a client of one connection, which holds the lock of the migrations; they have made the schema
 */
export const ensureIdentity = async (sql: Sql): Promise<void> => {
  if ((await identityOf(sql)) !== null) {
    // Where the schema is up to date this is the first statement that a server refuses which accepts no changes.
    await sql`select from ${sql(identityTable)} for key share`
    return
  }
  await sql.unsafe(`create table if not exists ${identityTable} (
    id smallint primary key default 1 check (id = 1), identity uuid not null default gen_random_uuid())`)
  await sql`insert into ${sql(identityTable)} default values on conflict do nothing`
}

/** Recognizes a database, also after its service went on with it; null: no service of this version has started on it. */
export const identityOf = async (sql: Sql): Promise<string | null> => {
  const [found] = await sql<{ there: boolean }[]>`select to_regclass(${identityTable}) is not null as there`
  if (!found?.there) return null
  const [row] = await sql<{ identity: string }[]>`select identity from ${sql(identityTable)}`
  return row?.identity ?? null
}

/**
 * Why a database cannot be the target of a move; null: it can.
 * @param source null: it is not known
 */
export const misfitOf = (
  claim: MoveClaim | null,
  source: string | null,
  relations: readonly string[],
): string | null => {
  if (claim === null) {
    const some = printable(relations.slice(0, 3).join(', '))
    return some === '' ? null : `--to: the database is not empty (${some}); create an empty one for the move`
  }
  return source === null || claim.source === source
    ? null
    : '--to: another installation was moved into this database, or began to be; create an empty one for the move'
}

/** Tables, views and sequences that do not belong to an extension. */
export const relationsIn = async (sql: Sql): Promise<string[]> => {
  const rows = await sql<{ name: string }[]>`
    select format('%I.%I', n.nspname, c.relname) as name
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p', 'v', 'm', 'S', 'f') and n.nspname <> 'information_schema' and n.nspname !~ '^pg_'
      and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = c.oid and deptype = 'e')
    order by n.nspname, c.relname limit 4`
  return rows.map(({ name }) => name)
}
