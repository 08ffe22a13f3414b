import { sql } from 'drizzle-orm'
import type { RemovalLimit } from '../config/removals.ts'
import type { Db } from '../db/client.ts'
import type { RunProblem } from '../db/schema.ts'
import { AppError } from '../errors.ts'
import type { Source } from '../sources/source.ts'
import type { ApplyOptions } from './apply.ts'
import { applied } from './apply.ts'
import { applyGroups } from './apply-groups.ts'
import { applyUsers } from './apply-users.ts'
import { reasonsToHold } from './guard.ts'
import { acceptedGaps, acceptGaps, discardPlan, heldPlan, supersedePlans } from './held-plans.ts'
import { loadMapping } from './mapping/relations.ts'
import { mirroring } from './mirroring.ts'
import { notConfigured } from './not-configured.ts'
import { type Plan, planHash, type Wins } from './plan.ts'
import { planGroups } from './plan-groups.ts'
import { planUsers } from './plan-users.ts'
import { problemsKept } from './problems.ts'
import type { RunContext, RunOutcome, Runs } from './runs.ts'
import { type Staged, stage } from './stage.ts'
import type { RunKind, RunRequest, Slot, Sync } from './sync.ts'

export interface SyncOptions {
  db: Db
  runs: Runs
  /** What each slot is connected to; null: it is not configured. */
  sources: Readonly<Record<Slot, Source | null>>
  limit: RemovalLimit
  wins: Wins
  /** Whether there is a directory to wait for. */
  mirrored: boolean
  change: ApplyOptions['change']
  endSessions: ApplyOptions['endSessions']
}

const planners = { users: planUsers, groups: planGroups }
const appliers = { users: applyUsers, groups: applyGroups }

/** Snapshot → plan → guard → apply → report. Nothing is written before the plan is there, and nothing but the plan after. */
export const openSync = (options: SyncOptions): Sync => {
  const { db, runs, sources, limit, wins, mirrored, change, endSessions } = options

  const configured = (slot: Slot): Source => {
    const source = sources[slot]
    if (source === null) throw notConfigured(slot)
    return source
  }

  const carryOut = async ({ slot, kind, dryRun }: RunRequest, run: RunContext): Promise<RunOutcome> => {
    const source = configured(slot)
    const { staged, plan, hash } = await readAndPlan(slot, kind, source, run).finally(() => clearRecords(db, run.id))
    const { problems, ours: _ours, administrators: _administrators, ...counts } = plan
    const heldBecause = reasonsToHold({ kind, plan, staged, limit, acceptedGaps: await acceptedGaps(db, slot, kind) })
    const outcome = { ...counts, planHash: hash, gaps: staged.gaps, heldBecause, problems }
    if (dryRun) return { state: 'planned', ...outcome }
    await supersedePlans(db, slot, kind, run.id)
    if (heldBecause.length > 0) return { state: 'held', ...outcome, ...nothingDone, held: changesOf(plan) }
    return { ...outcome, ...(await apply(slot, kind, run, problems)) }
  }

  const readAndPlan = async (slot: Slot, kind: RunKind, source: Source, run: RunContext) => {
    const mapping = await loadMapping(db, slot, kind)
    const staged = await stage({ db, source, kind, mapping, run })
    run.progress('planning', 0, staged.records)
    return { staged, ...(await makePlan(slot, kind, source, staged, run)) }
  }

  const makePlan = (slot: Slot, kind: RunKind, source: Source, staged: Staged, run: RunContext) => {
    const planOptions = { runId: run.id, slot, rootId: source.rootId, wins }
    return db.transaction(
      async (tx) => {
        // The rows do not outlive a crash of the server: fewer than were written would look like people who left.
        const [counted] = await tx.execute<{ records: number }>(sql`
          select count(*)::int as records from run_records where run_id = ${run.id}`)
        if (counted?.records !== staged.records)
          throw new AppError('unavailable', 'the snapshot was lost in a crash of the database')
        await tx.execute(sql`analyze run_records (run_id, source_id)`)
        const plan = await planners[kind](tx, planOptions)
        await tx.execute(sql`analyze run_changes (run_id, seq, record_id, state, action)`)
        return { plan, hash: await planHash(tx, run.id) }
      },
      { isolationLevel: 'repeatable read' },
    )
  }

  const apply = async (slot: Slot, kind: RunKind, run: RunContext, problems: RunProblem[]): Promise<RunOutcome> => {
    await appliers[kind]({ db, slot, run, change, endSessions })
    const late = mirrored ? await mirroring(db, kind, run) : []
    const figures = await applied(db, run.id)
    return { state: 'done', ...figures, held: 0, problems: [...late, ...(await failures(db, run.id)), ...problems] }
  }

  return {
    async run(request, wait) {
      configured(request.slot)
      const { slot: source, kind, dryRun, creator } = request
      return runs.report({ source, kind, dryRun, creator, exclusive: true }, (run) => carryOut(request, run), wait)
    },

    async confirm(runId, hash, by, wait) {
      const held = await heldPlan(db, runId, hash)
      return runs.resume(
        runId,
        by,
        async (run) => {
          await acceptGaps(db, held)
          return apply(held.source, held.kind, run, held.problems)
        },
        wait,
      )
    },

    discard: (runId, by) => discardPlan(db, runId, by),
  }
}

const nothingDone = { added: 0, updated: 0, moved: 0, disabled: 0 }

const changesOf = ({ added, updated, moved, disabled }: Plan): number => added + updated + moved + disabled

/** A database that is away is no reason to forget why the run failed: what is left over is swept later. */
const clearRecords = async (db: Db, runId: number): Promise<void> => {
  await db.execute(sql`delete from run_records where run_id = ${runId}`).catch(() => undefined)
}

const failures = async (db: Db, runId: number): Promise<RunProblem[]> => {
  const rows = await db.execute<{ problem: RunProblem }>(sql`
    select json_build_object('sourceId', source_id, 'name', name, 'step', 'apply', 'reason', reason,
      'advice', 'The next run looks at it again') as problem
    from run_changes where run_id = ${runId} and state = 'failed' order by seq limit ${problemsKept}`)
  return rows.map(({ problem }) => problem)
}
