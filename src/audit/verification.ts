import { eq, sql } from 'drizzle-orm'
import { alertOf } from '../alerts/alert.ts'
import type { RaiseAlert } from '../alerts/alert-queue.ts'
import type { Background } from '../concurrency/background.ts'
import type { Db } from '../db/client.ts'
import { instantText, jsonObject } from '../db/json-record.ts'
import { operationLogs, tasks as taskRows } from '../db/schema.ts'
import type { components } from '../generated/operations.types.ts'
import { isDead, type Task, type Tasks } from '../jobs/tasks.ts'
import type { LogKeys } from './keys.ts'
import { verifyLog } from './verify.ts'
import type { Verdict } from './verify-rules.ts'

type Verification = components['schemas']['LogVerification']
type Chain = components['schemas']['LogChain']

export interface VerificationOptions {
  db: Db
  keys: LogKeys
  tasks: Pick<Tasks, 'begin'>
  background: Pick<Background, 'run'>
  raise: RaiseAlert
}

export interface Verifications {
  /** Starts one, or joins the one in progress on any instance. Returns the id of its task. */
  start(creator: string): Promise<{ id: number; joined: boolean }>
  /** Ends the one in progress here; call it when stopping begins. */
  stop(): void
}

/** Verifications of the whole chain, in the background. */
export const openVerifications = ({ db, keys, tasks, background, raise }: VerificationOptions): Verifications => {
  const stopping = new AbortController()

  const carryOut = async (task: Task): Promise<void> => {
    try {
      const verdict = await verifyLog(db, keys, {
        signal: stopping.signal,
        progress: (done, of) => task.note('verifying', done, of),
      })
      // First of all: a caller who sees that it ended sees what it found, and a stop in between loses no alert.
      if (verdict.broken !== null) await raise(alertOf('logBroken', verdict.broken))
      if (verdict.unchecked !== null) await raise(alertOf('logUnchecked', verdict.unchecked))
      await task.end({ state: 'done', result: verdict })
    } catch (error) {
      const message = stopping.signal.aborted ? 'the service was stopped' : 'internal error; see the log'
      await task.end({ state: 'failed', message })
      if (!stopping.signal.aborted) throw error
    }
  }

  return {
    async start(creator) {
      for (;;) {
        const task = await tasks.begin({ kind: 'verification', creator })
        if (task !== null) {
          background.run('the verification of the operation log', () => carryOut(task))
          return { id: task.id, joined: false }
        }
        // It may have ended meanwhile.
        const id = await runningVerification(db)
        if (id !== null) return { id, joined: true }
      }
    },
    stop: () => stopping.abort(),
  }
}

const isVerification = eq(taskRows.kind, 'verification')

/** The task of the verification in progress; null: no verification is in progress. */
export const runningVerification = async (db: Db): Promise<number | null> => {
  const [row] = await db
    .select({ id: taskRows.id })
    .from(taskRows)
    .where(sql`${isVerification} and ${taskRows.state} = 'running' and not ${isDead}`)
  return row?.id ?? null
}

/** The newest verification that ended; undefined: there was no verification yet. */
const lastVerification = async (db: Db): Promise<Verification | undefined> => {
  const [row] = await db
    .select({
      ended: jsonObject<Pick<Verification, 'id' | 'startedAt' | 'finishedAt' | 'creator' | 'failure'>>({
        id: taskRows.id,
        startedAt: instantText(taskRows.startedAt),
        finishedAt: instantText(taskRows.finishedAt),
        creator: taskRows.creator,
        failure: taskRows.message,
      }),
      verdict: sql<Verdict | null>`${taskRows.result}`,
    })
    .from(taskRows)
    .where(sql`${isVerification} and ${taskRows.state} <> 'running'`)
    .orderBy(sql`${taskRows.id} desc`)
    .limit(1)
  if (row === undefined) return undefined
  const { head, checked = 0, broken, unchecked, gaps = [] } = row.verdict ?? {}
  return {
    ...row.ended,
    ...{ checked, gaps },
    ...(head && { head }),
    ...(broken && { broken }),
    ...(unchecked && { unchecked }),
  }
}

/** What the last completed verification found. */
const stateOf = async (db: Db): Promise<Chain['state']> => {
  const [row] = await db
    .select({ verdict: sql<Verdict>`${taskRows.result}` })
    .from(taskRows)
    .where(sql`${isVerification} and ${taskRows.state} = 'done'`)
    .orderBy(sql`${taskRows.id} desc`)
    .limit(1)
  if (row === undefined) return 'unknown'
  const { broken, unchecked, gaps } = row.verdict
  if (broken !== null) return 'broken'
  return unchecked !== null || gaps.length > 0 ? 'incomplete' : 'intact'
}

/** The chain as it is and as it was last verified. Nothing is verified. */
export const chainState = async (db: Db): Promise<Omit<Chain, 'waiting' | 'running'>> => {
  const [head] = await db.execute<{ seq: string; hash: string; at: string | null; first: string }>(sql`
    select head.seq, head.hash,
      (select ${instantText(operationLogs.startTime)} from ${operationLogs} where ${operationLogs.seq} = head.seq) as at,
      (select coalesce(min(${operationLogs.seq}), 0) from ${operationLogs}) as first
    from operation_log_head as head`)
  const [seq, first] = [Number(head?.seq ?? 0), Number(head?.first ?? 0)]
  const verification = await lastVerification(db)
  return {
    head: { seq, hash: head?.hash ?? '', at: head?.at ?? null },
    first,
    entries: first === 0 ? 0 : seq - first + 1,
    state: await stateOf(db),
    ...(verification && { verification }),
  }
}
