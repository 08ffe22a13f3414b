import { sql } from 'drizzle-orm'
import { changeFor } from '../access/committed.ts'
import type { Authority } from '../access/permits/runs.ts'
import { goingOn, highestRank, rankOf } from '../access/seniority.ts'
import type { Db } from '../db/client.ts'
import type { RunProblem } from '../db/schema.ts'
import type { Slot } from '../sources/slot.ts'
import type { Source } from '../sources/source.ts'
import type { MobileKey } from '../text/identity-keys.ts'
import type { ApplyOptions } from './apply.ts'
import { applied } from './apply.ts'
import { applyGroups } from './apply-groups.ts'
import { applyUsers } from './apply-users.ts'
import { requireConfigured, type SourcesBySlot } from './configured-source.ts'
import { sentencesOf } from './gaps.ts'
import type { RemovalLimit } from './guard.ts'
import { reasonsToHold } from './guard.ts'
import { changesWith, foresee, heldChanges, heldStep, releaseHeld, requireMayDiscard } from './held-changes.ts'
import { acceptedGaps, acceptGaps, discardPlan, heldPlan, noteGaps, supersedePlans } from './held-plans.ts'
import { loadMapping } from './mapping/relations.ts'
import { followsStep, mirroring } from './mirroring.ts'
import { type Plan, planHash, type Wins } from './plan.ts'
import { planGroups } from './plan-groups.ts'
import { planUsers } from './plan-users.ts'
import { problem } from './problems.ts'
import { reasons } from './reasons.ts'
import type { Decider, RunKind, RunRequest } from './run-request.ts'
import type { RunContext, RunOutcome, RunReport, Runs } from './runs.ts'
import { snapshot } from './snapshot.ts'
import type { Staged } from './stage.ts'
import { statements } from './statements.ts'

/** Imports people and departments from the organisation's platforms. */
export interface Importer {
  /**
   * Starts a run, or joins the running one of this source and kind, on any instance. Returns the report once
   * the run ends, or after `wait` milliseconds (default SYNC_WAIT) as it is then; the run continues.
   * @throws AppError unavailable: the slot is not configured; conflict: the source is busy with a run of the other
   * kind, or a dry run, that did not end in time, or with any run where the request does not join
   */
  run: (request: RunRequest, wait?: number) => Promise<RunReport>
  /**
   * Applies a held plan, or the held part of one, as `run` does, with the rank of the user who confirms it.
   * @throws AppError not_found: no such run; conflict: it is not held, the hash belongs to another plan, or the field
   * relation was saved or deleted since; unavailable: the slot is not configured any more
   */
  confirm: (runId: number, planHash: string, by: Decider, wait?: number) => Promise<RunReport>
  /**
   * Discards a held plan.
   * @throws AppError not_found, conflict: as `confirm`; forbidden: it concerns people whose rank is too high for the
   * decider
   */
  discard: (runId: number, by: Decider) => Promise<void>
}

export interface ImporterOptions {
  db: Db
  runs: Runs
  sources: SourcesBySlot
  limit: RemovalLimit
  wins: Wins
  /** Whether there is a directory to wait for. */
  mirrored: boolean
  change: ApplyOptions['change']
  endSessions: ApplyOptions['endSessions']
  mobileKey: MobileKey
}

const planners = { users: planUsers, groups: planGroups }
const appliers = { users: applyUsers, groups: applyGroups }

/**
 * Snapshot → plan → guard → apply → report. Nothing is written before the plan, and nothing but the plan afterwards.
 */
