import type { Food } from '../food.ts'
import { foods } from '../foods/foods.ts'

/** A name as it is compared: without case, width and the spaces of Chinese; hyphens are spaces. */
export const nameKey = (name: string): string =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/['’]/g, '')
    .replaceAll(/[\s\p{Dash}_·]+/gu, ' ')
    .replaceAll(/ ?(\p{Script=Han}) ?/gu, '$1')
    .trim()

/** The same for one and for many: `cherry tomatoes` and `cherry tomato`. For comparison only; it is no English. */
export const singularKey = (name: string): string => nameKey(name).replaceAll(/[\p{L}\p{N}]+/gu, singular)

const singular = (word: string): string => {
  if (word.length < 4) return word
  if (/(leaves|loaves|halves)$/.test(word)) return `${word.slice(0, -3)}f`
  const stem = word.replace(/(?<=o|ch|sh|ss|x)es$|(?<!s)s$/, '')
  return stem.replace(/(ie|y)$/, 'i')
}

/** What is found by a key; null where it could be one or another. */
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

/** The food of a key by `singularKey`; null: the table does not know it. */
export const findFoodByKey = (key: string): Food | null => bySingular.get(key) ?? null

/** The food of this name, in English or Chinese, one or many; null: the table does not know it. */
export const findFood = (name: string): Food | null => byName.get(nameKey(name)) ?? findFoodByKey(singularKey(name))
