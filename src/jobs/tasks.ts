import { randomUUID } from 'node:crypto'
import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Database, Db } from '../db/client.ts'
import { isFree, isOf, leaseOf } from '../db/lease.ts'
import { type TaskKind, tasks } from '../db/schema.ts'
import { AppError } from '../failures/errors.ts'
import { errorRecord, type Logger } from '../runtime/log.ts'

/** Milliseconds between two writes of a task's progress. */
const interval = 1000
/** A task counts as dead if its instance does not renew the lease in this time. */
const lease = leaseOf(30)

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
  /** Reports the progress; it is written at most once a second and never waited for. */
  note(phase: string, done?: number, total?: number | null): void
  /** Records how it ended. Never throws: the work is more important than its record. */
  end(outcome: TaskOutcome): Promise<void>
}

export interface TaskRequest {
  kind: TaskKind
  creator: string
  backupId?: number
  /** The text of a failure; default: only texts that are meant for callers. */
  failureText?: (error: unknown) => string
}

/** A task that this instance carries out. */
export interface OwnTask extends TaskProgress, Pick<TaskRequest, 'kind' | 'creator' | 'backupId'> {
  id: number
  startedAt: Date
}

export interface Tasks {
  /** Begins a task; null: there may be one of this kind at a time, on all instances together, and there is one. */
  begin(request: TaskRequest): Promise<Task | null>
  /** Does work as a task: it ends as the work does. */
  carryOut<T>(request: TaskRequest, work: (task: Pick<Task, 'note'>) => Promise<T>): Promise<T>
  /** The tasks that this instance carries out now, with progress that is newer than in their rows. */
  own(): OwnTask[]
  /** Calls the listener whenever a task of this instance progresses, until the returned function is called. */
  onProgress(listener: () => void): () => void
}

/** Whether a row is that of a task whose instance is gone. */
export const isDead: SQL = sql`(${tasks.state} = 'running' and ${isFree(tasks)})`

/** Only texts that are meant for clients. */
const failureMessage = (error: unknown): string =>
  error instanceof AppError ? error.message : 'internal error; see the log'

/** Long work besides runs, with its progress and its end. */
export const openTasks = ({ database, log }: { database: Pick<Database, 'db' | 'kind'>; log: Logger }): Tasks => {
  const { db, kind: databaseKind } = database
  const owner = randomUUID()
  // No other process can have the embedded database open.
  const isAbandoned =
    databaseKind === 'embedded'
      ? sql`${tasks.state} = 'running' and ${tasks.leaseOwner} is distinct from ${owner}`
      : isDead
  const underWay = new Map<number, OwnTask>()
  const listeners = new Set<() => void>()
  const notifyListeners = (): void => {
    for (const listener of listeners) listener()
  }

  const begin = async ({ kind, creator, backupId }: TaskRequest): Promise<Task | null> => {
    await db
      .update(tasks)
      .set({ state: 'failed', phase: '', finishedAt: sql`now()`, message: instanceGone })
      .where(isAbandoned)
    const [row] = await db
      .insert(tasks)
      .values({ kind, creator, backupId: backupId ?? null, ...lease.taken(owner) })
      .onConflictDoNothing()
      .returning({ id: tasks.id, startedAt: tasks.startedAt })
    if (row === undefined) return null
    const nothing = { phase: '', done: 0, total: null }
    return taskOf({ ...row, kind, creator, ...(backupId !== undefined && { backupId }), ...nothing })
  }

  const taskOf = (begun: OwnTask): Task => {
    const { id } = begun
    const mine = and(eq(tasks.id, id), isOf(tasks, owner), eq(tasks.state, 'running'))
    let progress: TaskProgress = { phase: begun.phase, done: begun.done, total: begun.total }
    underWay.set(id, begun)
    notifyListeners()
    let changed = false
    let writtenAt = performance.now()
    let writing: Promise<unknown> | null = null
    const write = (): void => {
      const isDue = changed || performance.now() - writtenAt > (lease.seconds * 1000) / 3
      if (writing !== null || !isDue) return
      changed = false
      writtenAt = performance.now()
      // A write that fails does not matter: the next one replaces it.
      writing = db
        .update(tasks)
        .set({
          phase: progress.phase,
          done: progress.done,
          total: progress.total,
          leaseUntil: lease.taken(owner).leaseUntil,
        })
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
        progress = { phase, done, total }
        underWay.set(id, { ...begun, ...progress })
        changed = true
        notifyListeners()
      },
      async end({ state, message = '', result }) {
        clearInterval(timer)
        await writing
        const { done, total } = progress
        try {
          await db
            .update(tasks)
            .set({
              ...{ done, total },
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
        notifyListeners()
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
        await task?.end({ state: 'failed', message: (request.failureText ?? failureMessage)(error) })
        throw error
      }
    },

    own: () => [...underWay.values()],

    onProgress(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/** Days for which a task that has ended can be looked up. */
const keptDays = 30

/** Removes the tasks of long ago, but the newest verifications: the state of the operation log rests on them. */
export const sweepTasks = async (db: Db): Promise<void> => {
  await db.execute(sql`
    delete from tasks t where started_at < now() - make_interval(days => ${keptDays}) and state <> 'running'
      and not (kind = 'verification' and id in (
        select max(id) from tasks v where v.kind = 'verification' and v.state <> 'running' group by v.state))`)
}