export const openImporter = (options: ImporterOptions): Importer => {
  const { db, runs, sources, limit, wins, mirrored, change, endSessions, mobileKey } = options

  const carryOut = async ({ slot, kind, dryRun, actor: begunBy }: RunRequest, run: RunContext): Promise<RunOutcome> => {
    const source = requireConfigured(sources, slot)
    const { staged, plan, hash } = await readAndPlan(slot, kind, source, run).finally(() => clearRecords(db, run.id))
    const { problems: planned, ours: _ours, ...counts } = plan
    const problems = [...staged.notes, ...planned]
    const authority: Authority = { actor: goingOn(begunBy), confirmed: false }
    const heldBecause = reasonsToHold({ kind, plan, staged, limit, acceptedGaps: await acceptedGaps(db, slot, kind) })
    const outcome = { ...counts, planHash: hash, gaps: sentencesOf(staged.gaps), heldBecause, problems }
    if (dryRun) {
      await foresee(db, kind, run.id, { authority, mobileKey })
      const foreseen = await heldChanges(db, run.id)
      const because = [...heldBecause, ...foreseen.heldBecause]
      return { state: 'planned', ...outcome, heldBecause: because, problems: [...foreseen.problems, ...problems] }
    }
    await noteGaps(db, { id: run.id, source: slot, kind }, staged.gaps)
    await supersedePlans(db, slot, kind, run.id)
    if (heldBecause.length > 0) return { state: 'held', ...outcome, ...nothingDone, held: changesOf(plan) }
    return { ...outcome, ...(await apply({ slot, kind, run, authority, problems })) }
  }

  const readAndPlan = async (slot: Slot, kind: RunKind, source: Source, run: RunContext) => {
    const mapping = await loadMapping(db, slot, kind)
    const staged = await snapshot({ db, slot, source, kind, mapping, mobileKey, run })
    run.progress('planning', 0, staged.records)
    return { staged, ...(await makePlan(slot, kind, source, staged, run)) }
  }

  const makePlan = (slot: Slot, kind: RunKind, source: Source, staged: Staged, run: RunContext) => {
    const planOptions = { runId: run.id, slot, rootId: source.rootId, wins }
    return db.transaction(
      async (tx) => {
        // The rows are lost in a crash of the server: missing rows would look like people who left.
        const [counted] = await tx.execute<{ records: number }>(sql`
          select count(*)::int as records from run_records where run_id = ${run.id}`)
        if (counted?.records !== staged.records) throw reasons.snapshot_lost()
        await tx.execute(sql`analyze run_records (run_id, source_id)`)
        const plan = await planners[kind](tx, planOptions)
        await tx.execute(sql`analyze run_changes (run_id, seq, record_id, state, action)`)
        return { plan, hash: await planHash(tx, run.id) }
      },
      { isolationLevel: 'repeatable read' },
    )
  }

  const apply = async ({ slot, kind, run, authority, problems: planned }: Applying): Promise<RunOutcome> => {
    await appliers[kind]({ db, slot, run, change, endSessions, authority, mobileKey })
    const late = mirrored ? await mirroring(db, kind, run) : []
    const figures = await applied(db, run.id)
    const { held, heldBecause, problems: waiting } = await heldChanges(db, run.id)
    const problems = [...late, ...waiting, ...(await failures(db, run.id)), ...planned]
    const outcome = { ...figures, held, problems }
    return held > 0 ? { state: 'held', ...outcome, heldBecause } : { state: 'done', ...outcome }
  }

  return {
    async run(request, wait) {
      requireConfigured(sources, request.slot)
      const { slot: source, kind, dryRun, creator, actor, joins = true } = request
      return runs.report(
        { source, kind, dryRun, creator, joins, exclusive: true, author: actor },
        (run) => carryOut(request, run),
        wait,
      )
    },

    async confirm(runId, hash, by, wait) {
      const held = await heldPlan(db, runId, hash)
      requireConfigured(sources, held.source)
      const actor = goingOn(by.actor)
      return runs.resume(
        runId,
        by,
        async (run) => {
          // It affects later runs, which a schedule starts with the operator's rank: that needs the highest rank.
          if ((await rankOf(db, actor)) === highestRank) await acceptGaps(db, held)
          await releaseHeld(db, run.id)
          const problems = held.problems.filter(({ step }) => !appliedSteps.includes(step))
          const authority: Authority = { actor, confirmed: true }
          return apply({ slot: held.source, kind: held.kind, run, authority, problems })
        },
        wait,
      )
    },

    discard: (runId, { username, actor }) =>
      changeFor(db, actor, async (tx) => {
        const kind = await discardPlan(tx, runId, username)
        await requireMayDiscard(tx, kind, { actor, confirmed: true }, runId)
      }),
  }
}

/** The step of a problem for a failed change. */
const failedStep = 'apply'

/** The steps of problems that are found again each time a plan is applied. */
const appliedSteps: readonly string[] = [heldStep, failedStep, followsStep]

interface Applying {
  slot: Slot
  kind: RunKind
  run: RunContext
  authority: Authority
  /** The problems found while planning. */
  problems: RunProblem[]
}

const nothingDone = { added: 0, updated: 0, moved: 0, disabled: 0 }

const changesOf = ({ added, updated, moved, disabled }: Plan): number => added + updated + moved + disabled

/** If the database is unreachable, the reason of the failure is kept, and the rows are deleted later. */
const clearRecords = async (db: Db, runId: number): Promise<void> => {
  await db.execute(sql`delete from run_records where run_id = ${runId}`).catch(() => undefined)
}

const failures = async (db: Db, runId: number): Promise<RunProblem[]> => {
  const rows = await changesWith(db, runId, 'failed')
  return rows.map((row) => problem({ ...row, step: failedStep, advised: statements.next_run() }))
}
