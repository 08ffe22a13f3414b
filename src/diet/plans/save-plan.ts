import { and, eq, sql } from 'drizzle-orm'
import { changeFor } from '../../access/committed.ts'
import type { Caller } from '../../access/seniority.ts'
import type { Db, Tx } from '../../db/client.ts'
import { reasons as stored } from '../../db/reasons.ts'
import { requireVersion } from '../../db/record-versions.ts'
import { mealPlans, meals } from '../../db/schema.ts'
import { findPlan, type MealRecord, type PlanRecord } from './plan-records.ts'

export type NewMeal = Omit<MealRecord, 'id' | 'status' | 'version'>

export interface NewPlan extends Pick<PlanRecord, 'date' | 'preferences' | 'allergies'> {
  meals: readonly NewMeal[]
}

const savedAt = sql`clock_timestamp()`

/**
 * Refuses to replace a plan other than the one that the caller has read, and holds its row until the transaction ends.
 * @param version as the caller read it; empty: there was no plan. Then an empty one is made here, so that of two requests
 * that both found none the later one is refused
 * @throws AppError (conflict) naming `version`
 */
const requireAsRead = async (tx: Tx, userId: number, date: string, version: string): Promise<void> => {
  const made =
    version === ''
      ? await tx
          .insert(mealPlans)
          .values({ userId, date, preferences: [], allergies: [], savedAt })
          .onConflictDoNothing()
          .returning({ id: mealPlans.id })
      : []
  if (made.length > 0) return
  const [plan] = await tx
    .select({ id: mealPlans.id })
    .from(mealPlans)
    .where(and(eq(mealPlans.userId, userId), eq(mealPlans.date, date)))
    .for('update')
  if (plan === undefined) throw stored.changed_meanwhile.at('version')
  await requireVersion(tx, 'mealPlan', plan.id, version)
}

/**
 * Creates or replaces a user's plan of a date. A concurrent request waits for the row of the plan, and replaces what
 * the first has written, unless it says which plan it replaces.
 * @param version of the plan that is replaced; empty: no plan is there; undefined: any
 * @throws AppError (conflict) naming `version`
 */
export const savePlan = async (
  db: Db,
  caller: Caller,
  { date, preferences, allergies, meals: planned }: NewPlan,
  version?: string,
): Promise<PlanRecord> =>
  changeFor(db, caller, async (tx) => {
    const { userId } = caller
    if (version !== undefined) await requireAsRead(tx, userId, date, version)
    const [plan] = await tx
      .insert(mealPlans)
      .values({ userId, date, preferences, allergies, savedAt })
      .onConflictDoUpdate({ target: [mealPlans.userId, mealPlans.date], set: { preferences, allergies, savedAt } })
      .returning({ id: mealPlans.id })
    if (plan === undefined) throw new Error('the plan was not saved')
    await tx.delete(meals).where(eq(meals.planId, plan.id))
    if (planned.length > 0) await tx.insert(meals).values(planned.map((meal) => ({ ...meal, planId: plan.id })))
    const saved = await findPlan(tx, userId, date)
    if (saved === null) throw new Error('the plan is not there')
    return saved
  })
