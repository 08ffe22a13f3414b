import type { Recipe } from '../recipe.ts'
import { breakfasts } from './breakfasts.ts'
import { chineseEggsTofuAndVegetables } from './chinese-eggs-tofu-and-vegetables.ts'
import { chineseMeatAndPoultry } from './chinese-meat-and-poultry.ts'
import { chineseSeafood } from './chinese-seafood.ts'
import { otherAsian } from './other-asian.ts'
import { snacks } from './snacks.ts'
import { westernMeatAndSeafood } from './western-meat-and-seafood.ts'
import { westernVegetarian } from './western-vegetarian.ts'

/** Dishes to recommend. Their figures and suitability are computed from their ingredients. */
export const recipes: readonly Recipe[] = [
  ...breakfasts,
  ...chineseMeatAndPoultry,
  ...chineseSeafood,
  ...chineseEggsTofuAndVegetables,
  ...westernMeatAndSeafood,
  ...westernVegetarian,
  ...otherAsian,
  ...snacks,
]
