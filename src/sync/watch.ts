import { sql } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { runs } from '../db/schema.ts'
import type { RunContext } from './runs.ts'

/** Milliseconds between two writes of how far a run is: nobody looks more often than he can read. */
const interval = 500

export interface RunWatch {
  note: RunContext['progress']
  /** Waits for the write under way; nothing is written after. */
  close: () => Promise<void>
}

/** Writes down how far a run is, now and then. What cannot be written is of no importance a moment later. */
export const watchRun = (db: Db, id: number): RunWatch => {
  let latest: Parameters<RunContext['progress']> | null = null
  let writing: Promise<unknown> = Promise.resolve()
  const write = (): void => {
    if (latest === null) return
    const [phase, progress, progressOf] = latest
    latest = null
    writing = writing.then(() =>
      db
        .update(runs)
        .set({ phase, progress, progressOf })
        .where(sql`${runs.id} = ${id} and ${runs.state} = 'running'`)
        .catch(() => undefined),
    )
  }
  const timer = setInterval(write, interval)
  return {
    note: (...now) => {
      latest = now
    },
    close: async () => {
      clearInterval(timer)
      await writing
    },
  }
}
