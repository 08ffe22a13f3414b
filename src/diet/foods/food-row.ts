import type { AllergenClass } from '../allergens.ts'
import type { Food, FoodOrigin } from '../food.ts'

/**
 * One food on one line: its id, its entry of FoodData Central, its English and its Chinese names, separated by
 * commas, and what 100 g of the edible part hold: kcal, and grams of protein, carbohydrate, fat and fibre.
 */
export type FoodRow = readonly [
  id: string,
  fdcId: number,
  en: string,
  zh: string,
  kcal: number,
  protein: number,
  carbs: number,
  fat: number,
  fibre: number,
  more?: {
    /** Edible grams of one piece. */
    piece?: number
    /** Grams of one portion. */
    portion?: number
    /** Grams in a millilitre. */
    density?: number
    allergens?: readonly AllergenClass[]
  },
]

/** The foods of a table, all of one origin. */
export const foodsOf = (origin: FoodOrigin, rows: readonly FoodRow[]): Food[] =>
  rows.map(
    ([id, fdcId, en, zh, kcal, protein, carbs, fat, fibre, { piece, portion, density, allergens = [] } = {}]) => ({
      id,
      fdcId,
      en: names(en),
      zh: names(zh),
      per100g: { kcal, protein, carbs, fat, fibre },
      origin,
      ...(density !== undefined && { density }),
      ...(piece !== undefined && { pieceGrams: piece }),
      ...(portion !== undefined && { servingGrams: portion }),
      allergens,
    }),
  )

const names = (list: string): Food['en'] => {
  const [name = '', ...synonyms] = list.split(', ')
  return [name, ...synonyms]
}
