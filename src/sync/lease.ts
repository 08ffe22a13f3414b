import { and, eq, type SQL, sql } from 'drizzle-orm'
import { changeFor } from '../access/committed.ts'
import type { Db, Tx } from '../db/client.ts'
import { conflictOn } from '../db/constraint.ts'
import { isFree, isHeld, isOf, type KeptLease, leaseOf, released } from '../db/lease.ts'
import { runs } from '../db/schema.ts'
import { countedColumns } from './done-counts.ts'
import { closeDecidedAlert } from './held-alert.ts'
import { brokenOff } from './problems.ts'
import { reasons } from './reasons.ts'
import type { Decider } from './run-request.ts'
import type { Run, RunOutcome, RunReport } from './runs.ts'

/** A run whose instance does not renew its lease counts as dead. */
export const lease = leaseOf(30)

export interface RunLease {
  /**
   * Begins a run and returns its id; null: its source has one already.
   * @throws AppError (unauthenticated, forbidden) when the session or the grant of its author has ended
   */
  begin(run: Run): Promise<number | null>
  /** Resumes a held run. false: it is not held. @throws AppError as `begin`; conflict when its source is busy */
  resume(id: number, by: Decider): Promise<boolean>
  /** The exclusive run of a source; null: it has no run, or the instance is dead. */
  running(source: string): Promise<{ id: number; kind: RunReport['kind']; dryRun: boolean } | null>
  isRunning(id: number): Promise<boolean>
  keep(id: number): KeptLease
  /** Records the result of the run, unless another instance has taken it. */
  end(id: number, outcome: RunOutcome): Promise<void>
}

const running = sql`${runs.state} = 'running'`
const dead = sql`${running} and ${isFree(runs)}`

/** A run that has ended, or was ended because its instance is gone. */
export interface EndedRun {
  id: number
  source: string
  kind: string
  dryRun: boolean
}

/** Called with runs whose instance is gone, in the transaction that ends them: exactly once, and never lost. */
export type OnDeadRuns = (tx: Tx, runs: readonly EndedRun[]) => Promise<void>

/** Called with a run, in the transaction that records its result: exactly once, and as soon as the database is there. */
export type OnEndedRun = (tx: Tx, run: EndedRun, outcome: RunOutcome) => Promise<void>

export interface LeaseOptions {
  db: Db
  owner: string
  onDeadRuns: OnDeadRuns
  onEndedRun: OnEndedRun
}

/** A run belongs to the instance that carries it out, as long as it renews the lease. */
export const runLease = ({ db, owner, onDeadRuns, onEndedRun }: LeaseOptions): RunLease => {
  const taken = lease.taken(owner)

  return {
    begin: ({ source, kind, exclusive, dryRun = false, creator, author }) =>
      changeFor(db, author, async (tx) => {
        const [row] = await tx
          .insert(runs)
          .values({ source, kind, exclusive, dryRun, creator, state: 'running', ...taken })
          .onConflictDoNothing()
          .returning({ id: runs.id })
        return row?.id ?? null
      }),

    async resume(id, { username, actor }) {
      try {
        const decided = { decidedBy: username, decidedAt: sql`now()` }
        return await changeFor(db, actor, async (tx) => {
          const [run] = await tx
            .update(runs)
            .set({ state: 'running', phase: 'applying', finishedAt: null, held: 0, ...taken, ...decided })
            .where(and(eq(runs.id, id), eq(runs.state, 'held')))
            .returning(endedColumns)
          if (run !== undefined) await closeDecidedAlert(tx, run)
          return run !== undefined
        })
      } catch (error) {
        if (conflictOn(error) !== 'runs_running_key') throw error
        throw reasons.source_taken()
      }
    },

    async running(source) {
      await closeRuns(db, onDeadRuns, sql`${runs.source} = ${source} and ${dead}`)
      const [row] = await db
        .select({ id: runs.id, kind: sql<RunReport['kind']>`${runs.kind}`, dryRun: runs.dryRun })
        .from(runs)
        .where(and(eq(runs.source, source), eq(runs.state, 'running'), runs.exclusive))
      return row ?? null
    },

    async isRunning(id) {
      const rows = await db
        .select({ id: runs.id })
        .from(runs)
        .where(sql`${runs.id} = ${id} and ${running} and ${isHeld(runs)}`)
      return rows.length > 0
    },

    keep: (id) => lease.keepRow(db, runs, owner, sql`${runs.id} = ${id} and ${running}`),

    async end(id, outcome) {
      const { gaps, heldBecause, ...rest } = outcome
      await db.transaction(async (tx) => {
        const [run] = await tx
          .update(runs)
          .set({
            ...(outcome.added === undefined && countedColumns),
            ...rest,
            ...stated(gaps, heldBecause),
            ...over,
          })
          .where(isMine(id, owner))
          .returning(endedColumns)
        if (run === undefined) return
        await onEndedRun(tx, run, outcome)
        await closeDecidedAlert(tx, run)
      })
    },
  }
}

