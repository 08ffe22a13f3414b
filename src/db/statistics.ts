import { sql } from 'drizzle-orm'
import type { Sql } from 'postgres'
import { errorRecord, type Logger } from '../runtime/log.ts'
import type { Db } from './client.ts'
import { regularly } from './regularly.ts'
import { isUnavailable } from './unavailable.ts'

/** Milliseconds between two checks. */
const interval = 5000
/** Changed rows below which the plans do not matter. */
const fewRows = 100

/**
 * Takes the statistics of tables that have doubled since they were last taken. A server does so by itself within
 * minutes, the embedded database never. Until then PostgreSQL plans as if the tables were almost empty, and reads all rows
 * to find one: a new installation that is filled at once would slow down with every person.
 * @returns a function that stops it.
 */
export const keepStatistics = (client: Sql, log: Logger): (() => void) =>
  regularly(
    interval,
    async () => void (await analyzeGrown(client)),
    (error) => {
      // While the database is not available, everything else says so.
      if (!isUnavailable(error)) log.warn({ error: errorRecord(error) }, 'the statistics of tables were not renewed')
    },
  )

/** One check. @returns the tables whose statistics were taken */
export const analyzeGrown = async (client: Sql): Promise<string[]> => {
  const rows = await client.unsafe<{ name: string }[]>(`
    select quote_ident(s.schemaname) || '.' || quote_ident(s.relname) as name
    from pg_stat_user_tables s join pg_class c on c.oid = s.relid
    where s.schemaname = current_schema() and s.n_mod_since_analyze >= greatest(${fewRows}, c.reltuples)
      and pg_has_role(c.relowner, 'usage')`)
  const names = rows.map(({ name }) => name)
  // Without those that something else analyzes at this moment.
  if (names.length > 0) await client.unsafe(`analyze (skip_locked) ${names.join(', ')}`)
  return names
}

/** Pages (8 KiB) below which it does not matter how a table is read. */
const fewPages = 8

/**
 * Takes the statistics of one table if it has doubled since, for work on many rows that were stored a moment ago: the
 * regular check comes seconds later, and the counts that it goes by are late themselves.
 * @returns whether it took them
 */
export const analyzeIfGrown = async (db: Db, table: string): Promise<boolean> => {
  const [row] = await db.execute<{ grown: boolean }>(sql`
    select pg_relation_size(oid) > 2 * current_setting('block_size')::int * greatest(relpages, ${fewPages})
      and pg_has_role(relowner, 'usage') as grown
    from pg_class where oid = ${table}::regclass`)
  if (row?.grown !== true) return false
  await db.execute(sql`analyze (skip_locked) ${sql.identifier(table)}`)
  return true
}
