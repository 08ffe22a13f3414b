import { type SQL, sql } from 'drizzle-orm'
import type { Db, Queryable, Tx } from '../db/client.ts'
import { readFact, writeFact } from '../db/facts.ts'
import type { RunProblem } from '../db/schema.ts'
import type { Slot } from '../sources/slot.ts'
import type { Gap } from './gaps.ts'
import { closeDecidedAlert } from './held-alert.ts'
import { flagOf } from './mapping/relations.ts'
import { reasons } from './reasons.ts'
import type { RunKind } from './run-request.ts'

/** A plan that waits for confirmation. */
export interface HeldPlan {
  id: number
  source: Slot
  kind: RunKind
  gaps: string[]
  problems: RunProblem[]
}

/**
 * A plan that is held, with the hash that the caller has seen. A plan contains what a field relation made of the source's
 * records: once an administrator has corrected the relation, what it made before is not to be imported any more. A field
 * that is no longer imported would keep it for good.
 * @throws AppError not_found: no such run; conflict: it is not held, the hash belongs to another plan, or the field
 * relation was saved or deleted since
 */
export const heldPlan = async (db: Db, runId: number, hash: string): Promise<HeldPlan> => {
  const [row] = await db.execute<{ run: HeldPlan & { state: string; planHash: string } }>(sql`
    select json_build_object('id', id, 'source', source, 'kind', kind, 'state', state, 'planHash', plan_hash,
      'gaps', gaps, 'problems', problems) as run
    from runs where id = ${runId}`)
  if (row === undefined) throw reasons.run_not_found({ id: runId })
  if (row.run.state !== 'held') throw reasons.run_not_held({ id: runId })
  if (row.run.planHash !== hash) throw reasons.other_plan.at('planHash')
  const flag = flagOf(row.run.source, row.run.kind)
  const [same] = await db.execute(sql`
    select from field_relations f, runs r where f.flag = ${flag} and r.id = ${runId} and f.updated_at <= r.started_at`)
  if (same === undefined) throw reasons.plan_outdated({ id: runId, flag })
  return row.run
}

/**
 * Discards a held plan, and closes its alert.
 * @returns its kind
 * @throws AppError as `heldPlan`
 */
export const discardPlan = async (tx: Tx, runId: number, by: string): Promise<RunKind> => {
  const [discarded] = await discard(tx, by, sql`id = ${runId}`)
  if (discarded !== undefined) {
    await closeDecidedAlert(tx, discarded)
    return discarded.kind
  }
  const [run] = await tx.execute(sql`select from runs where id = ${runId}`)
  throw run === undefined ? reasons.run_not_found({ id: runId }) : reasons.run_not_held({ id: runId })
}

/**
 * A plan that waits for confirmation is obsolete once a newer one has been made. Its alert is closed or renewed at the end
 * of that run.
 */
export const supersedePlans = async (db: Db, slot: Slot, kind: RunKind, newer: number): Promise<void> => {
  await discard(db, `run ${newer}`, sql`source = ${slot} and kind = ${kind} and id < ${newer}`)
}

const discard = (db: Queryable, by: string, which: SQL) =>
  db.execute<{ source: Slot; kind: RunKind }>(sql`
    update runs set state = 'discarded', held = 0, decided_by = ${by}, decided_at = now()
    where ${which} and state = 'held' returning source, kind`)

const factName = (slot: Slot, kind: RunKind): string => `gaps ${slot} ${kind}`

/** The keys of gaps that are normal for a source: an administrator confirmed a plan in spite of them. */
export const acceptedGaps = async (db: Db, slot: Slot, kind: RunKind): Promise<string[]> =>
  (await readFact<string[]>(db, factName(slot, kind))) ?? []

interface NotedGaps {
  run: number
  keys: string[]
}

const notedName = (slot: Slot, kind: RunKind): string => `gaps of the last run ${slot} ${kind}`

/** Stores the keys of a run's gaps until its plan is confirmed: the report has the sentences alone. */
export const noteGaps = async (
  db: Db,
  { id, source, kind }: Pick<HeldPlan, 'id' | 'source' | 'kind'>,
  gaps: readonly Gap[],
): Promise<void> => {
  if (gaps.length === 0) return
  await writeFact<NotedGaps>(db, notedName(source, kind), { run: id, keys: gaps.map(({ key }) => key) })
}

/** Stores the gaps of a confirmed plan: they do not cause the next one to be held. */
export const acceptGaps = async (db: Db, { id, source, kind, gaps }: HeldPlan): Promise<void> => {
  const noted = await readFact<NotedGaps>(db, notedName(source, kind))
  // A run of an earlier version has noted none: its sentences count.
  await writeFact(db, factName(source, kind), noted?.run === id ? noted.keys : gaps)
}
