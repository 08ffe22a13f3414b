import type { Sql } from 'postgres'
import { errorRecord, type Logger } from '../../runtime/log.ts'
import { regularly } from '../regularly.ts'

/** Milliseconds between two checks. */
const interval = 30_000
/** Bytes of write-ahead log after which upkeep is due: bounds the folder's size and the time a recovery takes. */
const due = 64 * 1024 * 1024

/**
 * Does the work of a server's background processes, which the embedded database does not have: vacuum, statistics and a
 * checkpoint whenever enough was written.
 * @returns a function that stops it.
 */
export const startUpkeep = (sql: Sql, log: Logger): (() => void) =>
  regularly(
    interval,
    async () => {
      const started = performance.now()
      if (!(await keepUp(sql))) return
      log.debug({ milliseconds: Math.round(performance.now() - started) }, 'Embedded database: vacuum and checkpoint')
    },
    (error) => log.warn({ error: errorRecord(error) }, 'Embedded database: upkeep failed and will be tried again'),
  )

/** One check: does the work that is due. @returns whether there was any */
export const keepUp = async (sql: Sql): Promise<boolean> => {
  const [state] = await sql.unsafe<{ due: boolean }[]>(
    `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn) > ${due} as due from pg_control_checkpoint()`,
  )
  if (!state?.due) return false
  await sql.unsafe('vacuum (analyze)')
  await sql.unsafe('checkpoint')
  return true
}
