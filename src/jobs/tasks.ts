import { randomUUID } from 'node:crypto'
import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { type TaskKind, tasks } from '../db/schema.ts'
import { AppError } from '../errors.ts'
import { errorRecord, type Logger } from '../log.ts'

/** Milliseconds between two writes of a task's progress. */
const interval = 1000
/** Seconds after which a task counts as dead if its instance does not renew the lease. */
const leaseSeconds = 30

/** Why a task failed whose instance is gone. */
export const instanceGone = 'the instance that ran it has stopped'

/** How far a task is. */
export interface TaskProgress {
  phase: string
  done: number
  /** null: not known. */
  total: number | null
}

export interface TaskOutcome {
  state: 'done' | 'failed'
  /** Why it failed. */
  message?: string
  result?: unknown
}

/** The interface of a task for its work. */
export interface Task {
  readonly id: number
  /** Says how far the work is; it is written at most once a second and never waited for. */
  note(phase: string, done?: number, total?: number | null): void
  /** Says how it ended. Never throws: the work is more important than what is said of it. */
  end(outcome: TaskOutcome): Promise<void>
}

export interface TaskRequest {
  kind: TaskKind
  creator: string
  backupId?: number
}

export interface Tasks {
  /** Begins a task; null: there may be one of this kind at a time, on all instances together, and there is one. */
  begin(request: TaskRequest): Promise<Task | null>
  /** Does work as a task: it ends as the work does. */
  carryOut<T>(request: TaskRequest, work: (task: Pick<Task, 'note'>) => Promise<T>): Promise<T>
  /** How far a task of this instance is, which is newer than its row; null: it is not one that is in progress here. */
  progressOf(id: number): TaskProgress | null
  /** Has this called whenever a task of this instance goes on, until the returned function is called. */
  onProgress(listener: () => void): () => void
}

/** Whether a row is that of a task whose instance is gone. */
export const isDead: SQL = sql`${tasks.state} = 'running' and (${tasks.leaseUntil} is null or ${tasks.leaseUntil} < now())`

/** Only texts that are meant for clients are told. */
const messageOf = (error: unknown): string =>
  error instanceof AppError ? error.message : 'internal error; see the log'

/** Long work besides runs, with its progress and its end. */
export const openTasks = ({ database, log }: { database: Pick<Database, 'db' | 'kind'>; log: Logger }): Tasks => {
  const { db, kind: databaseKind } = database
  const owner = randomUUID()
  const until = sql`now() + make_interval(secs => ${leaseSeconds})`
  // No other process can have the embedded database open.
  const isAbandoned =
    databaseKind === 'embedded'
      ? sql`${tasks.state} = 'running' and ${tasks.leaseOwner} is distinct from ${owner}`
      : isDead
  const underWay = new Map<number, TaskProgress>()
  const listeners = new Set<() => void>()
  const told = (): void => {
    for (const listener of listeners) listener()
  }

  const begin = async ({ kind, creator, backupId }: TaskRequest): Promise<Task | null> => {
    await db
      .update(tasks)
      .set({ state: 'failed', phase: '', finishedAt: sql`now()`, message: instanceGone })
      .where(isAbandoned)
    const [row] = await db
      .insert(tasks)
      .values({ kind, creator, backupId: backupId ?? null, leaseOwner: owner, leaseUntil: until })
      .onConflictDoNothing()
      .returning({ id: tasks.id })
    if (row === undefined) return null
    return taskOf(row.id)
  }

  const taskOf = (id: number): Task => {
    const mine = and(eq(tasks.id, id), eq(tasks.leaseOwner, owner), eq(tasks.state, 'running'))
    underWay.set(id, { phase: '', done: 0, total: null })
    told()
    let changed = false
    let writtenAt = performance.now()
    let writing: Promise<unknown> | null = null
    const write = (): void => {
      const isDue = changed || performance.now() - writtenAt > (leaseSeconds * 1000) / 3
      if (writing !== null || !isDue) return
      changed = false
      writtenAt = performance.now()
      // A write that fails does not matter: the next one replaces it.
      writing = db
        .update(tasks)
        .set({ ...underWay.get(id), leaseUntil: until })
        .where(mine)
        .catch(() => undefined)
        .finally(() => {
          writing = null
        })
    }
    const timer = setInterval(write, interval)
    return {
      id,
      note(phase, done = 0, total = null) {
        underWay.set(id, { phase, done, total })
        changed = true
        told()
      },
      async end({ state, message = '', result }) {
        clearInterval(timer)
        await writing
        const progress = underWay.get(id)
        try {
          await db
            .update(tasks)
            .set({
              ...progress,
              state,
              message,
              phase: '',
              finishedAt: sql`now()`,
              ...(result !== undefined && { result }),
            })
            .where(mine)
        } catch (error) {
          log.warn({ error: errorRecord(error), task: id }, 'the end of a task could not be recorded')
        }
        underWay.delete(id)
        told()
      },
    }
  }

  return {
    begin,

    async carryOut(request, work) {
      const task = await begin(request)
      try {
        const result = await work({ note: (...progress) => task?.note(...progress) })
        await task?.end({ state: 'done' })
        return result
      } catch (error) {
        await task?.end({ state: 'failed', message: messageOf(error) })
        throw error
      }
    },

    progressOf: (id) => underWay.get(id) ?? null,

    onProgress(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
