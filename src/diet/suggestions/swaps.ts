import type { Dish } from '../dishes.ts'
import { addFigures, eachFigure, type Figures } from '../figures/figures.ts'
import { mealFigures } from '../figures/meal-figures.ts'
import { type Deviation, deviationsOf, distanceOf } from '../figures/target.ts'
import type { MealRecord } from '../plans/plan-records.ts'
import { kindAt, openKinds } from './meal-kinds.ts'

/** One change of a day: one more dish, or another dish for a meal. */
export interface Swap {
  dish: Dish
  /** null: it is added. */
  instead: MealRecord | null
  /** What the day comes to with it. */
  day: Figures
  deviations: Deviation[]
  distance: number
}

/**
 * Every change by one serving of one dish that brings a day closer to the target, the best first: dishes for meals that
 * nothing is planned for, and dishes of the same kind instead of a meal that is pending.
 * @param menu the dishes that come into question
 * @param target kcal
 */
export const findSwaps = (meals: readonly MealRecord[], menu: readonly Dish[], target: number): Swap[] => {
  const eaten = meals.map((meal) => ({ meal, figures: mealFigures(meal.ingredients, meal.ownFigures).figures }))
  const day = addFigures(eaten.map(({ figures }) => figures))
  const planned = new Set(meals.map(({ recipeId }) => recipeId))
  const fresh = menu.filter(({ id }) => !planned.has(id))
  const open = openKinds(meals.map(({ time }) => time))
  const before = distanceOf(deviationsOf(day, target))
  const change = (dish: Dish, rest: Figures, instead: MealRecord | null): Swap => {
    const changed = addFigures([rest, dish.figures])
    const deviations = deviationsOf(changed, target)
    return { dish, instead, day: changed, deviations, distance: distanceOf(deviations) }
  }
  const added = fresh.filter(({ kinds }) => kinds.some((kind) => open.has(kind))).map((dish) => change(dish, day, null))
  const replaced = eaten
    .filter(({ meal }) => meal.status === 'pending')
    .flatMap(({ meal, figures }) => {
      const rest = less(day, figures)
      const alike = fresh.filter(({ kinds }) => kinds.includes(kindAt(meal.time)))
      return alike.map((dish) => change(dish, rest, meal))
    })
  const missed = ({ day: { calories } }: Swap): number => Math.abs(calories / 10 - target)
  return [...added, ...replaced]
    .filter(({ distance }) => distance < before)
    .sort((a, b) => a.distance - b.distance || missed(a) - missed(b) || a.dish.id - b.dish.id)
}

const less = (day: Figures, meal: Figures): Figures => eachFigure((name) => day[name] - meal[name])
