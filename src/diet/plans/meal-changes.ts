import { and, eq, ne, sql } from 'drizzle-orm'
import type { Tx } from '../../db/client.ts'
import { mealPlans, meals } from '../../db/schema.ts'
import { type MealRecord, type MealStatus, mealRecord } from './plan-records.ts'

/** The plan of a meal, as its changes need it. */
export interface HeldPlan {
  id: number
  allergies: string[]
}

/**
 * Locks the plan of a user's meal until the transaction ends: changes of meals are made one after another, and never
 * while the plan is replaced. The meal may still be deleted before the lock is taken.
 * @returns null: the user has no such meal
 */
export const holdPlanOf = async (tx: Tx, userId: number, mealId: number): Promise<HeldPlan | null> => {
  const [plan] = await tx
    .select({ id: mealPlans.id, allergies: mealPlans.allergies })
    .from(mealPlans)
    .where(
      and(
        eq(mealPlans.userId, userId),
        eq(mealPlans.id, sql`(select ${meals.planId} from ${meals} where ${meals.id} = ${mealId})`),
      ),
    )
    .for('update')
  return plan ?? null
}

/** Only fields that change. */
export interface MealChange extends Partial<Pick<MealRecord, 'name' | 'ingredients' | 'ownFigures' | 'recipeId'>> {
  /** Joins the user's own figures that are there. */
  calories?: number
}

/** @returns the changed meal; null: it was deleted */
export const changeMeal = async (
  tx: Tx,
  plan: HeldPlan,
  mealId: number,
  { calories, ownFigures, ...fields }: MealChange,
): Promise<MealRecord | null> => {
  const base = ownFigures === undefined ? sql`${meals.ownFigures}` : sql`${JSON.stringify(ownFigures)}::jsonb`
  const more = calories === undefined ? {} : { calories }
  const [row] = await tx
    .update(meals)
    .set({ ...fields, ownFigures: sql`${base} || ${JSON.stringify(more)}::jsonb` })
    .where(and(eq(meals.id, mealId), eq(meals.planId, plan.id)))
    .returning({ meal: mealRecord })
  return row?.meal ?? null
}

/** @returns false: the meal was deleted */
export const changeStatus = async (tx: Tx, plan: HeldPlan, mealId: number, status: MealStatus): Promise<boolean> => {
  const inPlan = eq(meals.planId, plan.id)
  // Apart, and first: an index allows one current meal at any moment.
  if (status === 'current') {
    const isOther = and(inPlan, eq(meals.status, 'current'), ne(meals.id, mealId))
    await tx.update(meals).set({ status: 'pending' }).where(isOther)
  }
  const rows = await tx
    .update(meals)
    .set({ status })
    .where(and(inPlan, eq(meals.id, mealId)))
    .returning({ id: meals.id })
  return rows.length > 0
}
