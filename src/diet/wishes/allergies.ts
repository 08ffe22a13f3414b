import { type AllergenClass, allergenClasses, allergenNames } from '../allergens.ts'
import type { Food } from '../food.ts'
import { findFood, findFoodByKey, nameKey, namesOf, singularKey } from '../names/food-names.ts'
import { phrasesIn } from '../names/phrases.ts'
import { wordsIn } from '../names/words.ts'
import { legumeKeys } from './legumes.ts'

/** Something that a person must not eat, from one word that they typed. */
export interface Allergy {
  /** As it was typed. */
  word: string
  /** The word without its surroundings. */
  name: string
  classes: readonly AllergenClass[]
  /** The keys that are searched in names: that name, and all names of the foods it means. */
  keys: readonly string[]
  /** Whether it means a class or a food; for any other word it is unknown what contains it. */
  isKnown: boolean
}

/** What an allergy is to: classes, and foods by their names. */
interface Meaning {
  classes: readonly AllergenClass[]
  foods: readonly Food[]
}

/** Classes by what people call them. */
const classesOf = new Map<string, AllergenClass[]>()
for (const allergen of allergenClasses) {
  for (const name of [...allergenNames[allergen].en, ...allergenNames[allergen].zh]) {
    const key = singularKey(name)
    const classes = classesOf.get(key) ?? []
    if (!classes.includes(allergen)) classesOf.set(key, [...classes, allergen])
  }
}

const wordsForLegumes = new Set(['legumes', '豆类'].map(singularKey))

/** The allergies that texts of a person name: classes and foods, in English or Chinese. */
export const readAllergies = (texts: readonly string[]): Allergy[] =>
  texts.flatMap(wordsIn).map((word) => {
    const name = bareWord(word)
    return toAllergy(word, name, meaningOf(name))
  })

/** What a word in a preference means, and nothing beyond: without butter, cheese is still allowed. */
export const readAvoided = (text: string): Allergy[] =>
  wordsIn(text).map((word) => {
    const name = bareWord(word)
    return toAllergy(word, name, namedBy(name))
  })

/** Whether a word is not a class: it can only be found by name. */
export const isByName = ({ classes }: Allergy): boolean => classes.length === 0

const toAllergy = (word: string, name: string, { classes, foods }: Meaning): Allergy => {
  const key = singularKey(name)
  const isOfLegumes = [...phrasesIn(key)].some((phrase) => wordsForLegumes.has(phrase))
  const keys = new Set([key, ...foods.flatMap(namesOf).map(singularKey), ...(isOfLegumes ? legumeKeys : [])])
  return {
    word,
    name,
    classes,
    // A class is found by the foods that contain it: there is no milk in coconut milk.
    keys: [...keys].filter((each) => !classesOf.has(each)),
    isKnown: classes.length > 0 || foods.length > 0,
  }
}

const namedBy = (name: string): Meaning => {
  const classes = classesOf.get(singularKey(name))
  // Flour, 面粉, means gluten, but rice flour is allowed.
  if (classes !== undefined) return { classes, foods: [] }
  const food = findFood(name)
  return { classes: [], foods: food === null ? [] : [food] }
}

/** The class of that name; or else the food, with all that it contains; or else every class and food in the words. */
const meaningOf = (name: string): Meaning => {
  const named = namedBy(name)
  if (named.classes.length > 0) return named
  const phrases = new Set(phrasesIn(singularKey(name)))
  const foods = named.foods.length > 0 ? named.foods : [...phrases].flatMap((phrase) => findFoodByKey(phrase) ?? [])
  const classes = named.foods.length > 0 ? [] : [...phrases].flatMap((phrase) => classesOf.get(phrase) ?? [])
  const contained = foods.flatMap(({ allergens }) => allergens)
  return { classes: [...new Set([...classes, ...contained])], foods: [...new Set(foods)] }
}

/** `peanut` of `allergic to peanut`, `对花生过敏` or `no peanut`. `无花果` is a fig, and not something without 花果. */
const bareWord = (word: string): string => {
  if (classesOf.has(singularKey(word)) || findFood(word) !== null) return word
  const bare = nameKey(word)
    .replace(/^((i am |im )?allergic to|no|without|avoid)( |(?=\p{Script=Han}))/u, '')
    .replace(/( |(?<=\p{Script=Han}))(allergy|allergies|intolerance|intolerant|free)$/u, '')
    .replace(/^我?对(?=.)/, '')
    .replace(/^(不吃|不含|不要|忌口?|无)(?=.)/, '')
    .replace(/(过敏|不耐受)$/, '')
  return bare === '' ? word : bare
}
