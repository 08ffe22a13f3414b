import type { AllergenClass } from '../allergens.ts'
import type { Food } from '../food.ts'
import { findFood, singularKey } from '../names/food-names.ts'
import { phrasesOf } from '../names/food-phrases.ts'
import { phrasesIn } from '../names/phrases.ts'
import { type Allergy, readAllergies } from './allergies.ts'
import { type FreeClaims, freeClaimsIn } from './free-claims.ts'
import { allergenNamesByKey } from './telling-names.ts'

/** What refuses an ingredient. */
export interface Cause {
  /** The allergy as it was typed. */
  word: string
  /** null: it is refused by its name. */
  allergen: AllergenClass | null
}

/** The result for an ingredient and a person's allergies. */
export type Finding =
  | ({ kind: 'contains' /** Ingredient, class, rule: a sentence. */; proof: string } & Cause)
  /** It is unknown whether it contains an allergen. */
  | { kind: 'not excluded' }
  | { kind: 'free' }

/** A person's allergies, and the results for ingredients; each ingredient is checked once. */
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
    if (reason !== null) {
      const { text, word, allergen } = reason
      return { kind: 'contains', proof: `${ingredient} ${text}`, word, allergen }
    }
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

/** Whether a food has no known allergen. */
export const isFree = (food: Food, allergies: readonly Allergy[]): boolean => causeIn(food, allergies) === null

/** What excludes a food of the table; null: it is not excluded. */
export const causeIn = (food: Food, allergies: readonly Allergy[]): Cause | null => reasonIn(food, allergies)

interface Reason extends Cause {
  /** The rest of a sentence. */
  text: string
}

/** Why a food of the table is excluded; null: it is not. */
const reasonIn = (food: Food, allergies: readonly Allergy[]): Reason | null => {
  for (const { word, classes, keys } of allergies) {
    const allergen = classes.find((each) => food.allergens.includes(each))
    if (allergen !== undefined) {
      return { word, allergen, text: `(${food.en[0]}) contains ${allergen} (${rule})${against(word)}` }
    }
    if (keys.some((key) => phrasesOf(food).has(key))) {
      return { word, allergen: null, text: `is ${food.en[0]}, ${food.zh[0]}${against(word)}` }
    }
  }
  return null
}

/** A reason against an unknown ingredient, found in its name. */
type Hint = Reason

/** By key, the reasons against an unknown ingredient: of a class by the word that named it first. */
const hintsOf = (allergies: readonly Allergy[]): ReadonlyMap<string, readonly Hint[]> => {
  const hints = new Map<string, Hint[]>()
  const add = (key: string, hint: Hint): void => {
    const known = hints.get(key) ?? []
    if (!known.some(({ allergen }) => allergen === hint.allergen)) hints.set(key, [...known, hint])
  }
  const words = new Map(allergies.toReversed().flatMap(({ word, classes }) => classes.map((each) => [each, word])))
  for (const [allergen, word] of words) {
    for (const [key, name] of allergenNamesByKey.get(allergen) ?? []) {
      const text = `has ${name} in its name, which stands for ${allergen} (${rule})${against(word)}`
      add(key, { word, allergen, text })
    }
  }
  for (const { word, keys } of allergies) {
    for (const key of keys) add(key, { word, allergen: null, text: `says so by its name${against(word)}` })
  }
  return hints
}

/** No name that a request may bring is longer, but for characters that stand for many. */
const longestKey = 100

const hintIn = (ingredient: string, hints: ReadonlyMap<string, readonly Hint[]>): Reason | null => {
  if (hints.size === 0) return null
  const key = singularKey(ingredient).slice(0, longestKey)
  const hintPhrases = [...phrasesIn(key)].filter((phrase) => hints.has(phrase))
  if (hintPhrases.length === 0) return null
  const claims = freeClaimsIn(key)
  const notDenied = hintPhrases.flatMap(
    (phrase) => hints.get(phrase)?.filter((hint) => !isDenied(phrase, hint, claims)) ?? [],
  )
  return notDenied[0] ?? null
}

const isDenied = (phrase: string, { allergen }: Hint, claims: FreeClaims): boolean =>
  allergen === null ? claims.phrases.has(phrase) : claims.classes.has(allergen)

const against = (word: string): string => `, and ${word} is among the allergies`
