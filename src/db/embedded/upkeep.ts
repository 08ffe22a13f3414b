import type { Sql } from 'postgres'
import type { Logger } from '../../log.ts'

/** Milliseconds between two looks. */
const interval = 30_000
/** Bytes of write-ahead log after which upkeep is due: bounds the folder's size and the time a recovery takes. */
const due = 64 * 1024 * 1024

/**
 * What a server's background processes would do, of which the embedded database has none: vacuum, statistics and a
 * checkpoint whenever enough was written.
 * @returns a function that ends it.
 */
export const startUpkeep = (sql: Sql, log: Logger): (() => void) => {
  let busy = false
  const look = async (): Promise<void> => {
    if (busy) return
    busy = true
    try {
      if (await isDue(sql)) {
        const started = performance.now()
        await sql.unsafe('vacuum (analyze)')
        await sql.unsafe('checkpoint')
        log.debug({ milliseconds: Math.round(performance.now() - started) }, 'Embedded database: vacuum and checkpoint')
      }
    } catch (error) {
      log.warn({ err: error }, 'Embedded database: upkeep failed and will be tried again')
    } finally {
      busy = false
    }
  }
  const timer = setInterval(look, interval).unref()
  return () => clearInterval(timer)
}

const isDue = async (sql: Sql): Promise<boolean> => {
  const rows = await sql.unsafe<{ due: boolean }[]>(
    `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn) > ${due} as due from pg_control_checkpoint()`,
  )
  return rows[0]?.due === true
}
