import { type SQL, sql } from 'drizzle-orm'
import type { RunPermit } from '../access/permits/permit.ts'
import { type Authority, permitRunOnGroups, permitRunOnUsers, type Refused } from '../access/permits/runs.ts'
import type { Db, Tx } from '../db/client.ts'
import { anyOfIds } from '../db/id-list.ts'
import type { RunProblem } from '../db/schema.ts'
import type { Statement } from '../failures/statement.ts'
import type { MobileKey } from '../text/identity-keys.ts'
import { reasonSet } from './apply.ts'
import { valuesBrought, valuesReleased } from './claims.ts'
import { mobilesByKey } from './mobiles-by-key.ts'
import { problem, problemsKept } from './problems.ts'
import { reasons } from './reasons.ts'
import type { RunKind } from './run-request.ts'
import { statements } from './statements.ts'

/**
 * Changes of a plan that its run may not make, because they concern people whose rank is too high for the actor who
 * started or confirmed it. They are left out and held: the run continues, and a user of higher rank can confirm the rest.
 */

/** The state and the reason of a refused change. */
const refusals: Readonly<Record<Refused['why'], { state: 'held' | 'failed'; stated: Statement }>> = {
  rank: { state: 'held', stated: statements.higher_rank() },
  administrator: { state: 'held', stated: statements.administrators() },
  mail: { state: 'held', stated: statements.mail_signs_in() },
  last: { state: 'failed', stated: statements.last_administrator() },
}

/** The step of a problem for a held change. */
export const heldStep = 'seniority'

const leaveOut = async (tx: Tx, planned: SQL, refused: readonly Refused[]): Promise<void> => {
  if (refused.length === 0) return
  const rows = refused.map(({ id, why }) => ({ id, ...refusals[why] }))
  await tx.execute(sql`
    update run_changes c set state = r.state, reason = r.stated->>'text', stated = r.stated
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (id bigint, state text, stated jsonb)
    where c.record_id = r.id and ${planned}`)
}

const judgeUsers = (tx: Tx, authority: Authority, planned: SQL) =>
  permitRunOnUsers(
    tx,
    authority,
    sql`
    select c.record_id as id, nullif(c.after->>'mail', '') as mail, c.action = 'disable' as disables
    from run_changes c where ${planned} and c.record_id is not null`,
  )

// A name and a place are in the DNs of all groups below; a remark is in no other entry.
const judgeGroups = (tx: Tx, authority: Authority, planned: SQL) =>
  permitRunOnGroups(
    tx,
    authority,
    sql`
    select c.record_id as id, c.action <> 'remove' as below from run_changes c
    where ${planned} and c.record_id is not null and (c.action = 'remove' or c.after ?| array['groupName', 'parent'])`,
  )

const judging = { users: judgeUsers, groups: judgeGroups }

interface Keys {
  runId: number
  mobileKey: MobileKey
}

/** Leaves out the changes of people that the run may not make. The users must be locked. */
export const admitUsers = async (tx: Tx, authority: Authority, planned: SQL, keys: Keys): Promise<RunPermit> => {
  const { permit, refused } = await judgeUsers(tx, authority, planned)
  await leaveOut(tx, planned, refused)
  if (refused.length > 0) await holdDependents(tx, planned, keys)
  return permit
}

/**
 * A change that needs a value which a held change would release waits with it, and so does one that needs a value of that
 * one, all along a chain at once. Values are compared as by the plan.
 */
const holdDependents = async (tx: Tx, planned: SQL, { runId, mobileKey }: Keys): Promise<void> => {
  const numbers = await mobilesByKey(tx, planned, mobileKey)
  const able = sql`${planned} and c.entangled`
  const held = sql`c.run_id = ${runId} and c.state = 'held' and c.entangled`
  const links = await tx.execute<{ giver: number; taker: number }>(sql`
    select r.seq as giver, b.seq as taker from (${valuesBrought(able, numbers)}) b
    join (${valuesReleased(able)} union all ${valuesReleased(held)}) r using (field, key)`)
  const takers = new Map<number, number[]>()
  for (const { giver, taker } of links) takers.set(giver, [...(takers.get(giver) ?? []), taker])
  const first = await tx.execute<{ seq: number }>(sql`select c.seq from run_changes c where ${held}`)
  const waiting = new Set(first.map(({ seq }) => seq))
  // Those that are added are looked at in their turn, each once: values may go round.
  for (const seq of waiting) for (const taker of takers.get(seq) ?? []) waiting.add(taker)
  await tx.execute(sql`
    update run_changes c set state = 'held', ${reasonSet(statements.entangled())}
    where ${able} and c.seq = ${anyOfIds([...waiting])}`)
}

/** Leaves out the changes of departments that the run may not make. The groups must be locked. */
export const admitGroups = async (tx: Tx, authority: Authority, planned: SQL): Promise<RunPermit> => {
  const { permit, refused } = await judgeGroups(tx, authority, planned)
  await leaveOut(tx, planned, refused)
  return permit
}

const admitting = { users: admitUsers, groups: admitGroups }

/** Reports which changes of a plan would be held, without applying it. */
export const foresee = (
  db: Db,
  kind: RunKind,
  runId: number,
  { authority, mobileKey }: Pick<Keys, 'mobileKey'> & { authority: Authority },
): Promise<RunPermit> =>
  db.transaction((tx) =>
    admitting[kind](tx, authority, sql`c.run_id = ${runId} and c.state = 'planned'`, { runId, mobileKey }),
  )

/**
 * Discarding a plan leaves people unchanged whom it would change: those who left stay enabled. That needs the same rank
 * as making the changes.
 * @throws AppError (forbidden) when one of them concerns people of too high a rank
 */
export const requireMayDiscard = async (tx: Tx, kind: RunKind, authority: Authority, runId: number): Promise<void> => {
  const left = sql`c.run_id = ${runId} and c.state in ('planned', 'held')`
  const { refused } = await judging[kind](tx, authority, left)
  if (refused.every(({ why }) => why === 'last')) return
  throw reasons.plan_too_strong()
}

/** Marks held changes to be checked again: the plan was confirmed. */
export const releaseHeld = async (db: Db, runId: number): Promise<void> => {
  await db.execute(sql`
    update run_changes set state = 'planned', reason = '', stated = null where run_id = ${runId} and state = 'held'`)
}

export interface HeldChanges {
  held: number
  /** The reasons. */
  heldBecause: Statement[]
  /** The first 100 of them. */
  problems: RunProblem[]
}

/** The held part of a run's plan. */
export const heldChanges = async (db: Db, runId: number): Promise<HeldChanges> => {
  const reasons = await db.execute<{ stated: Statement; changes: number }>(sql`
    select stated, count(*)::int as changes from run_changes
    where run_id = ${runId} and state = 'held' group by stated order by min(seq)`)
  const rows = await changesWith(db, runId, 'held')
  return {
    held: reasons.reduce((sum, { changes }) => sum + changes, 0),
    heldBecause: reasons.map(({ stated, changes }) => statements.changes_held({ reason: stated, count: changes })),
    problems: rows.map((row) => problem({ ...row, step: heldStep, advised: statements.confirm_or_correct() })),
  }
}

/** The first changes of a run that are in a state, with the reasons. */
export const changesWith = (db: Db, runId: number, state: 'held' | 'failed') =>
  db.execute<{ sourceId: string; name: string; stated: Statement }>(sql`
    select source_id as "sourceId", name, stated
    from run_changes where run_id = ${runId} and state = ${state} order by seq limit ${problemsKept}`)
