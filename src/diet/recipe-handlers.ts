import type { Db } from '../db/client.ts'
import type { components, RecipesHandlers } from '../generated/diet.ts'
import { daysBefore } from './calendar.ts'
import { distinct } from './figures/meal-figures.ts'
import { menuFor } from './menu/menu.ts'
import { type Recommendation, recommend } from './menu/recommend.ts'
import { findNewestWishes, findPlan, plannedRecipes } from './plans/plan-records.ts'
import { shownNutrition, sumMeals } from './plans/shown.ts'
import { statements } from './statements.ts'
import { type Allergy, readAllergies } from './wishes/allergies.ts'
import { readPreferences } from './wishes/preferences.ts'

export interface RecipesOptions {
  db: Db
  /** The date it is now, `YYYY-MM-DD`. */
  today: () => string
  /** kcal */
  dailyCalories: number
}

/** Days before today whose recipes are not recommended again. */
const daysOfRest = 3

/** A day without planned meals counts as one with three. */
const defaultMeals = 3

/** What would fit. */
export const recipesHandlers = ({ db, today, dailyCalories }: RecipesOptions): RecipesHandlers => ({
  async listRecommendedRecipes({ user: { userId } }) {
    const date = today()
    const plan = await findPlan(db, userId, date)
    const newest = await findNewestWishes(db, userId)
    const recent = await plannedRecipes(db, userId, daysBefore(date, daysOfRest), date)
    const allergies = readAllergies(distinct([...(plan?.allergies ?? []), ...(newest?.allergies ?? [])]))
    const preferences = readPreferences((plan ?? newest)?.preferences ?? [])
    const meals = plan?.meals ?? []
    const begun = meals.filter(({ status }) => status !== 'pending')
    const { figures: eaten } = sumMeals(begun)
    const left = Math.round(dailyCalories * 10 - eaten.calories) / 10
    return recommend({
      menu: menuFor(allergies, preferences).filter(({ id }) => !recent.has(id)),
      preferences,
      eaten,
      ahead: meals.length === 0 ? defaultMeals : meals.length - begun.length,
      target: dailyCalories,
    }).map((recommendation) => shownRecipe(recommendation, { left, allergies }))
  },
})

const shownRecipe = (
  { dish, fits }: Recommendation,
  { left, allergies }: { left: number; allergies: readonly Allergy[] },
): components['schemas']['Recipe'] => {
  const { id, name, description, ingredients, figures, kinds } = dish
  const { calories, nutrition } = shownNutrition(figures)
  const suitable = [
    statements.calories_left({ calories, left }),
    ...fits.map((wish) => statements.wished({ wish })),
    ...distinct(allergies.filter(({ isKnown }) => isKnown).map(({ name }) => name)).map((name) =>
      statements.without({ name }),
    ),
    ...kinds.map((kind) => statements[kind]()),
  ]
  return {
    ...{ id, name, calories, description, nutrition },
    suitable: suitable.map(({ text }) => text),
    suitableStatements: suitable,
    ingredients: [...ingredients],
  }
}
