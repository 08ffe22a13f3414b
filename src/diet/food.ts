import type { AllergenClass } from './allergens.ts'

/** Grams in 100 g of the edible part; `kcal` in kilocalories. Carbohydrate is by difference, and so includes fibre. */
export interface Nutrients {
  kcal: number
  protein: number
  carbs: number
  fat: number
  fibre: number
}

/** The origin of a food: `plant` is vegan, `plant` and `dairy-egg` (which includes honey) are vegetarian. */
export type FoodOrigin = 'plant' | 'dairy-egg' | 'meat' | 'seafood'

export interface Food {
  /** Stable, in lower case with hyphens: `rice-white-cooked`. */
  id: string
  /** The entry of USDA FoodData Central with these figures. */
  fdcId: number
  /** The name and its synonyms; each belongs to one food only. */
  en: readonly [name: string, ...synonyms: string[]]
  zh: readonly [name: string, ...synonyms: string[]]
  per100g: Nutrients
  origin: FoodOrigin
  /** Grams in a millilitre, where it is poured or spooned. */
  density?: number
  /** Edible grams of one 个 or 只, where it comes in pieces. */
  pieceGrams?: number
  /** Grams of one 份, where there is a customary portion. */
  servingGrams?: number
  allergens: readonly AllergenClass[]
}
