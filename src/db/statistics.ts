import type { Sql } from 'postgres'
import { errorRecord, type Logger } from '../log.ts'
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
export const keepStatistics = (sql: Sql, log: Logger): (() => void) =>
  regularly(
    interval,
    async () => void (await analyzeGrown(sql)),
    (error) => {
      // While the database is not available, everything else says so.
      if (!isUnavailable(error)) log.warn({ error: errorRecord(error) }, 'the statistics of tables were not renewed')
    },
  )

/** One check. @returns the tables whose statistics were taken */
export const analyzeGrown = async (sql: Sql): Promise<string[]> => {
  const rows = await sql.unsafe<{ name: string }[]>(`
    select quote_ident(s.schemaname) || '.' || quote_ident(s.relname) as name
    from pg_stat_user_tables s join pg_class c on c.oid = s.relid
    where s.schemaname = current_schema() and s.n_mod_since_analyze >= greatest(${fewRows}, c.reltuples)
      and pg_has_role(c.relowner, 'usage')`)
  const names = rows.map(({ name }) => name)
  // Without those that something else analyzes at this moment.
  if (names.length > 0) await sql.unsafe(`analyze (skip_locked) ${names.join(', ')}`)
  return names
}
