import { type AllergenClass, allergenClasses, allergenNames } from '../allergens.ts'
import type { Food } from '../food.ts'
import { foods } from '../foods/foods.ts'
import { findFood, nameKey, namesOf, singularKey } from '../names/food-names.ts'
import { phrasesOf } from '../names/food-phrases.ts'
import { phrasesIn } from '../names/phrases.ts'
import { wordsIn } from '../names/words.ts'

/** Something that somebody must not eat, by one word of his. */
export interface Allergy {
  /** As it was typed. */
  word: string
  classes: readonly AllergenClass[]
  /** The food of that name. */
  food: Food | null
  /** What is looked for in names: the word without what is around it, and all names of that food. */
  keys: readonly string[]
}

/** What is known of an ingredient and a person's allergies. */
export type Finding =
  | { kind: 'contains' /** Ingredient, class, rule: a sentence. */; proof: string }
  /** Nothing tells that it contains one, and nothing that it does not. */
  | { kind: 'not excluded' }
  | { kind: 'free' }

const rule = 'Regulation (EU) No 1169/2011, Annex II'

/** Classes by what people call them. */
const classesOf = new Map<string, AllergenClass[]>()
for (const allergen of allergenClasses) {
  for (const name of [...allergenNames[allergen].en, ...allergenNames[allergen].zh]) {
    const key = singularKey(name)
    const classes = classesOf.get(key) ?? []
    if (!classes.includes(allergen)) classesOf.set(key, [...classes, allergen])
  }
}

/** By its key, what the name of an unknown ingredient gives away: names of a class, and of the foods that contain it. */
const tellingNames = new Map(
  allergenClasses.map((allergen): [AllergenClass, ReadonlyMap<string, string>] => {
    const names = foods.filter(({ allergens }) => allergens.includes(allergen)).flatMap(namesOf)
    const { en, zh } = allergenNames[allergen]
    // The last of a key stays: of `shrimp` and `shrimps` the first.
    const told = [...en, ...zh, ...names].reverse()
    return [allergen, new Map(told.map((name) => [singularKey(name), name]))]
  }),
)

/** The allergies that texts of a person name: classes and foods, in English or Chinese. */
export const readAllergies = (texts: readonly string[]): Allergy[] =>
  texts.flatMap(wordsIn).map((word) => {
    const bare = bareWord(word)
    const food = findFood(bare)
    const keys = [bare, ...(food === null ? [] : namesOf(food))].map(singularKey)
    return { word, classes: classesOf.get(singularKey(bare)) ?? [], food, keys: [...new Set(keys)] }
  })

/** A word that is none of the classes: nobody has written down what it is in, but for what names say. */
export const isByName = ({ classes }: Allergy): boolean => classes.length === 0

/** A person's allergies, and what they say of ingredients: each is looked at once. */
export interface Screening {
  allergies: readonly Allergy[]
  find: (ingredient: string) => Finding
}

/** @param texts as the person typed them */
export const openScreening = (texts: readonly string[]): Screening => {
  const allergies = readAllergies(texts)
  const findings = new Map<string, Finding>()
  return {
    allergies,
    find(ingredient) {
      const finding = findings.get(ingredient) ?? findAllergen(allergies, ingredient)
      findings.set(ingredient, finding)
      return finding
    },
  }
}

/** What an ingredient, by its name, has to do with allergies. The first that it contains is told. */
const findAllergen = (allergies: readonly Allergy[], ingredient: string): Finding => {
  const food = findFood(ingredient)
  const phrases = phrasesIn(singularKey(ingredient))
  for (const allergy of allergies) {
    const reason = food === null ? hintIn(phrases, allergy) : reasonIn(food, phrases, allergy)
    if (reason !== null) {
      return { kind: 'contains', proof: `${ingredient} ${reason}, and ${allergy.word} is among the allergies` }
    }
  }
  return food === null && allergies.length > 0 ? { kind: 'not excluded' } : { kind: 'free' }
}

/** Whether a food contains none of them. */
export const isFree = (food: Food, allergies: readonly Allergy[]): boolean =>
  allergies.every((allergy) => reasonIn(food, new Set(), allergy) === null)

/** Why a food that the table knows is not to be eaten, as the rest of a sentence; null: nothing is known against it. */
const reasonIn = (food: Food, phrases: ReadonlySet<string>, allergy: Allergy): string | null => {
  const allergen = allergy.classes.find((each) => food.allergens.includes(each))
  if (allergen !== undefined) return `(${food.en[0]}) contains ${allergen} (${rule})`
  if (allergy.food?.id === food.id) return `is ${food.en[0]}`
  if (allergy.classes.length > 0) return null
  if (isNamed(phrases, allergy)) return 'says so by its name'
  return isNamed(phrasesOf(food), allergy) ? `is ${food.en[0]}, ${food.zh[0]}` : null
}

const isNamed = (phrases: ReadonlySet<string>, { keys }: Allergy): boolean => keys.some((key) => phrases.has(key))

/** The same for an ingredient of which only the name is known. */
const hintIn = (phrases: ReadonlySet<string>, allergy: Allergy): string | null => {
  for (const allergen of allergy.classes) {
    const names = tellingNames.get(allergen)
    for (const phrase of phrases) {
      const name = names?.get(phrase)
      if (name !== undefined) return `has ${name} in its name, which stands for ${allergen} (${rule})`
    }
  }
  return isNamed(phrases, allergy) ? 'says so by its name' : null
}

/** `peanut` of `allergic to peanut`, `对花生过敏` or `no peanut`. `无花果` is a fig, and not something without 花果. */
const bareWord = (word: string): string => {
  if (classesOf.has(singularKey(word)) || findFood(word) !== null) return word
  const bare = nameKey(word)
    .replace(/^(i am |im )?allergic to /, '')
    .replace(/^(no|without|avoid) /, '')
    .replace(/ (allergy|allergies|intolerance|intolerant|free)$/, '')
    .replace(/^我?对(?=.+过敏)/, '')
    .replace(/^(不吃|不含|不要|忌口?|无)(?=.)/, '')
    .replace(/(过敏|不耐受)$/, '')
  return bare === '' ? word : bare
}
