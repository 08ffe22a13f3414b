import type { Db } from '../db/client.ts'
import type { NutritionHandlers } from '../generated/diet.ts'
import { shownFigures } from './figures/figures.ts'
import { coverageOf } from './figures/meal-figures.ts'
import { deviationsOf, targetOf } from './figures/target.ts'
import { menuFor } from './menu/menu.ts'
import { findPlan } from './plans/plan-records.ts'
import { shownNutrition, sumMeals } from './plans/shown.ts'
import { statements } from './statements.ts'
import { assess } from './suggestions/assess.ts'
import { suggestionsFor } from './suggestions/suggestions.ts'
import { findSwaps } from './suggestions/swaps.ts'
import { readAllergies } from './wishes/allergies.ts'
import { readPreferences } from './wishes/preferences.ts'

export interface NutritionOptions {
  db: Db
  /** The date it is now, `YYYY-MM-DD`. */
  today: () => string
  /** kcal */
  dailyCalories: number
}

/** Today's figures compared with the target. */
export const nutritionHandlers = ({ db, today, dailyCalories }: NutritionOptions): NutritionHandlers => ({
  async getNutritionReport({ user }) {
    const date = today()
    const plan = await findPlan(db, user.userId, date)
    const meals = plan?.meals ?? []
    const { figures, basis, unknown } = sumMeals(meals)
    const eaten = sumMeals(meals.filter(({ status }) => status === 'done'))
    const planned = meals.length > 0
    const deviations = planned ? deviationsOf(figures, dailyCalories) : []
    const menu = menuFor(readAllergies(plan?.allergies ?? []), readPreferences(plan?.preferences ?? []))
    const swaps = planned ? findSwaps(meals, menu, dailyCalories) : []
    const found = { day: figures, deviations, swaps, target: dailyCalories, unknown }
    const { calories, nutrition } = shownNutrition(figures)
    const suggestions = planned
      ? suggestionsFor(found)
      : [statements.nothing_planned({ date, calories: dailyCalories })]
    return {
      dailyCalories: calories,
      nutrition,
      suggestions: suggestions.map(({ text }) => text),
      suggestionStatements: suggestions,
      status: assess(deviations, { planned, complete: basis.known === basis.all }),
      target: targetOf(dailyCalories),
      eaten: shownFigures(eaten.figures),
      coverage: coverageOf(basis),
      unknownIngredients: unknown,
    }
  },
})