/** What any run leaves behind that has ended, also one whose instance is gone: no progress, and no lease. */
const over = { phase: '', progress: 0, progressOf: null, finishedAt: sql`now()`, ...released }

const endedColumns = { id: runs.id, source: runs.source, kind: runs.kind, dryRun: runs.dryRun }

/** Both in two forms: as texts, and so that they can be translated. What is undefined stays as it is. */
const stated = (gaps: RunOutcome['gaps'], held: RunOutcome['heldBecause']) => ({
  ...(gaps && { gaps: gaps.map(({ text }) => text), gapStatements: gaps }),
  ...(held && { heldBecause: held.map(({ text }) => text), heldStatements: held }),
})

const isMine = (id: number, owner: string): SQL => sql`${runs.id} = ${id} and ${running} and ${isOf(runs, owner)}`

/** Ends every run: on a database of one process, at its start, the processes of all earlier runs are gone. */
export const closeAllRuns = (db: Db, onDeadRuns: OnDeadRuns): Promise<void> => closeRuns(db, onDeadRuns, running)

/** Ends the runs whose instance is gone. */
export const closeDeadRuns = (db: Db, onDeadRuns: OnDeadRuns): Promise<void> => closeRuns(db, onDeadRuns, dead)

const closeRuns = async (db: Db, onDeadRuns: OnDeadRuns, which: SQL): Promise<void> => {
  // Nothing is locked or written while there is nothing to end, which is nearly always.
  const [any] = await db.select({ id: runs.id }).from(runs).where(which).limit(1)
  if (any === undefined) return
  await db.transaction(async (tx) => {
    const ended = await tx
      .update(runs)
      .set({
        ...countedColumns,
        state: 'failed',
        ...over,
        problems: sql`${runs.problems} || ${JSON.stringify([brokenOff])}::jsonb`,
      })
      .where(which)
      .returning(endedColumns)
    await onDeadRuns(tx, ended)
    for (const run of ended) await closeDecidedAlert(tx, run)
  })
}

/** How many of a run's changes have been made, and their total. */
export interface Made {
  done: number
  of: number
}

/**
 * The first step of a transaction that writes for a run: locks it until the transaction ends, so that no other instance
 * can take it over before.
 * @param made is written with it: from outside it would wait for one transaction after the other
 * @throws Error when another instance has taken it
 */
export const lockRun = async (tx: Tx, { id, owner }: { id: number; owner: string }, made?: Made): Promise<void> => {
  const mine = isMine(id, owner)
  const rows = made
    ? await tx
        .update(runs)
        .set({ phase: 'applying', progress: made.done, progressOf: made.of })
        .where(mine)
        .returning({ id: runs.id })
    : await tx.select({ id: runs.id }).from(runs).where(mine).for('no key update')
  if (rows.length === 0) throw new Error(`Run ${id} belongs to another instance by now`)
}
