import { and, desc, eq, gte, lte, sql } from 'drizzle-orm'
import type { Queryable } from '../../db/client.ts'
import { jsonObject, written } from '../../db/json-record.ts'
import { versionOf } from '../../db/record-versions.ts'
import { mealPlans, meals } from '../../db/schema.ts'
import type { Ingredient } from '../figures/figures.ts'
import type { OwnFigures } from '../figures/meal-figures.ts'

export type MealStatus = 'pending' | 'current' | 'done'

/** A meal as it is stored. */
export interface MealRecord {
  id: number
  /** `HH:mm` */
  time: string
  name: string
  description: string
  status: MealStatus
  ingredients: Ingredient[]
  ownFigures: OwnFigures
  /** null: it was not planned from a recipe. */
  recipeId: number | null
  /** Another one after every change, except of the status. */
  version: string
}

/** A plan as it is stored; its meals by their time. */
export interface PlanRecord {
  id: number
  date: string
  preferences: string[]
  allergies: string[]
  meals: MealRecord[]
  /** Another one after every change of the plan or of its meals. */
  version: string
}

export const mealRecord = written(
  jsonObject<MealRecord>({
    id: meals.id,
    time: meals.time,
    name: meals.name,
    description: meals.description,
    status: meals.status,
    ingredients: meals.ingredients,
    ownFigures: meals.ownFigures,
    recipeId: meals.recipeId,
    version: versionOf('meal'),
  }),
)

const planRecord = written(
  jsonObject<PlanRecord>({
    id: mealPlans.id,
    date: sql`to_char(${mealPlans.date}, 'YYYY-MM-DD')`,
    preferences: mealPlans.preferences,
    allergies: mealPlans.allergies,
    meals: sql`(
      select coalesce(json_agg(${mealRecord} order by ${meals.time}, ${meals.id}), '[]')
      from ${meals} where ${meals.planId} = ${mealPlans.id})`,
    version: versionOf('mealPlan'),
  }),
)

/** A user's plan of a date; null: there is no plan. */
export const findPlan = async (db: Queryable, userId: number, date: string): Promise<PlanRecord | null> => {
  const [row] = await db
    .select({ plan: planRecord })
    .from(mealPlans)
    .where(and(eq(mealPlans.userId, userId), eq(mealPlans.date, date)))
  return row?.plan ?? null
}

/** A user's plans from one date to another, both included, by their dates. */
export const findPlans = async (db: Queryable, userId: number, first: string, last: string): Promise<PlanRecord[]> => {
  const rows = await db
    .select({ plan: planRecord })
    .from(mealPlans)
    .where(and(eq(mealPlans.userId, userId), gte(mealPlans.date, first), lte(mealPlans.date, last)))
    .orderBy(mealPlans.date)
  return rows.map(({ plan }) => plan)
}

/** A user's newest preferences and allergies; null: they have no plan. */
export const findNewestWishes = async (
  db: Queryable,
  userId: number,
): Promise<Pick<PlanRecord, 'preferences' | 'allergies'> | null> => {
  const [row] = await db
    .select({ preferences: mealPlans.preferences, allergies: mealPlans.allergies })
    .from(mealPlans)
    .where(eq(mealPlans.userId, userId))
    .orderBy(desc(mealPlans.savedAt), desc(mealPlans.id))
    .limit(1)
  return row ?? null
}

/** The recipes that a user planned from one date to another, both included. */
export const plannedRecipes = async (
  db: Queryable,
  userId: number,
  first: string,
  last: string,
): Promise<Set<number>> => {
  const rows = await db
    .selectDistinct({ recipeId: meals.recipeId })
    .from(meals)
    .innerJoin(mealPlans, eq(mealPlans.id, meals.planId))
    .where(and(eq(mealPlans.userId, userId), gte(mealPlans.date, first), lte(mealPlans.date, last)))
  return new Set(rows.flatMap(({ recipeId }) => recipeId ?? []))
}
