import type { Food } from '../food.ts'
import { findFood, singularKey } from '../names/food-names.ts'
import { phrasesOf } from '../names/food-phrases.ts'
import { phrasesIn } from '../names/phrases.ts'
import { type Allergy, readAllergies } from './allergies.ts'
import { tellingNames } from './telling-names.ts'

/** What is known of an ingredient and a person's allergies. */
export type Finding =
  | { kind: 'contains' /** Ingredient, class, rule: a sentence. */; proof: string }
  /** Nothing tells that it contains one, and nothing that it does not. */
  | { kind: 'not excluded' }
  | { kind: 'free' }

/** A person's allergies, and what they say of ingredients: each is looked at once. */
export interface Screening {
  allergies: readonly Allergy[]
  find: (ingredient: string) => Finding
}

const rule = 'Regulation (EU) No 1169/2011, Annex II'

/** @param texts as the person typed them */
export const openScreening = (texts: readonly string[]): Screening => {
  const allergies = readAllergies(texts)
  const hints = hintsOf(allergies)
  const findings = new Map<string, Finding>()

  const look = (ingredient: string): Finding => {
    const food = findFood(ingredient)
    const reason = food === null ? hintIn(ingredient, hints) : reasonIn(food, allergies)
    if (reason !== null) return { kind: 'contains', proof: `${ingredient} ${reason}` }
    return food === null && allergies.length > 0 ? { kind: 'not excluded' } : { kind: 'free' }
  }

  return {
    allergies,
    find(ingredient) {
      const finding = findings.get(ingredient) ?? look(ingredient)
      findings.set(ingredient, finding)
      return finding
    },
  }
}

/** Whether nothing is known against a food. */
export const isFree = (food: Food, allergies: readonly Allergy[]): boolean => reasonIn(food, allergies) === null

/** Why a food that the table knows is not to be eaten, as the rest of a sentence; null: nothing is known against it. */
const reasonIn = (food: Food, allergies: readonly Allergy[]): string | null => {
  for (const { word, classes, keys } of allergies) {
    const allergen = classes.find((each) => food.allergens.includes(each))
    if (allergen !== undefined) return `(${food.en[0]}) contains ${allergen} (${rule})${against(word)}`
    const isNamed = classes.length === 0 && keys.some((key) => phrasesOf(food).has(key))
    if (isNamed) return `is ${food.en[0]}, ${food.zh[0]}${against(word)}`
  }
  return null
}

/** What in the name of an unknown ingredient counts against it: by its key the rest of a sentence. */
const hintsOf = (allergies: readonly Allergy[]): ReadonlyMap<string, string> => {
  const hints = new Map<string, string>()
  for (const { word, classes, keys } of allergies) {
    for (const key of keys) hints.set(key, `says so by its name${against(word)}`)
    for (const allergen of classes) {
      for (const [key, name] of tellingNames.get(allergen) ?? []) {
        hints.set(key, `has ${name} in its name, which stands for ${allergen} (${rule})${against(word)}`)
      }
    }
  }
  return hints
}

const hintIn = (ingredient: string, hints: ReadonlyMap<string, string>): string | null => {
  if (hints.size === 0) return null
  for (const phrase of phrasesIn(singularKey(ingredient))) {
    const hint = hints.get(phrase)
    if (hint !== undefined) return hint
  }
  return null
}

const against = (word: string): string => `, and ${word} is among the allergies`
