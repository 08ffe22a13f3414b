import { foods } from '../foods/foods.ts'
import { namesOf, singularKey } from '../names/food-names.ts'
import { phrasesOf } from '../names/food-phrases.ts'

const groups = ['bean', 'pea', 'lentil', 'chickpea', 'hummus'].map(singularKey)

/** Legumes that are not in the table. */
const others = ['扁豆', '豌豆', '豆角', '豇豆', '豆沙包', '豆沙馅', '豆芽']

/**
 * What legumes are called, by `singularKey`. Of them Annex II of Regulation (EU) No 1169/2011 lists only peanuts,
 * soybeans and lupin.
 */
export const legumeKeys: readonly string[] = [
  ...groups,
  ...others,
  ...foods
    .filter((food) => groups.some((group) => phrasesOf(food).has(group)))
    .flatMap(namesOf)
    .map(singularKey),
]
