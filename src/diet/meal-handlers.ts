import { changeFor } from '../access/committed.ts'
import type { Db } from '../db/client.ts'
import { requireVersion } from '../db/record-versions.ts'
import type { AppError } from '../failures/errors.ts'
import { invalidInput } from '../failures/reasons.ts'
import type { MealsHandlers } from '../generated/diet.ts'
import type { Ingredient } from './figures/figures.ts'
import { changeMeal, changeStatus, holdPlanOf, type MealChange } from './plans/meal-changes.ts'
import { findPlan } from './plans/plan-records.ts'
import { allergenProblems, requestedIngredients } from './plans/requested.ts'
import { shownMeal } from './plans/shown.ts'
import { reasons } from './reasons.ts'
import { openScreening, type Screening } from './wishes/screening.ts'

export interface MealsOptions {
  db: Db
  /** The date it is now, `YYYY-MM-DD`. */
  today: () => string
}

/** Today's meals and their changes. The meal of another user is answered like one that does not exist. */
export const mealsHandlers = ({ db, today }: MealsOptions): MealsHandlers => ({
  async listTodaysMeals({ user }) {
    const plan = await findPlan(db, user.userId, today())
    const screening = openScreening(plan?.allergies ?? [])
    return (plan?.meals ?? []).map((meal) => shownMeal(meal, screening))
  },

  updateMeal: ({ params: { id }, body: { ingredients, version, ...fields }, user }) =>
    changeFor(db, user, async (tx) => {
      const plan = await holdPlanOf(tx, user.userId, id)
      if (plan === null) throw noMeal(id)
      await requireVersion(tx, 'meal', id, version)
      const screening = openScreening(plan.allergies)
      const change = ingredients === undefined ? fields : { ...fields, ...otherIngredients(ingredients, screening) }
      const meal = await changeMeal(tx, plan, id, change)
      if (meal === null) throw noMeal(id)
      return shownMeal(meal, screening)
    }),

  setMealStatus: ({ params: { id }, body: { status }, user }) =>
    changeFor(db, user, async (tx) => {
      const plan = await holdPlanOf(tx, user.userId, id)
      if (plan === null || !(await changeStatus(tx, plan, id, status))) throw noMeal(id)
      return null
    }),
})

/** The checks of the earlier ingredients are not valid for these. */
const otherIngredients = (ingredients: readonly Ingredient[], screening: Screening): MealChange => {
  const { value, problems } = requestedIngredients(ingredients, 'ingredients')
  const allergens = allergenProblems(value, 'ingredients', screening)
  if (problems.length + allergens.length > 0) throw invalidInput([...problems, ...allergens])
  return { ingredients: value, ownFigures: {}, recipeId: null }
}

const noMeal = (id: number): AppError => reasons.meal_not_found.at('id', { id })
