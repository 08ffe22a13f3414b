import type { Db } from '../db/client.ts'
import { invalidInput } from '../failures/reasons.ts'
import type { PlansHandlers } from '../generated/diet.ts'
import { findPlan } from './plans/plan-records.ts'
import { allergenProblems, requestedMeal } from './plans/requested.ts'
import { savePlan } from './plans/save-plan.ts'
import { shownPlan } from './plans/shown.ts'
import { reasons } from './reasons.ts'
import { openScreening } from './wishes/screening.ts'

/** The meals that a user plans for a date. */
export const plansHandlers = ({ db }: { db: Db }): PlansHandlers => ({
  async savePlan({ body: { date, meals, preferences = [], allergies = [], version }, user }) {
    const screening = openScreening(allergies)
    const requested = meals.map((meal, index) => {
      const { value, problems } = requestedMeal(meal, `meals.${index}`)
      // For a recipe the request names no ingredients: the recipe is refused.
      const allergens = allergenProblems(value.ingredients, `meals.${index}.ingredients`, screening).map((problem) =>
        'recipeId' in meal ? { ...problem, field: `meals.${index}.recipeId` } : problem,
      )
      return { value, problems: [...problems, ...allergens] }
    })
    const problems = requested.flatMap((each) => each.problems)
    if (problems.length > 0) throw invalidInput(problems)
    const planned = requested.map(({ value }) => value)
    const saved = await savePlan(db, user, { date, preferences, allergies, meals: planned }, version)
    return shownPlan(saved, screening)
  },

  async getPlan({ params: { date }, user }) {
    const plan = await findPlan(db, user.userId, date)
    if (plan === null) throw reasons.plan_not_found.at('date', { date })
    return shownPlan(plan, openScreening(plan.allergies))
  },
})
