import { eq, sql } from 'drizzle-orm'
import type { Db } from '../../db/client.ts'
import { mealPlans, meals } from '../../db/schema.ts'
import { findPlan, type MealRecord, type PlanRecord } from './plan-records.ts'

export type NewMeal = Omit<MealRecord, 'id' | 'status'>

export interface NewPlan extends Pick<PlanRecord, 'date' | 'preferences' | 'allergies'> {
  meals: readonly NewMeal[]
}

/**
 * Creates or replaces a user's plan of a date. A concurrent request waits for the row of the plan, and replaces what
 * the first has written.
 */
export const savePlan = async (
  db: Db,
  userId: number,
  { date, preferences, allergies, meals: planned }: NewPlan,
): Promise<PlanRecord> =>
  db.transaction(async (tx) => {
    const savedAt = sql`clock_timestamp()`
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
