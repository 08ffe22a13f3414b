import type { Food } from '../food.ts'
import { dishes } from './dishes.ts'
import { drinks } from './drinks.ts'
import { eggsAndDairy } from './eggs-and-dairy.ts'
import { fatsAndSeasonings } from './fats-and-seasonings.ts'
import { fruit } from './fruit.ts'
import { grains } from './grains.ts'
import { legumesAndNuts } from './legumes-and-nuts.ts'
import { meat } from './meat.ts'
import { seafood } from './seafood.ts'
import { sweetsAndSnacks } from './sweets-and-snacks.ts'
import { vegetables } from './vegetables.ts'

/**
 * Common foods of Chinese and Western kitchens. The figures are those of USDA FoodData Central, SR Legacy (April 2018,
 * CC0), as published; foods whose energy comes from alcohol or acids, or whose fibre is not published, are left out.
 * Allergens are those that a food customarily contains; a packet may say otherwise.
 */
export const foods: readonly Food[] = [
  ...grains,
  ...vegetables,
  ...fruit,
  ...meat,
  ...seafood,
  ...eggsAndDairy,
  ...legumesAndNuts,
  ...fatsAndSeasonings,
  ...sweetsAndSnacks,
  ...drinks,
  ...dishes,
]
