import type { AllergenClass } from '../allergens.ts'
import type { Food } from '../food.ts'
import { foods } from '../foods/foods.ts'
import { nameKey, namesOf } from '../names/food-names.ts'
import { matchOf } from './match.ts'

export interface FoodFilter {
  /** Part of a name; empty: every food. */
  q?: string
  /** Foods with any of these are left out. */
  without?: readonly AllergenClass[]
}

const indexed = foods
  .map((food) => ({ food, keys: namesOf(food).map(nameKey) }))
  .sort((a, b) => a.food.en[0].localeCompare(b.food.en[0], 'en'))

/** The foods that pass the filter, the best match first; equal ones in the order of their English names. */
export const findFoods = ({ q = '', without = [] }: FoodFilter): Food[] => {
  const wanted = nameKey(q)
  return indexed
    .filter(({ food: { allergens } }) => !without.some((allergen) => allergens.includes(allergen)))
    .map(({ food, keys }) => ({ food, match: matchOf(wanted, keys) }))
    .filter(({ match }) => match !== null)
    .sort((a, b) => Number(a.match) - Number(b.match))
    .map(({ food }) => food)
}
