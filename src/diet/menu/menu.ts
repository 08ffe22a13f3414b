import { type Dish, dishes } from '../dishes.ts'
import type { Allergy } from '../wishes/allergies.ts'
import type { Preference } from '../wishes/preferences.ts'
import { isFree } from '../wishes/screening.ts'

/** The dishes that fit a person's allergies and preferences. */
export const menuFor = (allergies: readonly Allergy[], preferences: readonly Preference[]): Dish[] =>
  dishes.filter(
    (dish) =>
      dish.foods.every((food) => isFree(food, allergies)) &&
      preferences.every(({ strict, fits }) => !strict || fits(dish)),
  )
