import { sql } from 'drizzle-orm'
import { check, date, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { id, instant, optional, ref } from './columns.ts'
import { users } from './people.ts'

/** What a user plans to eat on a date. */
export const mealPlans = pgTable(
  'meal_plans',
  {
    id: id(),
    userId: ref()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    date: date({ mode: 'string' }).notNull(),
    preferences: jsonb().$type<string[]>().notNull(),
    allergies: jsonb().$type<string[]>().notNull(),
    createdAt: instant().notNull().defaultNow(),
    savedAt: instant().notNull().defaultNow(),
  },
  (t) => [
    uniqueIndex('meal_plans_user_date_key').on(t.userId, t.date),
    index('meal_plans_user_saved_index').on(t.userId, t.savedAt),
  ],
)

/** Meals of plans. Their totals are not stored: they are computed from the ingredients and the table of foods. */
export const meals = pgTable(
  'meals',
  {
    id: id(),
    planId: ref()
      .notNull()
      .references(() => mealPlans.id, { onDelete: 'cascade' }),
    /** `HH:mm` */
    time: text().notNull(),
    name: text().notNull(),
    description: optional(),
    status: text().$type<'pending' | 'current' | 'done'>().notNull().default('pending'),
    /** Read and written as a whole; amounts as responses write them. */
    ingredients: jsonb().$type<{ name: string; amount: string }[]>().notNull(),
    /** The user's own figures for food that the table of foods does not have: kcal and grams. */
    ownFigures: jsonb().$type<Partial<Record<'calories' | 'protein' | 'carbs' | 'fat', number>>>().notNull(),
    /** The recipe it was planned from; recipes are not rows. */
    recipeId: integer(),
  },
  (t) => [
    index('meals_plan_index').on(t.planId),
    uniqueIndex('meals_current_key').on(t.planId).where(sql`${t.status} = 'current'`),
    check('meals_status_check', sql`${t.status} in ('pending', 'current', 'done')`),
    check('meals_time_check', sql`${t.time} ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'`),
  ],
)
