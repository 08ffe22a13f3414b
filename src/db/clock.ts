import { sql } from 'drizzle-orm'
import { inTime } from '../concurrency/in-time.ts'
import { setClock } from '../runtime/clock.ts'
import { errorRecord, type Logger } from '../runtime/log.ts'
import type { Database, Db } from './client.ts'
import { regularly } from './regularly.ts'

/** Milliseconds between two looks at the clock of the database. */
const interval = 5000
/** Milliseconds by which the clock of the host may differ before that is logged. */
const tolerated = 5000

/** The clock of the database when `performance.now()` was 0, and by how much that may be wrong; milliseconds. */
interface Reading {
  zero: number
  error: number
}

const read = async (db: Db): Promise<Reading> => {
  const asked = performance.now()
  const [row] = await db.execute<{ at: number }>(sql`select extract(epoch from clock_timestamp())::float8 * 1000 as at`)
  const answered = performance.now()
  return { zero: Number(row?.at) - (asked + answered) / 2, error: (answered - asked) / 2 }
}

/**
 * Has the clock of the service follow that of the database, which all instances share: by clocks of their own one would
 * refuse the tokens, codes and locks of another, and remove what is not old. Between two looks it goes on steadily,
 * whatever happens to the clock of the host. The embedded database has the clock of the host.
 * @returns ends it
 */
export const followClock = async ({ db, kind }: Pick<Database, 'db' | 'kind'>, log: Logger): Promise<() => void> => {
  if (kind === 'embedded') return () => {}
  let known: Reading | null = null
  let isWrong = false

  const look = async (): Promise<void> => {
    const found = await read(db)
    // An answer that took long says less than an earlier one that it does not contradict.
    const isNews =
      known === null || found.error < known.error || Math.abs(found.zero - known.zero) > found.error + known.error
    if (!isNews) return
    known = found
    setClock(() => Math.floor(found.zero + performance.now()))
    const ahead = Math.round(Date.now() - performance.now() - found.zero)
    if (Math.abs(ahead) > tolerated + found.error === isWrong) return
    isWrong = !isWrong
    if (isWrong)
      log.warn({ seconds: ahead / 1000 }, 'the clock of this host is not that of the database, which is used')
  }
  const failed = (error: unknown): void =>
    log.debug({ error: errorRecord(error) }, 'the database does not say its time')

  // A start is not held up by a database that answers late.
  await inTime(interval, look().catch(failed), () => {})
  const stop = regularly(interval, look, failed)
  return () => {
    stop()
    setClock(null)
  }
}
