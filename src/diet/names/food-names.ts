import type { Food } from '../food.ts'
import { foods } from '../foods/foods.ts'

/** A name in the form for comparison: without case, width and the spaces of Chinese; hyphens are spaces. */
export const nameKey = (name: string): string =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/['’]/g, '')
    .replaceAll(/[\s\p{Dash}_·]+/gu, ' ')
    .replaceAll(/ ?(\p{Script=Han}) ?/gu, '$1')
    .trim()

/**
 * The same for singular and plural: `cherry tomatoes` and `cherry tomato`. For comparison only; it need not be English.
 */
export const singularKey = (name: string): string => nameKey(name).replaceAll(/[\p{L}\p{N}]+/gu, singular)

const singular = (word: string): string => {
  if (word.length < 4) return word
  if (/(leaves|loaves|halves)$/.test(word)) return `${word.slice(0, -3)}f`
  const stem = word.replace(/(?<=o|ch|sh|ss|x)es$|(?<!s)s$/, '')
  return stem.replace(/(ie|y)$/, 'i')
}

/** The food of a key; null where the key is ambiguous. */
type Index = ReadonlyMap<string, Food | null>

const indexBy = (key: (name: string) => string): Index => {
  const index = new Map<string, Food | null>()
  for (const food of foods) {
    for (const each of new Set(namesOf(food).map(key))) index.set(each, index.has(each) ? null : food)
  }
  return index
}

export const namesOf = ({ en, zh }: Food): string[] => [...en, ...zh]

const [byName, bySingular] = [indexBy(nameKey), indexBy(singularKey)]

/** The food of a key by `singularKey`; null: it is not in the table. */
export const findFoodByKey = (key: string): Food | null => bySingular.get(key) ?? null

/** The food of this name, in English or Chinese, singular or plural; null: it is not in the table. */
export const findFood = (name: string): Food | null => byName.get(nameKey(name)) ?? findFoodByKey(singularKey(name))
