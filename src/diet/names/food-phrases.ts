import type { Food } from '../food.ts'
import { foods } from '../foods/foods.ts'
import { namesOf, singularKey } from './food-names.ts'
import { phrasesIn } from './phrases.ts'

const phrases = new Map(
  foods.map((food): [string, ReadonlySet<string>] => [
    food.id,
    new Set(namesOf(food).flatMap((name) => [...phrasesIn(singularKey(name))])),
  ]),
)

/** Everything in the names of a food that could be a name by itself. */
export const phrasesOf = ({ id }: Food): ReadonlySet<string> => phrases.get(id) ?? new Set()
