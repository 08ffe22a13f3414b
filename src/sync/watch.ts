import { sql } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { runs } from '../db/schema.ts'
import type { RunContext } from './runs.ts'

/** Milliseconds between two writes of a run's progress: no reader can read faster. */
const interval = 500

export interface RunWatch {
  note: RunContext['progress']
  /** Waits for the write in progress; nothing is written afterwards. */
  close: () => Promise<void>
}

/** Writes a run's progress from time to time. A write that fails does not matter: the next one replaces it. */
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
